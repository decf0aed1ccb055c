/* app/prevalence/prevalence.h - what the parts of pardup prevalence share. */
#ifndef PARDUP_APP_PREVALENCE_PREVALENCE_H
#define PARDUP_APP_PREVALENCE_PREVALENCE_H

#include <stdio.h>

#include "pardup/result/near.h"
#include "pardup/result/trec.h"
#include "pardup/run/options.h"

PD_VEC(pd_numbers, double);

struct pd_prevalence {
    const struct pd_options *options;
    struct pd_trec runs;     /* --run and --qrels */
    struct pd_near near;     /* pairs of the documents that they name */
    uint64_t *rows;          /* per document they name: its row in the result, or PD_NO_ROW */
    struct pd_numbers least; /* --rr or --coverage: least resemblances of near duplicates */
    struct pd_numbers top;   /* --top */
};

#define PD_NO_ROW UINT64_MAX

static inline bool pd_is_unknown(const struct pd_prevalence *p, uint64_t doc)
{
    return p->rows[doc] == PD_NO_ROW;
}

/* Print the tables that --table asks for, with tabs. */
void pd_prevalence_tables(struct pd_prevalence *p, FILE *out);

/*
 * --unique: refuse files that would have one name in the folder, or be inputs. PD_OK or a failure.
 */
int pd_unique_check(const struct pd_options *o);

/* --unique: write runs and judgements without repeats. Returns PD_OK, PD_EIO or PD_EFORMAT. */
int pd_unique_write(struct pd_prevalence *p);

#endif

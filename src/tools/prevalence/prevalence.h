/* tools/prevalence/prevalence.h - what the parts of pardup prevalence share. */
#ifndef PARDUP_TOOLS_PREVALENCE_PREVALENCE_H
#define PARDUP_TOOLS_PREVALENCE_PREVALENCE_H

#include <stdio.h>

#include "near.h"
#include "pardup/run/options.h"
#include "trec.h"

enum pd_bound { PD_BOUND_LEAST, PD_BOUND_MORE };
enum pd_prevalence_table {
    PD_PREVALENCE_SUMMARY, /* all but run-topics; without judgements not relevant */
    PD_PREVALENCE_TOPICS,
    PD_PREVALENCE_RUNS,
    PD_PREVALENCE_SHARES,
    PD_PREVALENCE_RELEVANT,
    PD_PREVALENCE_RUN_TOPICS
};

/* Near duplicates in runs and topics. The parser of the command line fills it in. */
struct pd_prevalence_options {
    struct pd_options all;
    struct pd_texts runs, qrels;    /* files of runs, and of judgements */
    const char *top;                /* numbers of first documents, with commas */
    const char *rr;                 /* least resemblances, with commas */
    const char *coverage;           /* least coverages of both documents instead; NULL: --rr */
    enum pd_trec_order order;       /* which documents of a run come first */
    enum pd_bound bound;            /* what table 4.1 counts */
    enum pd_prevalence_table table; /* which tables are printed */
    bool unique;                    /* write runs and judgements without repeats */
};

PD_VEC(pd_numbers, double);

struct pd_prevalence {
    const struct pd_prevalence_options *options;
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
int pd_unique_check(const struct pd_prevalence_options *o);

/* --unique: write runs and judgements without repeats. Returns PD_OK, PD_EIO or PD_EFORMAT. */
int pd_unique_write(struct pd_prevalence *p);

#endif

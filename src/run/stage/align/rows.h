/* run/stage/align/rows.h - the rows of a slice are sorted and kept in scratch until the write stage. */
#ifndef PARDUP_RUN_ROWS_H
#define PARDUP_RUN_ROWS_H

#include "pardup/passage/inner.h"
#include "pardup/store/packed.h"
#include "run/stage/job.h"

/* bins of first documents, the grain of slices and of the ranks' shares of rows */
#define PD_ROW_BINS (1 << 14)

/* The rows of one slice on their way to the ranks that sort and keep them. */
struct pd_gathering_rows {
    struct pd_job *job;
    struct pd_shuffle pairs;   /* rows, folded by pair, at the ranks that keep them */
    size_t from, to;           /* the slice is bins [from, to) */
    int *rank_of_bin;          /* for each bin of the slice, the rank that keeps its rows */
    struct pd_inner_keys keys; /* scratch for passage/inner.h */
    struct pd_bytes folded;    /* the pairs added last, as records to be sent */
    size_t sent;               /* bytes of `folded` that have been sent */
    struct pd_packed *file;    /* the file of this rank's part of the slice; NULL: no row yet */
};

/* The bin of a document, and the first document of a bin. */
size_t pd_row_bin(const struct pd_job *job, pd_doc doc);
pd_doc pd_row_bin_start(const struct pd_job *job, size_t bin);

/*
 * COLLECTIVE. Begin the slice of bins [from, to). `weights`: for each of all PD_ROW_BINS bins a
 * number that is about proportional to the rows of the bin, the same on all ranks.
 */
void pd_rows_begin(struct pd_gathering_rows *g, struct pd_job *job, size_t from, size_t to,
                   const uint64_t *weights);

/*
 * Not collective. Add all n > 0 rows of a pair, in any order. They are copied; `rows` is
 * overwritten. pd_rows_send sends them.
 */
void pd_rows_add(struct pd_gathering_rows *g, struct pd_row *rows, size_t n);

/*
 * Not collective. Write rows that were added to to[0, cap), as far as they fit, as records for
 * g->pairs. Returns the bytes written. pd_rows_wait: are rows left that have not been written?
 */
size_t pd_rows_send(struct pd_gathering_rows *g, unsigned char *to, size_t cap);
bool pd_rows_wait(const struct pd_gathering_rows *g);

/*
 * COLLECTIVE. End the slice, when all rows have been sent. This rank's part goes to scratch and to
 * job->aligned.slices. Agreed: PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_rows_end(struct pd_gathering_rows *g);

/* Not collective. Free the memory of a slice, whether it has ended or not. */
void pd_rows_abandon(struct pd_gathering_rows *g);

#endif

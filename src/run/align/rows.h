/* run/align/rows.h - finished passages of a slice are sorted into scratch, from where the write stage takes them. */
#ifndef PARDUP_RUN_ROWS_H
#define PARDUP_RUN_ROWS_H

#include "pardup/passage/inner.h"
#include "pardup/store/packed.h"
#include "pardup/store/sorter.h"
#include "run/job.h"

#define PD_ROW_BINS                                                                                \
    (1 << 14) /* bins of first documents, the grain of slices and of the ranks' shares of rows */

/* The rows of one slice on their way to the ranks that sort and keep them. */
struct pd_gathering_rows {
    struct pd_job *job;
    struct pd_shuffle pairs;   /* at the ranks that write them */
    size_t from, to;           /* the bins of the slice */
    int *rank_of_bin;          /* the rank that sorts the rows of each bin */
    struct pd_inner_keys keys; /* room for passage/inner.h */
    struct pd_bytes folded;    /* the pair at hand, as records to be sent */
    size_t sent;               /* bytes of `folded` that have been sent */
    struct pd_packed *file;    /* this rank's part of the slice; NULL: no row yet */
};

/* The bin of a document, and the first document of a bin. */
size_t pd_row_bin(const struct pd_job *job, pd_doc doc);
pd_doc pd_row_bin_start(const struct pd_job *job, size_t bin);

/*
 * COLLECTIVE. Begin the slice of bins [from, to). `weights`: a number for each of all bins, the same on all ranks, that is
 * about proportional to its rows.
 */
void pd_rows_begin(struct pd_gathering_rows *g, struct pd_job *job, size_t from, size_t to,
                   const uint64_t *weights);

/* Not collective. Add all rows of a pair, n > 0, in any order. They are changed, and wait for pd_rows_send. */
void pd_rows_add(struct pd_gathering_rows *g, struct pd_row *rows, size_t n);

/*
 * Not collective. Write rows that wait, as many as fit, as records to be sent by g->pairs (struct pd_route). Returns
 * their bytes. pd_rows_wait: some are left.
 */
size_t pd_rows_send(struct pd_gathering_rows *g, unsigned char *to, size_t cap);
bool pd_rows_wait(const struct pd_gathering_rows *g);

/* COLLECTIVE. The slice has all its rows: this rank's part of it goes to scratch and job->aligned.slices. */
int pd_rows_end(struct pd_gathering_rows *g);

void pd_rows_abandon(
    struct pd_gathering_rows *g); /* free the memory of a slice, whether it has ended or not */

#endif

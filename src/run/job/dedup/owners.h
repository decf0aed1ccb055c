/*
 * run/job/dedup/owners.h - which rank owns a row or a place, and the shuffles of the job.
 *
 * Rows of /documents and of /passages are owned in ranges of one length. A document that is in a
 * passage has a place in the order of --keep, too; ranks own ranges of places.
 */
#ifndef PARDUP_RUN_DEDUP_OWNERS_H
#define PARDUP_RUN_DEDUP_OWNERS_H

#include "run/job/dedup/job.h"

/* The rank that owns row `row` of a table of n rows. */
static inline int pd_row_owner(uint64_t row, uint64_t n, int nranks)
{
    return (int)((unsigned __int128)row * (unsigned)nranks / n);
}

/* The first row that the rank owns of a table of n rows; for the number of ranks: n. */
static inline uint64_t pd_first_row(uint64_t n, int rank, int nranks)
{
    return (uint64_t)(((unsigned __int128)n * (unsigned)rank + (unsigned)nranks - 1) /
                      (unsigned)nranks);
}

/* The rank that owns a place. */
int pd_place_owner(const struct pd_dedup *d, uint64_t place);

/* The first place of this rank. */
static inline uint64_t pd_first_place_of(const struct pd_dedup *d)
{
    return d->firsts[d->comm->rank];
}

/* Owners for flows: by the place, or the row of /documents, that a record begins with. */
int pd_owner_of_place(const void *rec, int nranks, void *d);
int pd_owner_of_doc(const void *rec, int nranks, void *d);

/*
 * COLLECTIVE. Open a shuffle with the records that `next` makes, sorted; the flow's functions get
 * d. Agreed: PD_OK or a failure. To be closed in any case.
 */
int pd_dedup_send(struct pd_dedup *d, struct pd_shuffle *to, const struct pd_flow *flow,
                  int (*next)(void *ctx, void *rec), void *ctx);

/* COLLECTIVE. Send records that need no order: `sink` gets them. Agreed: PD_OK or a failure. */
int pd_dedup_exchange(struct pd_dedup *d, struct pd_making from,
                      int (*owner)(const void *rec, int nranks, void *d),
                      int (*sink)(const void *recs, size_t bytes, void *ctx), void *sink_ctx);

#endif

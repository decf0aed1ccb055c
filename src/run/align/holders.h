/* run/align/holders.h - which rank holds a document, and in what order it reads its own. */
#ifndef PARDUP_RUN_HOLDERS_H
#define PARDUP_RUN_HOLDERS_H

#include <stdbool.h>

#include "run/collection/collection.h"

/* What each record asks of a batch (run/collection/collection.h), so small that all batches fit the cache. */
struct pd_holding {
    pd_doc base;
    uint64_t volume; /* 0: the batch stays in memory; else 1 + the index of the holder's volume */
    uint64_t rank;
};

struct pd_holders {
    struct pd_holding *v; /* ascending */
    size_t n;
    uint64_t own; /* one more than the greatest volume (as above) of this rank's batches */
    bool
        ascending; /* volumes of this rank ascend with document numbers: in that order each is loaded only once */
    unsigned shift;
    uint32_t *first; /* first[n]: the batch of document n << shift */
};

/*
 * A locator is a document's number with its volume in the bits above. Sorted by locator, a volume that does not stay in
 * memory is loaded only once. Numbers alone do not do: neighbours in a file that is read in stripes are in different
 * volumes.
 */
#define PD_LOCATOR_BITS 40
static inline pd_doc pd_locator_doc(uint64_t locator)
{
    return locator & (((uint64_t)1 << PD_LOCATOR_BITS) - 1);
}

/* Does the document stay in its holder's memory? */
static inline bool pd_locator_stays(uint64_t locator) { return locator >> PD_LOCATOR_BITS == 0; }

/* COLLECTIVE. The documents of `col` have numbers. It is borrowed until release. */
void pd_holders_init(struct pd_holders *h, const struct pd_collection *col);
void pd_holders_release(struct pd_holders *h);

/* The batch of a document, like pd_collection_batch, but in a step or two. */
static inline const struct pd_holding *pd_holders_find(const struct pd_holders *h, pd_doc number)
{
    size_t k = h->first[number >> h->shift];
    while (k + 1 < h->n && h->v[k + 1].base <= number)
        k++;
    return &h->v[k];
}

static inline int pd_holders_rank(const struct pd_holders *h, uint64_t locator)
{
    return (int)pd_holders_find(h, pd_locator_doc(locator))->rank;
}

static inline uint64_t pd_holders_locate(const struct pd_holders *h, pd_doc number)
{
    return pd_holders_find(h, number)->volume << PD_LOCATOR_BITS | number;
}

/* The part in [0, npartitions) of a locator of this rank, of documents in [least, least + range). */
uint32_t pd_holders_partition(const struct pd_holders *h, uint64_t locator, pd_doc least,
                              pd_doc range, uint32_t npartitions);

#endif

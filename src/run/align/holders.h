/* run/align/holders.h - which rank holds a document, and in what order it reads its own. */
#ifndef PARDUP_RUN_HOLDERS_H
#define PARDUP_RUN_HOLDERS_H

#include <stdbool.h>

#include "run/collection/collection.h"

/* Of a segment (run/collection/collection.h) what each record is asked for: those of all fit the cache. */
struct pd_holding {
    pd_doc base;
    uint64_t volume; /* 0: it stays in memory, else 1 + its holder's volume */
    uint64_t rank;
};

struct pd_holders {
    struct pd_holding *v; /* ascending */
    size_t n;
    uint64_t own;   /* one more than the greatest volume of this rank's */
    bool ascending; /* they do as numbers do: in that order, too, each passes through memory once */
    unsigned shift;
    uint32_t *first; /* by number >> shift: the segment of the least number */
};

/*
 * A document's number with its volume above it: in this order a rank has volumes that do not stay
 * pass through memory once. Of files read in stripes neighbours are in different volumes.
 */
#define PD_LOCATOR_BITS 40
static inline pd_doc pd_locator_doc(uint64_t place)
{
    return place & (((uint64_t)1 << PD_LOCATOR_BITS) - 1);
}

/* Its holder has it in memory for good. */
static inline bool pd_locator_stays(uint64_t place) { return place >> PD_LOCATOR_BITS == 0; }

/* COLLECTIVE. Of a collection whose documents have their numbers, and which outlives it. */
void pd_holders_init(struct pd_holders *h, const struct pd_collection *col);
void pd_holders_release(struct pd_holders *h);

/* As pd_collection_batch, in a step or two. */
static inline const struct pd_holding *pd_holders_find(const struct pd_holders *h, pd_doc number)
{
    size_t k = h->first[number >> h->shift];
    while (k + 1 < h->n && h->v[k + 1].base <= number)
        k++;
    return &h->v[k];
}

static inline int pd_holders_rank(const struct pd_holders *h, uint64_t place)
{
    return (int)pd_holders_find(h, pd_locator_doc(place))->rank;
}

static inline uint64_t pd_holders_locate(const struct pd_holders *h, pd_doc number)
{
    return pd_holders_find(h, number)->volume << PD_LOCATOR_BITS | number;
}

/* The part in [0, npartitions) of a place of this rank, of documents in [least, least + range). */
uint32_t pd_holders_partition(const struct pd_holders *h, uint64_t place, pd_doc least,
                              pd_doc range, uint32_t npartitions);

#endif

/*
 * run/stage/align/holders.h - which rank holds a document, and in what order a rank reads its
 * documents.
 */
#ifndef PARDUP_RUN_HOLDERS_H
#define PARDUP_RUN_HOLDERS_H

#include <stdbool.h>

#include "run/stage/collection/collection.h"

/*
 * A batch, reduced to what is looked up for each record. So small that all batches fit in the
 * cache.
 */
struct pd_holding {
    pd_doc base;     /* number of the first document */
    uint64_t volume; /* 0: the batch stays in memory; else 1 + the index of the holder's volume */
    uint64_t rank;   /* the holder */
};

/* All batches of all ranks, with an index over document numbers. */
struct pd_holders {
    struct pd_holding *v; /* n batches, ascending */
    size_t n;
    uint64_t nvolumes; /* 1 + the greatest `volume` of this rank's batches */
    bool ascending;  /* read in order of document number, each volume of this rank is loaded once */
    unsigned shift;  /* the index divides document numbers into steps of 2^shift */
    uint32_t *first; /* first[k]: the batch of document k << shift */
};

/*
 * A locator is a document's number with its `volume` (struct pd_holding) in the bits above. In
 * order of locator, each volume that does not stay in memory is loaded only once. The order of
 * numbers does not do: if a file is read in stripes, neighbouring documents are in different
 * volumes.
 */
#define PD_LOCATOR_BITS 40 /* bits of the document's number */
static inline pd_doc pd_locator_doc(uint64_t locator)
{
    return locator & (((uint64_t)1 << PD_LOCATOR_BITS) - 1);
}

/* Does the document's volume stay in its holder's memory? */
static inline bool pd_locator_stays(uint64_t locator) { return locator >> PD_LOCATOR_BITS == 0; }

/* COLLECTIVE. Make the table, when documents of `col` have numbers. The caller releases it. */
void pd_holders_init(struct pd_holders *h, const struct pd_collection *col);
void pd_holders_release(struct pd_holders *h);

/* The batch of a document. Like pd_collection_batch, but in O(1) for most documents. */
static inline const struct pd_holding *pd_holders_find(const struct pd_holders *h, pd_doc number)
{
    size_t k = h->first[number >> h->shift];
    while (k + 1 < h->n && h->v[k + 1].base <= number)
        k++;
    return &h->v[k];
}

/* The holder of a document, by its locator or its number. */
static inline int pd_holders_rank(const struct pd_holders *h, uint64_t locator)
{
    return (int)pd_holders_find(h, pd_locator_doc(locator))->rank;
}

/* The locator of a document. */
static inline uint64_t pd_holders_locate(const struct pd_holders *h, pd_doc number)
{
    return pd_holders_find(h, number)->volume << PD_LOCATOR_BITS | number;
}

/*
 * The partition in [0, npartitions) of the locator of a document that this rank holds, whose number
 * is in [least, least + range).
 */
uint32_t pd_holders_partition(const struct pd_holders *h, uint64_t locator, pd_doc least,
                              pd_doc range, uint32_t npartitions);

#endif

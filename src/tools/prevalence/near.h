/*
 * tools/prevalence/near.h - which documents of a set are near duplicates of others in it.
 *
 * Nikkhoo, "The Impact of Near-Duplicate Documents on Information Retrieval Evaluation" (thesis,
 * University of Waterloo, 2010), chapters 3 and 4: two documents are near duplicates when their
 * resemblance reaches a threshold. Bernstein and Zobel, "Redundant documents and search
 * effectiveness" (CIKM 2005): a document is redundant if it is a near duplicate of one that the
 * reader has met before.
 */
#ifndef PARDUP_TOOLS_PREVALENCE_NEAR_H
#define PARDUP_TOOLS_PREVALENCE_NEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/vec.h"

/* One direction of a pair of documents. The order of pairs is that of the members. */
struct pd_near_pair {
    uint64_t doc;
    uint64_t distance; /* ascends as the resemblance falls */
    uint64_t other;
};
PD_VEC(pd_near_pairs, struct pd_near_pair);

/* The pairs of documents 0 to n - 1. A zeroed struct has none. */
struct pd_near {
    struct pd_near_pairs pairs; /* both directions of each pair */
    uint64_t *first;            /* per document: where its pairs begin; one more entry at the end */
    uint64_t *marks;            /* per document: the set that it was last seen in */
    uint64_t mark;              /* number of the set that is being looked at */
};

/* Add a pair of two documents with a resemblance of at least 0. */
void pd_near_push(struct pd_near *near, uint64_t a, uint64_t b, double resemblance);

/* When all pairs of n documents are there: make them ready for the functions below. */
void pd_near_sort(struct pd_near *near, size_t n);

/* How many of n different documents have a near duplicate among them? */
size_t pd_near_count(struct pd_near *near, const uint64_t *docs, size_t n, double least);

/*
 * How many of n different documents, in this order, are near duplicates of one before them?
 * Cost of both counts: the pairs of the documents, at most.
 */
size_t pd_near_redundant(struct pd_near *near, const uint64_t *docs, size_t n, double least);

/*
 * Keep the first of documents that repeat each other: a document is kept unless it is a near
 * duplicate of one that is kept before it.
 *   repeats  receives for each of the n documents the closest kept one that it repeats, or the
 *            document itself if it is kept
 * Returns how many are kept.
 */
size_t pd_near_keep_first(struct pd_near *near, const uint64_t *docs, size_t n, double least,
                          uint64_t *repeats);

void pd_near_release(struct pd_near *near);

#endif

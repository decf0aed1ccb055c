/*
 * join/similarity.h - when two signature sets are similar, and what follows for their sizes.
 *
 * Jaccard, |A and B| / |A or B|: Zhang, Zhang, Yu, Huang, "Efficient Partial-Duplicate Detection
 * Based on Sequence Matching", SIGIR 2010, section 4.2.
 * Overlap, |A and B| / max(|A|, |B|): the qSign-lsh paper, section 2.1, which extends Kim, Candan,
 * Tatemura, "Efficient Overlap and Content Reuse Detection in Blogs and Online News Articles", WWW
 * 2009.
 * Deviation from qSign-lsh: A and B are sets. The index of the paper has the frequency of each word
 * in a sentence and the length of the sentence, so its A and B are bags, as --feature multiset has.
 * Deviation from qSign-lsh: its baseline I, an index of all words (--join index), compares different
 * sentences only, as all joins do (run/stage/similar/tally.c).
 *
 * The similarity, a quotient of doubles, is compared with the threshold tau. Every filter is
 * derived from that comparison, so that no filter disagrees with it when tau is a quotient that
 * occurs (9/10, 2/3).
 */
#ifndef PARDUP_JOIN_SIMILARITY_H
#define PARDUP_JOIN_SIMILARITY_H

#include <stdint.h>

/* When two units match. */
enum pd_join_kind {
    PD_JOIN_EQUAL,   /* their sets are equal: join/classes.h */
    PD_JOIN_JACCARD, /* the Jaccard similarity of their sets reaches tau */
    PD_JOIN_OVERLAP, /* the overlap of their sets reaches tau */
    PD_JOIN_INDEX,   /* as OVERLAP, found by counting what all sets share, whatever it costs */
    PD_JOIN_LSH /* as OVERLAP, if the sets share a bucket: an approximation, pairs may be lost */
};

/*
 * Signatures in the largest set that travels to meetings as a whole (join/similar.h). Pairs with a
 * larger set are found by counting the signatures that they share (join/pair_counter.h).
 */
#define PD_SET_MOST 4096

/*
 * The similarity of sets of n and m signatures, n, m >= 1, with `common` signatures in common. LSH
 * uses the overlap.
 */
static inline double pd_similarity(enum pd_join_kind kind, uint32_t common, uint32_t n, uint32_t m)
{
    const uint32_t whole = kind == PD_JOIN_JACCARD ? n + m - common : n > m ? n : m;
    return (double)common / (double)whole;
}

/*
 * The least number of common signatures with which sets of n and m signatures reach tau. More than
 * min(n, m) if they never do.
 */
uint32_t pd_similarity_least(enum pd_join_kind kind, double tau, uint32_t n, uint32_t m);

/*
 * The size of the smallest set that can be similar to a set of n signatures. It is also the least
 * number of signatures that the set has in common with any similar set. So, in any fixed order of
 * all signatures, two similar sets share one of the first n - smallest + 1 signatures of each set
 * (prefix filter: Chaudhuri, Ganti, Kaushik, "A Primitive Operator for Similarity Joins in Data
 * Cleaning", ICDE 2006).
 */
uint32_t pd_similarity_smallest(double tau, uint32_t n);

#endif

/*
 * join/similarity.h - when two signature sets are similar, and what follows for their sizes.
 *
 * Jaccard |A and B| / |A or B|: Zhang et al., SIGIR 2010, section 4.2. Overlap
 * |A and B| / max(|A|, |B|): the qSign-lsh paper, section 2.1, which extends Kim, Candan, Tatemura,
 * WWW 2009, made symmetric. Thresholds are compared as doubles, quotient against tau, and every filter is derived from that comparison,
 * so that no filter disagrees with it when tau is a fraction that occurs (9/10, 2/3).
 */
#ifndef PARDUP_JOIN_SIMILARITY_H
#define PARDUP_JOIN_SIMILARITY_H

#include <stdbool.h>
#include <stdint.h>

enum pd_join_kind { PD_JOIN_EQUAL, PD_JOIN_JACCARD, PD_JOIN_OVERLAP, PD_JOIN_LSH };

#define PD_SET_MOST 4096 /* signatures; larger sets match identical ones only, and are counted */

/* The similarity of sets of n and m signatures that share `common`; n, m >= 1. LSH: overlap. */
static inline double pd_similarity(enum pd_join_kind kind, uint32_t common, uint32_t n, uint32_t m)
{
    const uint32_t whole = kind == PD_JOIN_JACCARD ? n + m - common : n > m ? n : m;
    return (double)common / (double)whole;
}

/* The least number of common signatures with which sets of n and m reach tau; > min(n, m): never. */
uint32_t pd_similarity_least(enum pd_join_kind kind, double tau, uint32_t n, uint32_t m);

/*
 * The least number that a set of n has in common with any set similar to it, which is also the
 * size of the smallest such set: with fewer of its n signatures shared, no partner reaches tau.
 * So two similar sets share a signature among the first n - least + 1 of each, in any one order
 * (prefix filter: Chaudhuri, Ganti, Kaushik, ICDE 2006).
 */
uint32_t pd_similarity_smallest(double tau, uint32_t n);

#endif

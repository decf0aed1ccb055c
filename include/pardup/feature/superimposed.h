/*
 * feature/superimposed.h - superimposed signatures of sets, and hash functions that sample bits.
 *
 * The qSign-lsh algorithm, section 4.2 of its paper, which extends Kim, Candan, Tatemura,
 * "Efficient Overlap and Content Reuse Detection in Blogs and Online News Articles", WWW 2009. Bit
 * sampling: Gionis, Indyk, Motwani, "Similarity Search in High Dimensions via Hashing", VLDB 1999.
 * Deviations: the paper leaves open how many bits a word sets and how many a function samples. A
 * word sets `weight`, no two at the same place; the number sampled follows from diffbit, see
 * pd_bit_sampling_make. Buckets are 64-bit hashes, not numbers below a table size: only equal samples
 * share one.
 */
#ifndef PARDUP_FEATURE_SUPERIMPOSED_H
#define PARDUP_FEATURE_SUPERIMPOSED_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

#define PD_SUPERIMPOSED_MOST_BITS   64
#define PD_BIT_SAMPLING_MOST_TABLES 64
#define PD_BIT_SAMPLING_TARGET      0.95 /* chance of a pair diffbit apart to meet in some table */

/*
 * Bitwise or of the signatures' own `bits`-bit signatures, in each of which `weight` bits are set.
 *   bits    1 .. PD_SUPERIMPOSED_MOST_BITS
 *   weight  1 .. bits
 */
uint64_t pd_superimposed(const pd_sig *set, size_t n, unsigned bits, unsigned weight);

/* One function a table: the bits it samples. */
struct pd_bit_sampling {
    uint64_t masks[PD_BIT_SAMPLING_MOST_TABLES];
    unsigned n;
};

/*
 * `tables` functions, always the same, of k different bits each: k is the greatest with
 *     1 - (1 - (1 - diffbit/bits)^k)^tables >= PD_BIT_SAMPLING_TARGET
 * and at most `bits`, 1 when there is none. That is the chance of a pair at Hamming distance
 * diffbit to share a bucket when the same bit may be sampled twice; with different bits it is a
 * little less.
 *   bits     1 .. PD_SUPERIMPOSED_MOST_BITS
 *   diffbit  0 .. bits
 *   tables   1 .. PD_BIT_SAMPLING_MOST_TABLES
 */
void pd_bit_sampling_make(struct pd_bit_sampling *s, unsigned bits, unsigned diffbit,
                          unsigned tables);

/* The bucket of a superimposed signature in a table: no bucket belongs to two tables. */
uint64_t pd_bit_sampling_bucket(const struct pd_bit_sampling *s, unsigned table,
                                uint64_t signature);

#endif

/*
 * feature/superimposed.h - superimposed signatures of sets, and hash functions that sample bits.
 *
 * The qSign-lsh algorithm, section 4.2 of its paper, which extends Kim, Candan, Tatemura,
 * "Efficient Overlap and Content Reuse Detection in Blogs and Online News Articles", WWW 2009. Bit
 * sampling: Gionis, Indyk, Motwani, "Similarity Search in High Dimensions via Hashing", VLDB 1999.
 * Deviation from qSign-lsh: a word sets `weight` different bits, and the number of sampled bits
 * follows from diffbit, see pd_bit_sampling_make. The paper leaves both open.
 * Deviation from qSign-lsh: a bucket is a 64-bit hash, not a number below a table size, so
 * signatures share a bucket only if their sampled bits are equal.
 */
#ifndef PARDUP_FEATURE_SUPERIMPOSED_H
#define PARDUP_FEATURE_SUPERIMPOSED_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

#define PD_SUPERIMPOSED_MOST_BITS   64
#define PD_BIT_SAMPLING_MOST_TABLES 64
/* The probability with which a pair at Hamming distance diffbit should share some bucket. */
#define PD_BIT_SAMPLING_TARGET 0.95

/*
 * The superimposed signature of a set: each of its n signatures sets `weight` of `bits` bits, and
 * the result is the bitwise or of them all. Deterministic.
 *   bits    1 .. PD_SUPERIMPOSED_MOST_BITS
 *   weight  1 .. bits
 */
uint64_t pd_superimposed(const pd_sig *set, size_t n, unsigned bits, unsigned weight);

/* The hash functions of bit sampling, one for each table. */
struct pd_bit_sampling {
    uint64_t masks[PD_BIT_SAMPLING_MOST_TABLES]; /* the bits that each function samples */
    unsigned n;                                  /* tables */
};

/*
 * Choose `tables` functions that sample k different bits each. The choice depends on the arguments
 * only. k is the greatest number, at most `bits`, with
 *     1 - (1 - (1 - diffbit/bits)^k)^tables >= PD_BIT_SAMPLING_TARGET
 * or 1 if no number fulfils it. The left side is the probability that a pair at Hamming distance
 * diffbit shares a bucket if the same bit may be sampled twice. With different bits the
 * probability is a little lower.
 *   bits     1 .. PD_SUPERIMPOSED_MOST_BITS
 *   diffbit  0 .. bits
 *   tables   1 .. PD_BIT_SAMPLING_MOST_TABLES
 */
void pd_bit_sampling_make(struct pd_bit_sampling *s, unsigned bits, unsigned diffbit,
                          unsigned tables);

/* The bucket of a superimposed signature in a table. Each table has buckets of its own. */
uint64_t pd_bit_sampling_bucket(const struct pd_bit_sampling *s, unsigned table,
                                uint64_t signature);

#endif

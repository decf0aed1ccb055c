/*
 * run/job/dedup/word_bits.h - a set of words as a bitmap, which also has some words that are not in
 * it.
 *
 * Source: Burton Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 13 (7),
 * 1970; here with one hash function, because sentences have many words.
 */
#ifndef PARDUP_RUN_DEDUP_WORD_BITS_H
#define PARDUP_RUN_DEDUP_WORD_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pardup/base/bytes.h"

struct pd_word_bits {
    struct pd_bytes v;
    unsigned log; /* of the number of bits */
};

/* The log of the bits of a set for up to n words, with at least `per_word` bits for each. */
static inline unsigned pd_word_bits_log(size_t n, size_t per_word)
{
    unsigned log = 6; /* bits that fill a 64-bit number */
    while (((size_t)1 << log) / per_word < n)
        log++;
    return log;
}

/* Make an empty set for up to n words. */
static inline void pd_word_bits_begin(struct pd_word_bits *b, size_t n, size_t per_word)
{
    b->log = pd_word_bits_log(n, per_word);
    b->v.n = (size_t)1 << b->log >> 3;
    pd_bytes_reserve(&b->v, b->v.n);
    memset(b->v.v, 0, b->v.n);
}

static inline size_t pd_word_bit(unsigned log, uint64_t term)
{
    return (size_t)(term * 0x9e3779b97f4a7c15u >> (64 - log));
}

static inline void pd_word_bits_add(struct pd_word_bits *b, uint64_t term)
{
    const size_t bit = pd_word_bit(b->log, term);
    b->v.v[bit >> 3] |= (unsigned char)(1u << (bit & 7));
}

/* A set that is asked only: its bits may lie anywhere. */
struct pd_word_set {
    const unsigned char *v;
    unsigned log; /* of the number of bits */
};

/* False: the set does not have the word. */
static inline bool pd_word_set_may_have(struct pd_word_set set, uint64_t term)
{
    const size_t bit = pd_word_bit(set.log, term);
    return set.v[bit >> 3] >> (bit & 7) & 1;
}

#endif

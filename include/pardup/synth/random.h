/*
 * synth/random.h - random numbers that are a function of what they are for.
 *
 * There is no state to carry from document to document: the key says seed, purpose, document and
 * sentence, so that any rank makes any document alone and gets the same bytes.
 */
#ifndef PARDUP_SYNTH_RANDOM_H
#define PARDUP_SYNTH_RANDOM_H

#include "pardup/base/hash.h"

#define PD_SYNTH_STEP UINT64_C(0x9E3779B97F4A7C15) /* 2^64 over the golden ratio, odd */

/* What a number is for: equal counters under different purposes are independent. */
enum pd_synth_purpose {
    PD_SYNTH_SCATTER, /* a document's place among the others */
    PD_SYNTH_LENGTH,
    PD_SYNTH_HOST,
    PD_SYNTH_GROUP,
    PD_SYNTH_MEMBER,
    PD_SYNTH_RUN,
    PD_SYNTH_COPY,
    PD_SYNTH_WORDS,
    PD_SYNTH_EDIT,
    PD_SYNTH_SITE,
    PD_SYNTH_PAGE,
    PD_SYNTH_COMMON
};

static inline uint64_t pd_synth_key(uint64_t seed, enum pd_synth_purpose purpose, uint64_t a,
                                    uint64_t b)
{
    const uint64_t h = pd_mix(seed + ((uint64_t)purpose + 1) * PD_SYNTH_STEP);
    return pd_mix(pd_mix(h + a * PD_SYNTH_STEP) + b * PD_SYNTH_STEP);
}

/* A stream of numbers under one key (splitmix64). */
struct pd_synth_random {
    uint64_t at;
};

static inline uint64_t pd_synth_next(struct pd_synth_random *r)
{
    return pd_mix(r->at += PD_SYNTH_STEP);
}

static inline uint32_t pd_synth_below(struct pd_synth_random *r, uint32_t n)
{
    return (uint32_t)((pd_synth_next(r) >> 32) * n >> 32);
}

/* In [0, 1). */
static inline double pd_synth_unit(struct pd_synth_random *r)
{
    return (double)(pd_synth_next(r) >> 11) * 0x1p-53;
}

/* A random permutation of [0, n) and its inverse: a Feistel network, walked until inside. */
uint64_t pd_synth_permute(uint64_t key, uint64_t n, uint64_t x);
uint64_t pd_synth_unpermute(uint64_t key, uint64_t n, uint64_t y);

/*
 * The x-th of n draws in (0, 1), one from the middle of each n-th part: shares come out as asked,
 * not only on average.
 */
static inline double pd_synth_stratum(uint64_t key, uint64_t n, uint64_t x)
{
    return ((double)pd_synth_permute(key, n, x) + 0.5) / (double)n;
}

/* The value below which a standard normal variable falls with probability u, 0 < u < 1. */
double pd_synth_normal(double u);

#endif

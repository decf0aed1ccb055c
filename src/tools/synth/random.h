/*
 * tools/synth/random.h - random numbers that depend only on what they are used for.
 *
 * A key is made of seed, purpose, document and sentence. No state is carried from document to
 * document, so any rank can make any document alone and gets the same bytes.
 */
#ifndef PARDUP_TOOLS_SYNTH_RANDOM_H
#define PARDUP_TOOLS_SYNTH_RANDOM_H

#include "pardup/base/hash.h"

#define PD_SYNTH_STEP UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / golden ratio; odd */

/* What a random number is used for. Numbers for different purposes are independent. */
enum pd_synth_purpose {
    PD_SYNTH_SCATTER, /* the slot of a document */
    PD_SYNTH_LENGTH,  /* sentences of an independent page */
    PD_SYNTH_HOST,    /* the host of a page */
    PD_SYNTH_GROUP,   /* the size and the length of a group */
    PD_SYNTH_MEMBER,  /* parent and host of a near duplicate */
    PD_SYNTH_RUN,     /* sentences of a partial copy */
    PD_SYNTH_COPY,    /* parent and position of a partial copy */
    PD_SYNTH_WORDS,   /* the words of a sentence */
    PD_SYNTH_EDIT,    /* what happens to a sentence when it is copied */
    PD_SYNTH_SITE,    /* the template and the name of a host */
    PD_SYNTH_PAGE,    /* headline and data of a page */
    PD_SYNTH_COMMON   /* the common sentences, and which page has which */
};

/*
 * The key for a purpose. `a` and `b` are numbers that name the thing, such as slot and sentence.
 */
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

/* The next 64 random bits. */
static inline uint64_t pd_synth_next(struct pd_synth_random *r)
{
    return pd_mix(r->at += PD_SYNTH_STEP);
}

/* The next number in [0, n). */
static inline uint32_t pd_synth_below(struct pd_synth_random *r, uint32_t n)
{
    return (uint32_t)((pd_synth_next(r) >> 32) * n >> 32);
}

/* The next number in [0, 1). */
static inline double pd_synth_unit(struct pd_synth_random *r)
{
    return (double)(pd_synth_next(r) >> 11) * 0x1p-53;
}

/*
 * A random permutation of [0, n), and its inverse. It is a Feistel network on the next power of 4;
 * where it leaves [0, n), it is applied again until the result is inside.
 */
uint64_t pd_synth_permute(uint64_t key, uint64_t n, uint64_t x);
uint64_t pd_synth_unpermute(uint64_t key, uint64_t n, uint64_t y);

/*
 * The x-th of n random numbers in (0, 1). The n numbers are the middles of n equal intervals, in
 * random order, so shares come out exactly and not only on average.
 */
static inline double pd_synth_stratum(uint64_t key, uint64_t n, uint64_t x)
{
    return ((double)pd_synth_permute(key, n, x) + 0.5) / (double)n;
}

/* The quantile u of the standard normal distribution, 0 < u < 1. */
double pd_synth_normal(double u);

#endif

/* tests/support/pd_random.h - random numbers that are the same in every run. */
#ifndef PD_RANDOM_H
#define PD_RANDOM_H

#include <stdint.h>

#include "pardup/base/hash.h"

static inline uint64_t pd_random(uint64_t *seed)
{
    *seed += 0x9E3779B97F4A7C15u;
    return pd_mix(*seed);
}

static inline uint32_t pd_random_below(uint64_t *seed, uint32_t n)
{
    return (uint32_t)((pd_random(seed) >> 32) * n >> 32);
}

#endif

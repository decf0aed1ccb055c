/* tools/synth/random.c - see src/tools/synth/random.h */
#include "random.h"

#include <math.h>

enum { ROUNDS = 4 }; /* of the Feistel network */

/* The bits of each half of the network: at least 1, and both halves together hold n - 1. */
static unsigned half_bits(uint64_t n)
{
    unsigned bits = 1;
    while (bits < 32 && n > UINT64_C(1) << 2 * bits)
        bits++;
    return bits;
}

static uint64_t forward(uint64_t key, unsigned bits, uint64_t x)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t left = x >> bits, right = x & mask;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const uint64_t old = right;
        right = left ^ (pd_mix(key + (right << 3 | round)) & mask);
        left = old;
    }
    return left << bits | right;
}

static uint64_t backward(uint64_t key, unsigned bits, uint64_t y)
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint64_t left = y >> bits, right = y & mask;
    for (uint64_t round = ROUNDS; round-- > 0;) {
        const uint64_t old = left;
        left = right ^ (pd_mix(key + (left << 3 | round)) & mask);
        right = old;
    }
    return left << bits | right;
}

uint64_t pd_synth_permute(uint64_t key, uint64_t n, uint64_t x)
{
    const unsigned bits = half_bits(n);
    do
        x = forward(key, bits, x);
    while (x >= n);
    return x;
}

uint64_t pd_synth_unpermute(uint64_t key, uint64_t n, uint64_t y)
{
    const unsigned bits = half_bits(n);
    do
        y = backward(key, bits, y);
    while (y >= n);
    return y;
}

double pd_synth_normal(double u)
{
    double lo = -9, hi = 9; /* outside, the distribution function is 0 or 1 in double precision */
    for (int step = 0; step < 50; step++) {
        const double mid = (lo + hi) / 2;
        if (erfc(-mid * M_SQRT1_2) / 2 < u)
            lo = mid;
        else
            hi = mid;
    }
    return (lo + hi) / 2;
}

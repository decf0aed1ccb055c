/*
 * index/rice.h - Rice codes, for numbers of which most are small.
 *
 * Source: Rice, "Some practical universal noiseless coding techniques", JPL 79-22, 1979. The code
 * of x with parameter k has a head, x >> k ones and a zero, and a tail, the low k bits of x.
 * Deviation: PD_RICE_ONES ones are a whole head. The whole number follows as its tail, in `raw`
 * bits, so no code is longer than PD_RICE_ONES + raw bits.
 *
 * The low bit of a head or tail comes first. A caller stores them as its file asks for.
 */
#ifndef PARDUP_INDEX_RICE_H
#define PARDUP_INDEX_RICE_H

#include <stdint.h>

enum { PD_RICE_ONES = 24 };

struct pd_rice_code {
    uint64_t head, tail;
    unsigned head_bits, tail_bits;
};

/* The code of x < 2^raw. */
static inline struct pd_rice_code pd_rice_code(uint64_t x, unsigned k, unsigned raw)
{
    const uint64_t ones = x >> k;
    if (ones >= PD_RICE_ONES)
        return (struct pd_rice_code){(UINT64_C(1) << PD_RICE_ONES) - 1, x, PD_RICE_ONES, raw};
    return (struct pd_rice_code){(UINT64_C(1) << ones) - 1, x & ((UINT64_C(1) << k) - 1),
                                 (unsigned)ones + 1, k};
}

/* A head that was read: the number is `high` + its tail. */
struct pd_rice_head {
    uint64_t high;
    unsigned head_bits, tail_bits;
};

/* The head that `bits` begin with. Of more than PD_RICE_ONES ones, the first ones are a head. */
static inline struct pd_rice_head pd_rice_head(uint64_t bits, unsigned k, unsigned raw)
{
    const unsigned ones = (unsigned)__builtin_ctzll(~bits | UINT64_C(1) << PD_RICE_ONES);
    if (ones == PD_RICE_ONES)
        return (struct pd_rice_head){0, ones, raw};
    return (struct pd_rice_head){(uint64_t)ones << k, ones + 1, k};
}

#endif

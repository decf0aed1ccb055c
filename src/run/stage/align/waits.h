/*
 * run/stage/align/waits.h - where a passage or region waits for the reply to its request.
 *
 * It is known by the rank at which it waits, and by its index among all that wait there. Both go
 * into one number, which the request carries and the reply brings back: rank 2, index 5 is
 * 2 * 2^40 + 5. Replies sorted by it come in the order in which requests were made. Used by
 * visit*.c (passages) and refine.c (regions).
 */
#ifndef PARDUP_RUN_ALIGN_WAITS_H
#define PARDUP_RUN_ALIGN_WAITS_H

#include <stdint.h>

#include "pardup/base/error.h"

enum { PD_WAITS_BITS = 40 }; /* low bits, which hold the index */

static inline uint64_t pd_waits_at(int rank, uint64_t index)
{
    PD_CHECK(index >> PD_WAITS_BITS == 0);
    return (uint64_t)rank << PD_WAITS_BITS | index;
}
static inline int pd_waits_rank(uint64_t waits_at) { return (int)(waits_at >> PD_WAITS_BITS); }
/* An owner for flows: the rank at which the passage of a record waits, whose second u64 says where. */
static inline int pd_to_waiting(const void *rec, int nranks, void *ctx)
{
    (void)nranks, (void)ctx;
    return pd_waits_rank(((const uint64_t *)rec)[1]);
}
static inline uint64_t pd_waits_index(uint64_t waits_at)
{
    return waits_at & (((uint64_t)1 << PD_WAITS_BITS) - 1);
}

#endif

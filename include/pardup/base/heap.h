/*
 * base/heap.h - the k largest of many numbers, in memory for k.
 */
#ifndef PARDUP_BASE_HEAP_H
#define PARDUP_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/vec.h"

PD_VEC(pd_heap_numbers, uint64_t);

/* The largest numbers so far. Zeroed but for `limit` is empty. */
struct pd_heap {
    size_t limit; /* numbers to keep at most */
    struct pd_heap_numbers
        kept; /* a binary heap, smallest on top; borrow freely, in no order a caller may rely on */
};

/* Offer a number: it is kept if fewer than `limit` are kept or it is larger than the smallest. O(log limit). */
void pd_heap_offer(struct pd_heap *h, uint64_t number);

/* How many of the kept numbers are at least `least`. O(limit). */
size_t pd_heap_count(const struct pd_heap *h, uint64_t least);

void pd_heap_release(struct pd_heap *h);

#endif

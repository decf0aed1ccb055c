/* base/heap.h - the k largest of many numbers, with memory for k numbers. */
#ifndef PARDUP_BASE_HEAP_H
#define PARDUP_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/vec.h"

PD_VEC(pd_heap_numbers, uint64_t);

/* The largest numbers of all that were offered. It is empty if all members but `limit` are zero. */
struct pd_heap {
    size_t limit;                /* most numbers that are kept; 0: none */
    struct pd_heap_numbers kept; /* a binary heap with the smallest number on top, for reading */
};

/*
 * Offer a number. It is kept if fewer than `limit` numbers are kept, or in place of the smallest
 * one if it is larger. O(log limit).
 */
void pd_heap_offer(struct pd_heap *h, uint64_t number);

/* How many kept numbers are at least `least`. O(limit). */
size_t pd_heap_count(const struct pd_heap *h, uint64_t least);

/* Free the memory and zero the heap, also its limit. */
void pd_heap_release(struct pd_heap *h);

#endif

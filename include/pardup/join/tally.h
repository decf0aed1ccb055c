/*
 * join/tally.h - a counter for each number that occurs: how many partners each class has.
 */
#ifndef PARDUP_JOIN_TALLY_H
#define PARDUP_JOIN_TALLY_H

#include <stddef.h>
#include <stdint.h>

/* A hash table with open addressing. A zeroed struct is empty. */
struct pd_tally {
    struct pd_tally_slot {
        uint64_t number;
        uint64_t n; /* the count; 0: the slot is free */
    } * slots;
    size_t nslots; /* a power of two, or 0 */
    size_t used;   /* slots in use, at most half of nslots */
};

/* The most bytes that a table with `used` slots in use takes, also while it grows. */
#define PD_TALLY_BYTES(used) (6 * (used) * sizeof(struct pd_tally_slot))

/* Add 1 to the count of `number` and return it. Amortised O(1). */
uint64_t pd_tally_count(struct pd_tally *t, uint64_t number);

void pd_tally_release(struct pd_tally *t);

#endif

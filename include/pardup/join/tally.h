/*
 * join/tally.h - counts by number: how many partners each class has.
 */
#ifndef PARDUP_JOIN_TALLY_H
#define PARDUP_JOIN_TALLY_H

#include <stddef.h>
#include <stdint.h>

/* Open addressing; zeroed is empty. */
struct pd_tally {
    struct pd_tally_slot {
        uint64_t number;
        uint64_t n; /* 0: free */
    } * slots;
    size_t nslots, used; /* a power of two; of them at most a half */
};

/* Bytes that a table with so many in use takes at most, while it grows. */
#define PD_TALLY_BYTES(used) (6 * (used) * sizeof(struct pd_tally_slot))

/* Add 1 to the count of `number` and return it. Amortised O(1). */
uint64_t pd_tally_count(struct pd_tally *t, uint64_t number);

void pd_tally_release(struct pd_tally *t);

#endif

/*
 * base/recurring.h - which hashes occur again.
 *
 * A table of two bits a slot: one if a hash of the slot was met, both if a second one was met. A
 * hash that was met twice is always said to recur. A hash that was met once is said to recur if
 * another hash of its slot was met: of n hashes in m slots, about n / m of them.
 */
#ifndef PARDUP_BASE_RECURRING_H
#define PARDUP_BASE_RECURRING_H

#include <stdbool.h>
#include <stdint.h>

enum { PD_RECURRING_SLOTS = 32 }; /* slots of a u64 */

/* A zeroed struct is a closed table. */
struct pd_recurring {
    uint64_t *v;     /* allocated */
    uint64_t nslots; /* a multiple of PD_RECURRING_SLOTS */
};

/* Open a table of at least `nslots` > 0 slots: a quarter of a byte each. Panics without memory. */
void pd_recurring_open(struct pd_recurring *r, uint64_t nslots);
void pd_recurring_close(struct pd_recurring *r);

/* The slot of a hash: its high bits decide. */
static inline uint64_t pd_recurring_slot(const struct pd_recurring *r, uint64_t hash)
{
    return (uint64_t)((unsigned __int128)hash * r->nslots >> 64);
}

static inline void pd_recurring_meet(struct pd_recurring *r, uint64_t hash)
{
    const uint64_t slot = pd_recurring_slot(r, hash);
    const unsigned shift = 2 * (slot % PD_RECURRING_SLOTS);
    uint64_t *word = &r->v[slot / PD_RECURRING_SLOTS];
    *word |= (*word >> shift & 1 ? UINT64_C(2) : UINT64_C(1)) << shift;
}

/* Does the hash recur among the hashes that were met? It may be said of one that does not. */
static inline bool pd_recurring_has(const struct pd_recurring *r, uint64_t hash)
{
    const uint64_t slot = pd_recurring_slot(r, hash);
    return r->v[slot / PD_RECURRING_SLOTS] >> 2 * (slot % PD_RECURRING_SLOTS) & 2;
}

#endif

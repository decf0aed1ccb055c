/*
 * join/counter.h - counts signatures in little memory; a signature may get several counts.
 *
 * The first bits of a signature choose the slot in which it is counted. If the slot is occupied by
 * a different signature, that signature's count leaves the counter. A frequent signature may
 * therefore leave as several counts, whose sum is its number of occurrences.
 */
#ifndef PARDUP_JOIN_COUNTER_H
#define PARDUP_JOIN_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

enum {
    PD_COUNTER_BITS = 14,                   /* first bits of a signature that choose its slot */
    PD_COUNTER_SLOTS = 1 << PD_COUNTER_BITS /* slots */
};

/* A slot: a signature and how often it was counted. */
struct pd_sig_count {
    pd_sig sig; /* the signature */
    uint64_t n; /* the count; 0: the slot is free */
};

/* A counter: a hash table of fixed size. */
struct pd_sig_counter {
    struct pd_sig_count *slots; /* PD_COUNTER_SLOTS slots */
    size_t flushed;             /* slots, from the first on, that pd_sig_counter_flush has passed */
};

/* Make an empty counter. The caller releases it. */
void pd_sig_counter_init(struct pd_sig_counter *c);
void pd_sig_counter_release(struct pd_sig_counter *c);

/* Set all counts to 0. */
void pd_sig_counter_clear(struct pd_sig_counter *c);

/*
 * Count `sig` `times` times, > 0. True: the count of another signature had to leave, into *left.
 * O(1).
 */
static inline bool pd_sig_counter_add(struct pd_sig_counter *c, pd_sig sig, uint64_t times,
                                      struct pd_sig_count *left)
{
    struct pd_sig_count *slot = &c->slots[sig >> (64 - PD_COUNTER_BITS)];
    bool leaves = false;
    if (slot->sig != sig) {
        *left = *slot;
        leaves = slot->n > 0;
        *slot = (struct pd_sig_count){.sig = sig};
    }
    slot->n += times;
    return leaves;
}

/*
 * Take out the next count, into *left, after the last signature was counted. False: there are no
 * more. Before signatures can be counted again, the counter must be cleared.
 */
bool pd_sig_counter_flush(struct pd_sig_counter *c, struct pd_sig_count *left);

#endif

/*
 * join/counter.h - counts signatures in little memory: neighbours that are equal leave as one count.
 *
 * A signature is counted in the one slot its first bits choose. A different signature that wants the slot makes the
 * count leave, so a frequent signature may leave as several counts. Their sum is right.
 */
#ifndef PARDUP_JOIN_COUNTER_H
#define PARDUP_JOIN_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/record.h"

enum { PD_COUNTER_BITS = 14, PD_COUNTER_SLOTS = 1 << PD_COUNTER_BITS };

struct pd_sig_count {
    pd_sig sig;
    uint64_t n; /* 0: the slot is free */
};

struct pd_sig_counter {
    struct pd_sig_count *slots; /* PD_COUNTER_SLOTS */
    size_t flushed;             /* slots that pd_sig_counter_flush has emptied */
};

void pd_sig_counter_init(struct pd_sig_counter *c); /* release in the end */
void pd_sig_counter_release(struct pd_sig_counter *c);

/* All counts are 0 again. */
void pd_sig_counter_clear(struct pd_sig_counter *c);

/* Count `sig` once. True: another signature's count had to leave, to *left. O(1). */
static inline bool pd_sig_counter_add(struct pd_sig_counter *c, pd_sig sig,
                                      struct pd_sig_count *left)
{
    struct pd_sig_count *slot = &c->slots[sig >> (64 - PD_COUNTER_BITS)];
    bool leaves = false;
    if (slot->sig != sig) {
        *left = *slot;
        leaves = slot->n > 0;
        *slot = (struct pd_sig_count){.sig = sig};
    }
    slot->n++;
    return leaves;
}

/* No more signatures are counted until the next clear: take the next count out. False: there are no more. */
bool pd_sig_counter_flush(struct pd_sig_counter *c, struct pd_sig_count *left);

#endif

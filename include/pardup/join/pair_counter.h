/*
 * join/pair_counter.h - counts the signatures that pairs of sets share, in bounded memory.
 *
 * The direct way to similar sets: the sets that have a signature are listed, and each two of them
 * share it. Nikkhoo, "The impact of near-duplicate documents on information retrieval evaluation",
 * thesis, University of Waterloo 2010, section 3.1.1. It costs a step for each two sets that share
 * a signature, whatever the threshold and however large the sets are.
 * Deviation from Nikkhoo: counts are added up before they are sent. A pair may get several counts,
 * whose sum is the number of signatures that it shares.
 * Deviation from Nikkhoo: with --sct, common signatures are lost to the sets as well as to the
 * pairs, so a resemblance can also rise. The thesis counts the sizes of the sets before it applies
 * the threshold; there it can only fall, and two copies with a common footer do not reach 1.
 */
#ifndef PARDUP_JOIN_PAIR_COUNTER_H
#define PARDUP_JOIN_PAIR_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/hash.h"

/* A count of the signatures that the sets of classes x < y share. Order: x, y. */
struct pd_pair_count {
    uint64_t x, y;
    uint32_t nx, ny; /* signatures in the two sets */
    uint64_t n;      /* the count; 0: the slot is free */
};

/* A counter: a hash table of fixed size. */
struct pd_pair_counter {
    struct pd_pair_count *slots;
    unsigned bits;  /* there are 2^bits slots */
    size_t flushed; /* slots, from the first on, that pd_pair_counter_flush has passed */
};

/*
 * Make an empty counter of at most `bytes` bytes, with two slots at least. The caller releases it.
 */
void pd_pair_counter_init(struct pd_pair_counter *c, uint64_t bytes);
void pd_pair_counter_release(struct pd_pair_counter *c);

/*
 * Count one signature that a pair shares; pair->n is not read. True: the count of another pair had
 * to leave, into *left. O(1).
 */
static inline bool pd_pair_counter_add(struct pd_pair_counter *c, const struct pd_pair_count *pair,
                                       struct pd_pair_count *left)
{
    const uint64_t hash = pd_mix(pair->x * UINT64_C(0x9E3779B97F4A7C15) + pair->y);
    struct pd_pair_count *slot = &c->slots[hash >> (64 - c->bits)];
    if (slot->n && slot->x == pair->x && slot->y == pair->y) {
        slot->n++;
        return false;
    }
    *left = *slot;
    *slot = *pair;
    slot->n = 1;
    return left->n > 0;
}

/*
 * Take out the next count, into *left, after the last pair was counted. False: there are no more.
 */
bool pd_pair_counter_flush(struct pd_pair_counter *c, struct pd_pair_count *left);

#endif

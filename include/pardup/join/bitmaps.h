/*
 * join/bitmaps.h - which sets of a list can be similar, by a bitmap of each set.
 *
 * A bit of a bitmap is set if some key of the set falls on it. Each bit that only one of two sets
 * has stands for at least one key that the other set lacks, so the bits that both have bound the
 * number of common keys from above (bitmap filter: Sandes, Teodoro, Melo, "Bitmap filter: speeding
 * up exact set similarity joins with bitwise operations", Information Systems 88, 2020).
 * Deviation from Bitmap filter: a bitmap holds only the keys behind a meeting, where the pair's
 * other common keys are, and keys that fall on one bit are counted.
 */
#ifndef PARDUP_JOIN_BITMAPS_H
#define PARDUP_JOIN_BITMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/vec.h"

enum {
    PD_BITMAP_U64S = 4,  /* u64s of a bitmap: 256 bits */
    PD_NOTICE_BITS = 128 /* bits of a bitmap that was folded for a notice (join/similar.h) */
};

PD_VEC(pd_u32s, uint32_t);

/* Sizes of a set, and its keys hashed to bits. */
struct pd_bitmap {
    uint64_t bits[PD_BITMAP_U64S]; /* a bit is set if a key behind the meeting falls on it */
    uint32_t nset;                 /* signatures in the set */
    uint32_t rest;                 /* keys behind the meeting */
    uint32_t hidden;               /* keys behind the meeting, less the bits that are set */
    uint32_t unused;               /* 0: names the padding */
};
PD_VEC(pd_bitmaps, struct pd_bitmap);

/*
 * The bitmap of a set.
 *   keys  the `rest` keys of the set behind the meeting
 *   nset  signatures in the set
 */
struct pd_bitmap pd_bitmap_of(const uint64_t *keys, uint32_t rest, uint32_t nset);

/*
 * Fold the bits of a bitmap on to PD_NOTICE_BITS bits; and the bitmap of a set when only the folded
 * bits are known. The other parameters are as for pd_bitmap_of().
 *   bits  PD_NOTICE_BITS / 64 u64s
 */
void pd_bitmap_fold(const struct pd_bitmap *b, uint64_t *bits);
struct pd_bitmap pd_bitmap_unfold(const uint64_t *bits, uint32_t rest, uint32_t nset);

/* A list of sets that have `depth` common keys up to the meeting. */
struct pd_bitmap_list {
    const struct pd_bitmap *v; /* the bitmaps; borrowed */
    bool folded;               /* all bitmaps come from pd_bitmap_unfold() */
    uint32_t depth;            /* keys that all sets of the list have in common */
    /*
     * Common keys that set k must have with a set of n signatures to be similar: least[n * step].
     * Borrowed.
     */
    const uint32_t *least;
    uint32_t step; /* entries of `least` from one size to the next */
};

/*
 * List the sets among [from, k) of a list that can be similar to set k.
 *   kept   set to their indices, ascending; has room for k - from
 *   sized  grows by the number of sets that are not ruled out by sizes alone
 * Returns the number of indices.
 */
size_t pd_bitmaps_pass(const struct pd_bitmap_list *list, size_t from, size_t k, uint32_t *kept,
                       uint64_t *sized);

#endif

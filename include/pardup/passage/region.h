/*
 * passage/region.h - the regions of one document pair: where dots lie close together.
 *
 * Two dots (i, j) and (k, l) are close if |i - k| <= gap and |j - l| <= gap, so their order does
 * not matter: text whose words were moved about makes one region. A region is a component of close
 * dots in which more than gamma units of a match. Passages are found in it by passage/refine.h.
 * Source: the extension step of Sanchez-Perez, Sidorov, Gelbukh, "A Winning Approach to Text
 * Alignment for Text Reuse Detection at PAN 2014", CLEF 2014.
 * Deviation from Sanchez-Perez: dots are pairs of words, and the gap is the same for all pairs.
 */
#ifndef PARDUP_PASSAGE_REGION_H
#define PARDUP_PASSAGE_REGION_H

#include <stddef.h>

#include "pardup/base/record.h"
#include "pardup/passage/pair_dots.h"

/* Buffers that are reused from pair to pair. A zeroed struct is empty; release it in the end. */
struct pd_regions {
    struct pd_u64s listed; /* the dots of all blocks */
    struct pd_u64s dots;   /* the different dots */
    struct pd_u64s roots;  /* for each dot, a dot of its component that comes no later */
    struct pd_u64s last;   /* for each cell of units of b, 1 + its last dot; zeroes between calls */
    struct pd_u64s before; /* for each dot, 1 + the dot before it in its cell, or 0 */
    struct pd_u64s places; /* for the first dot of each component, its index in `out` */
};

/*
 * Append the regions of a pair to `out`, in order of (start_a, start_b, length_a, length_b). A
 * region is a struct pd_passage: its units lie between its outermost dots, `matched` is the
 * number of its different units of a, and its similarity is 1.
 *   gamma  matched units of a; a region with exactly gamma is dropped
 *   gap    units
 * Cannot fail. Time: O(n) for most pairs; O(n m) at worst, where m dots at most lie in gap + 1
 * consecutive units of a.
 */
void pd_regions_find(struct pd_regions *r, const struct pd_pair_dots *pair, uint32_t gamma,
                     uint32_t gap, struct pd_passages *out);
void pd_regions_release(struct pd_regions *r);

#endif

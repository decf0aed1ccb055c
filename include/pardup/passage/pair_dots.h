/*
 * passage/pair_dots.h - the dots of one document pair, as passages are found in them.
 *
 * passage/pairing.h makes them; passage/diagonal.h, best.h and region.h find passages in them.
 */
#ifndef PARDUP_PASSAGE_PAIR_DOTS_H
#define PARDUP_PASSAGE_PAIR_DOTS_H

#include <stddef.h>

#include "pardup/base/record.h"

/*
 * Either dots or blocks, n of them; borrowed. n > 0, unless there is `brief`. A dot that is there
 * several times counts once. Blocks come in any order, with similarities in (0, 1]; a dot that is
 * in several blocks has the same similarity in all of them.
 */
struct pd_pair_dots {
    pd_doc a, b;          /* the first and the second document */
    const uint64_t *dots; /* dots pd_ij(i, j) of identical units, ascending; NULL: blocks */
    const struct pd_block *const *blocks; /* if `dots` is NULL */
    size_t n;
    const struct pd_brief *brief; /* borrowed; NULL: the documents share no text as brief ones */
};

/* Join what two parts of a pair say about its text: some first and last units may lack in a part. */
static inline void pd_brief_join(struct pd_brief *to, const struct pd_brief *part)
{
    to->first_a = part->first_a < to->first_a ? part->first_a : to->first_a;
    to->last_a = part->last_a > to->last_a ? part->last_a : to->last_a;
    to->first_b = part->first_b < to->first_b ? part->first_b : to->first_b;
    to->last_b = part->last_b > to->last_b ? part->last_b : to->last_b;
}

#endif

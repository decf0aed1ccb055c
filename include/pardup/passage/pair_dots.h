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
 * Either dots or blocks, n > 0 of them; borrowed. A dot that is there several times counts once.
 * Blocks come in any order, with similarities in (0, 1]; a dot that is in several blocks has the
 * same similarity in all of them.
 */
struct pd_pair_dots {
    pd_doc a, b;          /* the first and the second document */
    const uint64_t *dots; /* dots pd_ij(i, j) of identical units, ascending; NULL: blocks */
    const struct pd_block *const *blocks; /* if `dots` is NULL */
    size_t n;
};

#endif

/* passage/pair.h - what the passages of a document pair say about the pair. */
#ifndef PARDUP_PASSAGE_PAIR_H
#define PARDUP_PASSAGE_PAIR_H

#include <stddef.h>

#include "pardup/base/row.h"

/*
 * Sum up the `n` > 0 rows of one pair, in order of their starts in a. `scratch` is reordered freely
 * and has room for n words. O(n log n).
 */
struct pd_pair pd_pair_of(const struct pd_row *rows, size_t n, uint64_t *scratch);

#endif

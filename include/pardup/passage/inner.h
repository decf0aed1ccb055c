/* passage/inner.h - passages that lie inside others of the same pair once edges are extended far. */
#ifndef PARDUP_PASSAGE_INNER_H
#define PARDUP_PASSAGE_INNER_H

#include <stddef.h>

#include "pardup/base/row.h"

struct pd_inner_key {
    uint64_t a, b, at;
};
PD_VEC(pd_inner_keys, struct pd_inner_key);

/*
 * Drop the rows of one pair whose bytes lie, in both documents, within those of another row; of
 * equal ones the first stays. The others keep their order. Returns how many are left.
 * Only the PD_INNER_REACH rows that begin last before a row are looked at: in a block of repeats all
 * passages overlap, and comparing all with all would be quadratic.
 *   keys    room that is reused from pair to pair
 */
#define PD_INNER_REACH 64
size_t pd_inner_drop(struct pd_row *rows, size_t n, struct pd_inner_keys *keys);

#endif

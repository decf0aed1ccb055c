/* passage/inner.h - drop passages that lie inside another passage of the same pair. */
#ifndef PARDUP_PASSAGE_INNER_H
#define PARDUP_PASSAGE_INNER_H

#include <stddef.h>

#include "pardup/base/row.h"

/*
 * The sort key of row number `at`: its bytes in documents a and b, see order_of in inner.c, and the
 * complement of its matched units.
 */
struct pd_inner_key {
    uint64_t a, b, unmatched, at;
};
PD_VEC(pd_inner_keys, struct pd_inner_key);
#define PD_INNER_KEY_U64S 4

/*
 * Drop each row of one pair whose bytes lie, in both documents, within the bytes of another row.
 * Among rows with equal bytes the row with most matched units stays, of several the first. The
 * remaining rows keep their order. Such rows arise when edges are extended far (`--edges far`).
 * A row is compared only with the PD_INNER_REACH remaining rows that begin last before it. In a
 * block of repeats all passages overlap, and comparing each with each would take quadratic time.
 *   rows  n rows of one pair; dropped rows are removed in place
 *   keys  scratch that is reused from pair to pair
 * Returns the number of rows that remain.
 */
#define PD_INNER_REACH 64
size_t pd_inner_drop(struct pd_row *rows, size_t n, struct pd_inner_keys *keys);

#endif

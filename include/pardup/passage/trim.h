/*
 * passage/trim.h - passages of a pair that touch are joined, and edges are shortened so that
 * passages do not overlap.
 */
#ifndef PARDUP_PASSAGE_TRIM_H
#define PARDUP_PASSAGE_TRIM_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/row.h"
#include "pardup/passage/agreement.h"

/*
 * A row while its edges can still be shortened. An edge is a list of steps, one for each word from
 * the matched units outward: pd_ij(bound in a, bound in b), where the passage would begin or end if
 * it had the word.
 */
struct pd_trim_row {
    struct pd_row row;      /* bytes_a, bytes_b: bytes of the matched units */
    struct pd_agreed words; /* for the caller: words of the matched units */
    uint32_t copy;          /* for the caller: as in struct pd_passage */
    size_t back;            /* where in the list of steps the back edge begins */
    size_t ahead;           /* where in the list of steps the edge ahead begins */
    uint32_t nback, nahead; /* words of both edges */
    uint64_t rank;          /* private: its place among the rows in order of document b */
};
PD_VEC(pd_trim_rows, struct pd_trim_row);

/*
 * Join and shorten the n rows of a pair, and extend their bytes and own words by what is left of
 * the edges. The matched units of the rows must not overlap, in either document.
 *
 * First, row x is joined with row y if y comes next in both documents, and if all words between
 * them agree: one step of the edge ahead of x is, in both documents, the word before y that is the
 * first step of the back edge of y, or if y has no back edge, the first word of y. The joined row
 * has the words and matches of both, and the mean of their similarities.
 * Then an edge ends where it would reach into the matched units of another row, in either document.
 * At last, of two edges that still overlap, the edge of the later row of that document ends where
 * the edge of the earlier one ends.
 *   order  scratch that is reused from pair to pair
 * Returns the number of rows that are left.
 */
size_t pd_trim(struct pd_trim_row *rows, size_t n, const uint64_t *steps, struct pd_u64s *order);

#endif

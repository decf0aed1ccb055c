/*
 * passage/diagonal.h - the passages of one document pair.
 *
 * A dot (i, j) says that unit i of document a matches unit j of document b. It has a similarity,
 * which is 1 for identical units. Two dots are linked if the second lies 1 to gap + 1 units further
 * on in both documents. A passage is a connected component of linked dots.
 *
 * With gap 0 a passage is a maximal diagonal: Algorithm 2 of Zhang, Zhang, Yu, Huang, "Efficient
 * Partial-Duplicate Detection Based on Sequence Matching", SIGIR 2010, section 4.3.
 * Deviation from Zhang: every run is maximal, as dots are sorted first. The paper starts a run at
 * whichever pair its list shows first, so a run can come out in two halves.
 * Deviation from Zhang: with gap > 0, a passage continues over up to `gap` unmatched units in
 * either document, and runs that overlap on diagonals at most `gap` apart are one passage.
 * Deviation from Zhang: a passage also has the mean similarity of the pairs that it counts. The
 * paper only counts them.
 */
#ifndef PARDUP_PASSAGE_DIAGONAL_H
#define PARDUP_PASSAGE_DIAGONAL_H

#include <stddef.h>

#include "pardup/base/record.h"
#include "pardup/passage/pair_dots.h"

/* Buffers that are reused from pair to pair. A zeroed struct is empty; release it in the end. */
struct pd_diagonals {
    struct pd_dot_line *lines;        /* the last gap + 2 dot lines (linking.c), as a ring */
    uint32_t nlines;                  /* lines allocated */
    struct pd_components *components; /* components of linked dots that may still grow */
    uint64_t *entries;                /* pd_ij(unit of a, block) for all blocks of the pair */
    size_t entries_cap;               /* entries allocated */
    uint32_t *js;                     /* the units of b that match the current unit of a */
    double *similarities;             /* of the units in `js` */
    int (*stopping)(void); /* not 0: the result is not wanted any more; NULL: it always is */
    size_t js_cap;         /* units that `js` and `similarities` have room for */
};

/*
 * Append to `out` every passage with more than `gamma` matched units, in order of (start_a,
 * start_b, length_a, length_b).
 *
 *   gamma  dots; a passage with exactly gamma is dropped (the paper uses 3)
 *   gap    unmatched units that a passage may bridge
 *   out    owned by the caller; its passages stay
 *
 * `matched` of a passage is the number of dots on its longest chain of links, so that repeated
 * units do not inflate it. Its similarity is sum / matched. The sum adds up the similarities along
 * a chain of `matched` dots, in order, as doubles; among all such chains the greatest sum counts.
 * Therefore the similarity does not depend on the order of blocks, and it is exactly 1 if all
 * units on the chain are identical.
 *
 * Cannot fail. If d->stopping says so, passages are missing.
 * Memory: the dots of gap + 2 units of a, and the passages that may still grow.
 * Time: O(dots (gap + 1) + links), plus sorting units and passages. If some units are not
 * identical, links are followed twice.
 */
void pd_diagonals_find(struct pd_diagonals *d, const struct pd_pair_dots *pair, uint32_t gamma,
                       uint32_t gap, struct pd_passages *out);

/*
 * Takes a dot line: unit i of document a matches the n units js of document b, ascending, each
 * once.
 *   similarities  of the n dots; NULL: all are 1
 */
typedef void pd_dot_line_taker(void *ctx, uint32_t i, const uint32_t *js,
                               const double *similarities, size_t n);

/* Give all lines of a pair to `take`, in order of i. The pair is not of equal documents as wholes. */
void pd_diagonals_each(struct pd_diagonals *d, const struct pd_pair_dots *pair,
                       pd_dot_line_taker *take, void *ctx);

void pd_diagonals_release(struct pd_diagonals *d);

#endif

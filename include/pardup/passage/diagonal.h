/*
 * passage/diagonal.h - the passages of one document pair.
 *
 * A dot (i, j) says that sentence i of a duplicates sentence j of b, with a similarity: 1 for
 * identical ones. Two dots are linked when the second lies 1 to gap + 1 sentences further on in
 * both documents; a passage is a connected component of links. With gap 0 that is a maximal
 * diagonal run: Algorithm 2 of Zhang, Zhang, Yu, Huang, "Efficient Partial-Duplicate Detection
 * Based on Sequence Matching", SIGIR 2010, section 4.3.
 * Deviation: the paper starts a run at whichever pair its list shows first, so a run can come out
 * in two halves. We sort first: every run is maximal, and the result does not depend on the order
 * in which ranks delivered the dots.
 * Deviation (gap > 0): passages continue over up to `gap` unmatched sentences
 * on either side, and runs that overlap on diagonals no more than `gap` apart are one passage.
 * Deviation (similarities): the paper counts the pairs of a run. Here a passage also has the mean
 * similarity of the pairs it counts.
 */
#ifndef PARDUP_PASSAGE_DIAGONAL_H
#define PARDUP_PASSAGE_DIAGONAL_H

#include <stddef.h>

#include "pardup/base/record.h"

/* Buffers, reused from pair to pair; zeroed is empty. */
struct pd_diagonals {
    struct pd_lines *lines; /* the latest rows of dots ... */
    uint32_t nlines;        /* ... as many as links reach back */
    struct pd_runs *runs;   /* components under way */
    uint64_t *rows;         /* (sentence of a, block) of the pair, sorted */
    size_t rows_cap;
    uint32_t *js; /* the sentences of b that match one of a, and how similar they are */
    double *own;
    size_t js_cap;
};

/*
 * Append to `out` every passage with more than `gamma` matched sentence pairs, in order of
 * (start_a, start_b, length_a, length_b).
 *
 *   blocks  the n > 0 blocks of one (a, b), in any order; similarities in (0, 1]. A dot that stands
 *           in several blocks has the same similarity in all of them, and counts once
 *   gamma   sentence pairs; a passage of exactly gamma is dropped (the paper uses 3)
 *   gap     unmatched sentences bridged; matched counts the longest chain of links, so repeated
 *           sentences do not inflate it
 *   out     caller owns; existing entries stay
 *
 * A passage's similarity is sum / matched, where `sum` adds up the similarities along a chain of
 * `matched` dots, in order, as doubles; of all such chains the one with the greatest sum. So it is
 * the same whatever the order of the blocks, and exactly 1 when those dots are of identical ones.
 *
 * Cannot fail. Dots are looked at row by row and never held: memory is that of gap + 1 rows and of
 * the passages under way. Time: O(dots (gap + 1) + links), plus sorting rows and passages; where not
 * all dots are of identical sentences, links are walked twice.
 */
void pd_diagonals_find(struct pd_diagonals *d, const struct pd_block *const *blocks, size_t n,
                       uint32_t gamma, uint32_t gap, struct pd_passages *out);

/* Likewise for n dots of identical sentences, pd_ij(i, j), ascending. */
void pd_diagonals_find_dots(struct pd_diagonals *d, pd_doc a, pd_doc b, const uint64_t *dots,
                            size_t n, uint32_t gamma, uint32_t gap, struct pd_passages *out);
void pd_diagonals_release(struct pd_diagonals *d);

#endif

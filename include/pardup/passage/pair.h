/* passage/pair.h - what the passages of a document pair say about the pair. */
#ifndef PARDUP_PASSAGE_PAIR_H
#define PARDUP_PASSAGE_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/row.h"

/*
 * Sum up the passages of a document pair.
 *   rows     the n > 0 rows of the pair, in order of their starts in a
 *   scratch  room for n u64s, overwritten
 * Cost: O(n log n).
 */
struct pd_pair pd_pair_of(const struct pd_row *rows, size_t n, uint64_t *scratch);

/*
 * True if a document pair is to be reported, given its passages: its score is at least theta_d, and
 * it has more than delta matched units.
 *
 *   passages  the n passages of the pair that gamma keeps, in the order of pd_diagonals_find. The
 *             score is added up in this order, so that it does not depend on the machine
 *   theta_d   least score, >= 0. The score is the sum of matched * similarity, as doubles: section
 *             2.2 of the qSign-lsh paper, which extends Kim, Candan, Tatemura, "Efficient Overlap
 *             and Content Reuse Detection in Blogs and Online News Articles", WWW 2009
 *   delta     sum of `matched`, >= 0; a pair with exactly delta is left out. Yoon, Jang, Kim, Park,
 *             "Detecting Partial and Near Duplication in the Blogosphere", IEICE Transactions on
 *             Information and Systems E95-D, 2012, section 2 (there delta is 3)
 *
 * If both are 0, every pair with a passage passes. A pair without passages never passes. O(n).
 * Deviation from qSign-lsh: only sentence pairs on the longest chains of passages count. The paper
 * adds up all similar sentence pairs of two documents.
 * Deviation from Yoon: `detect` counts the sentences of one document pair. The paper counts those
 * of a document that occur anywhere in the sources, as `check` does.
 */
bool pd_pair_passes(const struct pd_passage *passages, size_t n, double theta_d, uint64_t delta);

#endif

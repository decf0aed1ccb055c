/* passage/pair.h - what the passages of a document pair say about the pair. */
#ifndef PARDUP_PASSAGE_PAIR_H
#define PARDUP_PASSAGE_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/row.h"

/*
 * Sum up the `n` > 0 rows of one pair, in order of their starts in a. `scratch` is reordered freely
 * and has room for n words. O(n log n).
 */
struct pd_pair pd_pair_of(const struct pd_row *rows, size_t n, uint64_t *scratch);

/*
 * Is the pair with these passages to be reported?
 *
 *   passages  all n of one pair that gamma keeps, in pd_diagonals_find's order: the score is added
 *             up in the order given, and must not depend on the machine
 *   theta_d   least score, >= 0: the sum of matched * similarity, as doubles. Section 2.2 of the
 *             qSign-lsh paper, which extends Kim, Candan, Tatemura, "Efficient Overlap and Content
 *             Reuse Detection in Blogs and Online News Articles", WWW 2009
 *   delta     sentence pairs; a pair with exactly delta is left out. Yoon, Jang, Kim, Park,
 *             "Detecting Partial and Near Duplication in the Blogosphere", IEICE Transactions on
 *             Information and Systems E95-D, 2012, section 2 (three there)
 *
 * With both 0 every pair that has a passage passes; without passages none does. O(n).
 * Deviations: the first paper adds up all similar sentence pairs of two documents, here those on
 * the passages' longest chains count. The second counts a document's sentences that stand anywhere
 * in the collection, here those of one pair of documents.
 */
bool pd_pair_passes(const struct pd_passage *passages, size_t n, double theta_d, uint64_t delta);

#endif

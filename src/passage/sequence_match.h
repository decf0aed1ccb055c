/*
 * passage/sequence_match.h - a longest common subsequence of two sequences of words, word by word.
 *
 * Source: Hirschberg, "A linear space algorithm for computing maximal common subsequences", CACM
 * 1975.
 * Deviation from Hirschberg: the rows of its tables are made by passage/sequence.h, and say in a
 * bit for each column where the length rises. As soon as all rows of a part fit ROWS_MOST u64s, the
 * subsequence is read off them.
 */
#ifndef PARDUP_SEQUENCE_MATCH_H
#define PARDUP_SEQUENCE_MATCH_H

#include "pardup/passage/agreement.h"

/*
 * Find a longest common subsequence of two sequences of at least one word, and note it in g->at.
 * `a` and `b` are parts of the sequences that are matched. Returns its length. If g->stopped is
 * true afterwards, the number is of no use.
 */
uint64_t pd_match_sequence(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b);

#endif

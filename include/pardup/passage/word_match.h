/*
 * passage/word_match.h - which words of one sequence stand in another one, in the same order.
 *
 * The matches are a common subsequence, though not always the longest one. Behind a small edit, the
 * sequences go on where some words agree again. Elsewhere matches are found by words that stand
 * once in both, on a longest chain that ascends in both; short stretches between them are compared
 * word by word. A word that is left unmatched is never wrong, only less.
 * Source: the anchors of Cohen's patience diff, see passage/agreement.h.
 */
#ifndef PARDUP_PASSAGE_WORD_MATCH_H
#define PARDUP_PASSAGE_WORD_MATCH_H

#include <stddef.h>
#include <stdint.h>

/*
 * Set at[j], for each word b[j], to 1 plus the index of the word of a that it matches, or to 0. The
 * indices ascend. O((n + m) log n) time for n and m words, and 4 MB of memory at the most besides
 * what grows with n + m.
 */
void pd_word_match(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *at);

#endif

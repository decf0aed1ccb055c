/*
 * app/show/diff.h - which words of two texts stand in both, in order.
 *
 * The alignment is a longest common subsequence, computed window by window, so its cost grows
 * linearly with the texts. Deviation from the definition: only texts that fit a small window (64
 * words) behind their common beginning get a longest one for certain. In longer texts a stretch
 * that a side lacks is skipped when it is shorter than PD_DIFF_WINDOW.
 *
 * Of alignments with equally many words, one with few runs is easier to read: equal words in front
 * of a stretch that a side lacks are matched behind it if they stand there, too.
 */
#ifndef PARDUP_APP_SHOW_DIFF_H
#define PARDUP_APP_SHOW_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/vec.h"

enum { PD_DIFF_WINDOW = 512 }; /* words of each text that are aligned at a time */

/* Words [a, a + na) of the first text and [b, b + nb) of the second one. */
struct pd_diff_run {
    uint32_t a, b;
    uint32_t na, nb; /* na == nb if the words are equal; at least one of the two is not 0 */
    bool equal;      /* each word of the run equals its partner; else no word has a partner */
};
PD_VEC(pd_diff_runs, struct pd_diff_run);

/*
 * Align the terms of two texts. `runs` is emptied first; then its runs cover both texts in order,
 * and equal and other runs alternate. The caller releases it.
 * Cost: O((na + nb) * PD_DIFF_WINDOW) time at the most, O(na + nb) when the texts are equal.
 */
void pd_diff(const uint64_t *a, uint32_t na, const uint64_t *b, uint32_t nb,
             struct pd_diff_runs *runs);

#endif

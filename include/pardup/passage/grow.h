/*
 * passage/grow.h - how far two texts go on alike beyond an end of a span, by their letters.
 *
 * For text that was read by a machine: where every second word is misread, no words are left to go
 * by, but most letters are. The letters of all words beyond the end (base/spelling.h) are one row
 * on each side, without spaces, so words may be cut in other places.
 *
 * Definition, for two rows of letters from the end outward:
 *   1. Probe: some prefix of row b is at most 5/8 n edits away from the first n letters of row a; n
 *      is 48, or the length of the shorter row, at least PD_GROW_LEAST.
 *   2. An alignment of i letters of a with j letters of b scores 1 for two equal letters, and -1 for
 *      two letters that differ and for a letter alone. |i - j| is at most PD_GROW_BAND, on the way,
 *      too. The greatest score S(i, j) is looked for, i from 1 on, until the greatest score of an i
 *      lies more than 20 + min(S / 2, 60) below the greatest score S so far.
 *   3. The span grows to the greatest score, with the least i, then the least j, by the words whose
 *      letters are all in i, or in j. It does not grow if the score is below PD_GROW_LEAST, or if
 *      either side has no such word.
 *
 * Sources: bit vectors of the probe: Myers, "A fast bit-vector algorithm for approximate string
 * matching based on dynamic programming", JACM 46(3), 1999. Giving up when the score has dropped:
 * Zhang, Schwartz, Wagner, Miller, "A greedy algorithm for aligning DNA sequences", J. Comp. Biol.
 * 7, 2000.
 * Deviation from Zhang et al., Aligning DNA: the drop that is allowed grows with the score.
 */
#ifndef PARDUP_PASSAGE_GROW_H
#define PARDUP_PASSAGE_GROW_H

#include <stdint.h>

#include "pardup/base/vec.h"

enum {
    PD_GROW_BAND = 24, /* letters by which a side may be ahead */
    PD_GROW_LEAST = 12 /* the least score, and the least letters of a row */
};

/* The spellings of n words beyond an end. Word k lies at v[k], or at v[-k]: see `step`. */
struct pd_beyond_words {
    const uint64_t *v; /* the word next to the span; borrowed */
    uint32_t n;
    int step; /* 1: the words lie behind the span; -1: they lie before it */
};

/* By how many words a span grows. */
struct pd_growth {
    uint32_t a, b;
};

PD_VEC(pd_letters, int32_t);

/* Buffers. A zeroed struct is empty; release it in the end. */
struct pd_growing {
    struct pd_letters letters[2], rows;
};

/* Time: O(letters of a * PD_GROW_BAND); most rows that are not alike take the probe only. */
struct pd_growth pd_grow(struct pd_growing *g, struct pd_beyond_words a, struct pd_beyond_words b);
void pd_growing_release(struct pd_growing *g);

#endif

/*
 * passage/agreement.h - how many words stand in two sequences of words in the same order.
 *
 * The number is the length of the longest common subsequence. It is exact unless both sequences are
 * very long and very different; then it is a lower bound, which is the same on every machine.
 *
 * Definition of agreed(a, b):
 *   1. Equal words at the begin and at the end of both are counted and left out.
 *   2. If what is left has at most `exact_cells` pairs of words, or can be made equal by at most
 *      PD_AGREEMENT_EDITS insertions and deletions, the longest common subsequence is counted.
 *   3. Otherwise pivots divide both: words that stand once in each, on a longest chain that
 *      ascends in both. Each pivot counts as one word, and agreed() is added for the stretches
 *      between pivots. Ties between longest chains are broken as in chain_pivots().
 *   4. If there is no pivot, or both have been divided PD_AGREEMENT_DEPTH times, they are divided
 *      in the middle (n / 2), and agreed() is added for both halves.
 *
 * Sources: Hyyro, "Bit-parallel LCS-length computation revisited", AWOCA 2004, for the pairs of
 * words; Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1986, for few
 * edits. Pivots are chosen as in patience diff (Cohen 2008).
 * Deviation from Hyyro: words that stand in one sequence only are left out first.
 * Deviation from Hyyro: in short sequences only those columns are looked at that a long common
 * subsequence can come through. In long ones the vector of a word is made from its places when the
 * word comes up, so that memory does not grow with the vocabulary.
 */
#ifndef PARDUP_PASSAGE_AGREEMENT_H
#define PARDUP_PASSAGE_AGREEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/row.h"

#define PD_AGREEMENT_CELLS ((uint64_t)1 << 30) /* pairs of words that take about 20 ms */
#define PD_AGREEMENT_DEPTH 32                  /* divisions at pivots, one inside another */
#define PD_AGREEMENT_EDITS 1024                /* insertions and deletions that take about 1 ms */

/* The words of a stretch that is compared, by term; borrowed. */
struct pd_spoken {
    const uint64_t *terms;
    uint32_t n;
};

PD_VEC(pd_word_codes, uint32_t);

/* Zeroed but for `exact_cells` and `stopping`. Its memory is used again from call to call. */
struct pd_agreement {
    uint64_t exact_cells;  /* pairs of words that are always compared exactly, at least 1 */
    int (*stopping)(void); /* optional: nonzero asks to stop; called at least every 20 ms or so */
    struct pd_u64s sorted; /* scratch: words as records {term, side and place} */
    struct pd_u64s bits;   /* scratch: vectors of bits; piles of pivots */
    struct pd_word_codes slots;   /* scratch: a table of the words of the shorter sequence */
    struct pd_u64s terms;         /* scratch: their terms, by number */
    struct pd_word_codes numbers; /* scratch: the words of both that stand in both, by number */
    struct pd_u64s vectors;       /* scratch: vectors of words */
    struct pd_u64s words;         /* scratch: where the places of each word begin */
    struct pd_word_codes places;  /* scratch: for each place, the next place of its word */
    struct pd_u64s ahead;         /* scratch: how far each diagonal reaches */
    struct pd_u64s pivots; /* stack of pivots, two 32-bit numbers each: place in a and in b */
    bool stopped;          /* stopping() was nonzero: the number is of no use */
    uint32_t *at; /* where pd_agreement_match() notes partners; NULL: words are only counted */
    const uint64_t *first_a, *first_b; /* the sequences that it was called with */
    struct pd_word_codes trace;        /* scratch: `ahead` after each number of edits */
    struct pd_word_codes turned;       /* scratch: numbers of words from the last to the first */
    struct pd_word_codes lengths;      /* scratch: of common subsequences */
    struct pd_u64s rows;               /* scratch: vectors of bits after each word */
};
void pd_agreement_release(struct pd_agreement *g);

/*
 * Returns agreed(a, b). If g->stopped is true afterwards, the number is of no use. Cost for lengths
 * n and m: O(n) for equal sequences, O(n + d^2) for d edits, O(n m / 64) for others that are
 * compared exactly.
 */
uint64_t pd_agreement_words(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b);

/*
 * The same number, and which words they are. Sets at[j], for each word j of b, to 1 plus the index
 * of the word of a that it matches, or to 0. Indices ascend. Takes up to three times as long, and
 * memory that grows with n + m. See passage/alignment.h for matches that are easy to read.
 */
uint64_t pd_agreement_match(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                            uint32_t *at);

/* The words of the matched units of a passage. */
struct pd_agreed {
    uint32_t in_a, in_b; /* words in each document, at least 1 */
    uint32_t in_both;    /* words that stand in both in the same order: agreed(a, b) */
};

/* Set words and agreement of a row. The edges of its passage have `edge_words` equal words more. */
void pd_agreed_set(struct pd_row *row, struct pd_agreed words, uint32_t edge_words);

#endif

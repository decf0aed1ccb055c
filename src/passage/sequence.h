/* passage/sequence.h - the longest common subsequence of two sequences of words, always exact. */
#ifndef PARDUP_SEQUENCE_H
#define PARDUP_SEQUENCE_H

#include "pardup/passage/agreement.h"

#define PD_FEW_PAIRS 256 /* most pairs of words that are compared one by one */
#define PD_BITS      64  /* columns in a u64 of a vector */

/* Is it asked to stop? Then g->stopped is set. */
bool pd_agreement_stops(struct pd_agreement *g);

/*
 * The length of the longest common subsequence of two sequences of at least one word. If
 * g->stopped is true afterwards, the number is of no use.
 */
uint64_t pd_common_sequence(struct pd_agreement *g, struct pd_spoken longer,
                            struct pd_spoken shorter);

/*
 * Words that stand in both sequences. Equal words have equal numbers, from 1 on; others have
 * different ones.
 */
struct pd_numbered {
    uint32_t *v;  /* the numbers */
    uint32_t *at; /* the place of each word in its sequence */
    uint32_t n;
};

/*
 * Number the words that stand in both. Returns how many different ones there are. Numbers of words
 * that stand in `shorter` only are given to others. The numbers are in g->numbers.
 */
uint32_t pd_number_common(struct pd_agreement *g, struct pd_spoken longer, struct pd_spoken shorter,
                          struct pd_numbered *a, struct pd_numbered *b);

/*
 * Compare all words of a with all of b, which has at least one. Their numbers are at most n. Bit j
 * of g->bits is 0 afterwards if the longest common subsequence of a and the first j + 1 words of b
 * is longer than that of a and the first j words. Returns false if g->stopped: then the bits are of
 * no use.
 */
bool pd_sequence_columns(struct pd_agreement *g, struct pd_numbered a, struct pd_numbered b,
                         uint32_t n);

/*
 * The same after each word of a: `rows` gets (b.n + 63) / 64 u64s for each. Bits may be left out
 * that no longest common subsequence of a and b comes through.
 */
bool pd_sequence_rows(struct pd_agreement *g, struct pd_numbered a, struct pd_numbered b,
                      uint32_t n, uint64_t *rows);

#endif

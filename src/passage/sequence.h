/* passage/sequence.h - the longest common subsequence of two sequences of words, always exact. */
#ifndef PARDUP_SEQUENCE_H
#define PARDUP_SEQUENCE_H

#include "pardup/passage/agreement.h"

#define PD_FEW_PAIRS 256 /* most pairs of words that are compared one by one */

/* Is it asked to stop? Then g->stopped is set. */
bool pd_agreement_stops(struct pd_agreement *g);

/*
 * The length of the longest common subsequence of two sequences of at least one word. If
 * g->stopped is true afterwards, the number is of no use.
 */
uint64_t pd_common_sequence(struct pd_agreement *g, struct pd_spoken longer,
                            struct pd_spoken shorter);

#endif

/*
 * passage/alignment.h - which words stand in two sequences of words in the same order.
 *
 * The whole program has one alignment. Agreement is the number of its matches, `show`, `compare`
 * and `report` mark the words without a match, and `dedup` proves by it what it removes. Its
 * matches are exactly the words that passage/agreement.h counts.
 *
 * An alignment with few runs is easy to read. Where one sequence lacks a stretch, the same words
 * may stand at both of its ends. They are matched at the end where they continue a run, if they are
 * at most PD_SLIDE_MOST.
 */
#ifndef PARDUP_PASSAGE_ALIGNMENT_H
#define PARDUP_PASSAGE_ALIGNMENT_H

#include "pardup/passage/agreement.h"

enum { PD_SLIDE_MOST = 1000 }; /* words: a longer run of its own is easy to read, too */

/* Words [a, a + na) of the first sequence and [b, b + nb) of the second one. */
struct pd_aligned_run {
    uint32_t a, b;
    uint32_t na, nb; /* na == nb if the words are equal; at least one of the two is not 0 */
    bool equal;      /* each word of the run matches its partner; else no word has a match */
};
PD_VEC(pd_aligned_runs, struct pd_aligned_run);

/* Zeroed but for `agreement`. Its memory is used again from call to call. */
struct pd_alignment {
    struct pd_agreement agreement; /* as passage/agreement.h wants it: exact_cells, stopping */
    struct pd_word_codes at;     /* for each word of b: 1 plus the index of its match in a, or 0 */
    struct pd_aligned_runs runs; /* both sequences in order; equal and other runs alternate */
    struct pd_aligned_runs matches; /* scratch: the equal runs */
};
#define PD_ALIGNMENT ((struct pd_alignment){.agreement.exact_cells = PD_AGREEMENT_CELLS})

/*
 * Align two sequences: sets l->at and l->runs. Returns the number of matches, agreed(a, b).
 * Cost: up to three times that of pd_agreement_words().
 */
uint64_t pd_align(struct pd_alignment *l, struct pd_spoken a, struct pd_spoken b);

void pd_alignment_release(struct pd_alignment *l);

#endif

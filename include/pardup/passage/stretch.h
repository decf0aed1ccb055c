/*
 * passage/stretch.h - the stretch of words with the greatest sum of scores.
 *
 * Source: Bentley, "Programming Pearls", CACM 27(9), 1984.
 * Deviation from Bentley: a stretch must have a word of a core, and words that cost the same are
 * not looked at one by one.
 */
#ifndef PARDUP_PASSAGE_STRETCH_H
#define PARDUP_PASSAGE_STRETCH_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/vec.h"

/* Words [from, to). */
struct pd_stretch {
    uint32_t from, to;
};

/* A word whose score may differ from the score of most words. */
struct pd_shared_word {
    uint32_t at; /* its index among all words */
    uint32_t id;
};
PD_VEC(pd_shared_words, struct pd_shared_word);

enum {
    PD_STRETCH_CHOICES = 2
}; /* most ways to score words, for which stretches are found at once */

/* By how much more than `lost` a word scores in each way; >= 0. */
struct pd_above {
    int32_t by[PD_STRETCH_CHOICES];
};
PD_VEC(pd_aboves, struct pd_above);

/* Words and their scores. All pointers are borrowed. */
struct pd_stretching {
    const struct pd_shared_word *v;   /* n shared words in order */
    size_t core_from, core_to, n;     /* v[core_from, core_to) are the shared words of the core */
    struct pd_stretch core;           /* at least one word */
    const struct pd_above *above;     /* by id */
    int32_t lost[PD_STRETCH_CHOICES]; /* < 0: what each word scores that is not in `v` */
};

struct pd_scored_stretch {
    struct pd_stretch at;
    int64_t score;
};

/*
 * Find the stretch that has a word of the core and the greatest sum of scores, for each of n ways
 * to score words. Ties go to the stretch that ends first, then to the longest. Time: O(words in
 * `v`).
 */
void pd_stretch_best(const struct pd_stretching *s, int n, struct pd_scored_stretch *best);

#endif

/* result/ignored.h - text that is judged neither way, such as templates of pages. */
#ifndef PARDUP_RESULT_IGNORED_H
#define PARDUP_RESULT_IGNORED_H

#include "pardup/result/match.h"

struct pd_ignored {
    uint64_t doc;
    uint64_t begin, end;
};
PD_VEC(pd_ignored_texts, struct pd_ignored);
enum { PD_IGNORED_U64S = 3 };

/* Sort, and make one of those that overlap or touch. */
void pd_ignored_merge(struct pd_ignored_texts *texts);

/*
 * Restate matches as if the ignored texts (merged, in the same unit) were not in the documents.
 * A match of which nothing is left in one of its documents is dropped; returns how many were.
 * Matches stay sorted. O((n + m) log n) for n matches and m texts.
 */
uint64_t pd_ignored_cut(const struct pd_ignored_texts *texts, struct pd_matches *matches);

#endif

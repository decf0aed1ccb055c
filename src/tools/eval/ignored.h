/*
 * tools/eval/ignored.h - text that does not count when a result is judged, such as templates of
 * pages.
 */
#ifndef PARDUP_TOOLS_EVAL_IGNORED_H
#define PARDUP_TOOLS_EVAL_IGNORED_H

#include "match.h"

/* Text [begin, end) of a document, in bytes or in characters. */
struct pd_ignored {
    uint64_t doc;
    uint64_t begin, end;
};
PD_VEC(pd_ignored_texts, struct pd_ignored);
enum { PD_IGNORED_U64S = 3 }; /* u64s of a struct pd_ignored */

/* Sort the texts, and merge texts that overlap or touch into one. */
void pd_ignored_merge(struct pd_ignored_texts *texts);

/*
 * Restate matches as if the ignored texts were not in the documents. A match that has no other
 * text in one of its documents is dropped. Matches stay sorted.
 *   texts  merged; offsets in bytes or in characters, as in the matches
 * Returns how many matches were dropped. Cost: O((n + m) log n) for n matches and m texts.
 */
uint64_t pd_ignored_cut(const struct pd_ignored_texts *texts, struct pd_matches *matches);

#endif

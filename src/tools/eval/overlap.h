/* tools/eval/overlap.h - which cases and detections of a document pair share text, and how much. */
#ifndef PARDUP_TOOLS_EVAL_OVERLAP_H
#define PARDUP_TOOLS_EVAL_OVERLAP_H

#include "match.h"

/* Two matches that share text, by their indices. */
struct pd_overlap {
    uint64_t one;   /* a case; or a detection, where a list is ordered by detections */
    uint64_t other; /* the other of the two */
};
PD_VEC(pd_overlaps, struct pd_overlap);
enum { PD_OVERLAP_U64S = 2 }; /* u64s of a struct pd_overlap */

/*
 * Append every case with every detection that shares text with it in BOTH documents, in order of
 * (case, detection).
 *   cases, found  matches of one document pair, ascending in begin_a; no match is empty
 * Cost of the sweep over document a: O(n log n + overlaps in a) for n matches.
 */
void pd_overlaps_find(const struct pd_match *cases, size_t ncases, const struct pd_match *found,
                      size_t nfound, struct pd_overlaps *out);

/* Text [begin, end) of a document. */
struct pd_interval {
    uint64_t begin, end;
};
PD_VEC(pd_intervals, struct pd_interval);

/* Texts in both documents of a pair. A zeroed struct is empty. */
struct pd_cover {
    struct pd_intervals a, b;
};

/* Add the text of a match in both documents. */
void pd_cover_add(struct pd_cover *c, const struct pd_match *m);

/* Add the text that a match shares with another match in both documents. */
void pd_cover_add_shared(struct pd_cover *c, const struct pd_match *m, const struct pd_match *with);

/*
 * The length of the added texts in both documents; where texts overlap it counts once. Empties the
 * cover. Cost: O(n log n) for n added matches.
 */
uint64_t pd_cover_length(struct pd_cover *c);
void pd_cover_release(struct pd_cover *c);

#endif

/* result/overlap.h - which cases and detections of a document pair meet, and what they cover. */
#ifndef PARDUP_RESULT_OVERLAP_H
#define PARDUP_RESULT_OVERLAP_H

#include "pardup/result/match.h"

/* Case number `one` and detection number `other`, or the other way round. */
struct pd_overlap {
    uint64_t one;
    uint64_t other;
};
PD_VEC(pd_overlaps, struct pd_overlap);
enum { PD_OVERLAP_U64S = 2 };

/*
 * Append every case and detection that share text in BOTH documents, in order of (case, detection).
 * Both arrays are of one document pair and ascending in begin_a; no match is empty.
 * A sweep over document a: O(n log n + overlaps in a).
 */
void pd_overlaps_find(const struct pd_match *cases, size_t ncases, const struct pd_match *found,
                      size_t nfound, struct pd_overlaps *out);

struct pd_stretch {
    uint64_t begin, end;
};
PD_VEC(pd_stretches, struct pd_stretch);

/* Text of both documents of a pair. Zeroed is empty; emptied by pd_cover_length(). */
struct pd_cover {
    struct pd_stretches a, b;
};
void pd_cover_add(struct pd_cover *c, const struct pd_match *m);
void pd_cover_add_shared(struct pd_cover *c, const struct pd_match *m, const struct pd_match *with);
uint64_t pd_cover_length(struct pd_cover *c); /* text counted once, both sides. O(n log n) */
void pd_cover_release(struct pd_cover *c);

#endif

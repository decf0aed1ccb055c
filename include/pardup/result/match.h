/*
 * result/match.h - a stretch of one document that is found again in another: a case of the truth,
 * or a detection.
 */
#ifndef PARDUP_RESULT_MATCH_H
#define PARDUP_RESULT_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/vec.h"

/* Text [begin_a, end_a) of a and [begin_b, end_b) of b; a <= b. Offsets in the unit of judging. */
struct pd_match {
    uint64_t a, b;
    uint64_t begin_a, begin_b, end_a, end_b;
    uint64_t class; /* of a case; 0: none, and of detections always */
};
PD_VEC(pd_matches, struct pd_match);
PD_VEC(pd_offsets, size_t);
enum { PD_MATCH_U64S = 7 };
_Static_assert(sizeof(struct pd_match) == 8 * PD_MATCH_U64S, "match has padding");

/* The same match with its documents in order. */
static inline struct pd_match pd_match_ordered(struct pd_match m)
{
    if (m.a <= m.b)
        return m;
    return (struct pd_match){m.b, m.a, m.begin_b, m.begin_a, m.end_b, m.end_a, m.class};
}

/* What the truth says of two documents as such. */
enum pd_label_kind {
    PD_LABEL_LISTED,   /* they are to be judged; nothing is said of duplicates */
    PD_LABEL_DUPLICATE /* they are duplicates, it is not said where */
};
struct pd_label {
    uint64_t a, b;
    uint64_t class;
    uint64_t kind;
};
PD_VEC(pd_labels, struct pd_label);
enum { PD_LABEL_U64S = 4 };

/* Records of any of these types begin with a and b: the order in which pairs are walked. */
static inline int pd_pair_order(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return a != c ? (a < c ? -1 : 1) : b != d ? (b < d ? -1 : 1) : 0;
}

/* An offset somewhere in memory that is to be restated, in characters or in bytes. */
struct pd_mark {
    uint64_t doc;
    uint64_t at;
    uint64_t *where;
};
PD_VEC(pd_marks, struct pd_mark);
enum { PD_MARK_U64S = 3 };
_Static_assert(sizeof(struct pd_mark) == 8 * PD_MARK_U64S, "mark has padding");

/* Append the offsets of matches, of documents below `documents`. */
void pd_marks_of(struct pd_matches *matches, uint64_t documents, struct pd_marks *marks);

/*
 * Restate the offsets of one document's marks, in ascending order of `at`: bytes of its UTF-8
 * text to characters, or back. Offsets beyond the text stay as far beyond it. O(n + nmarks).
 */
void pd_marks_to_chars(const unsigned char *text, size_t n, const struct pd_mark *marks,
                       size_t nmarks);
void pd_marks_to_bytes(const unsigned char *text, size_t n, const struct pd_mark *marks,
                       size_t nmarks);

#endif

/*
 * tools/eval/match.h - text of one document that is also in another: a case of the truth, or a
 * detection.
 */
#ifndef PARDUP_TOOLS_EVAL_MATCH_H
#define PARDUP_TOOLS_EVAL_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/vec.h"

/* Text [begin_a, end_a) of a matches text [begin_b, end_b) of b. Offsets in bytes or characters. */
struct pd_match {
    uint64_t a, b; /* document numbers, a <= b */
    uint64_t begin_a, begin_b, end_a, end_b;
    uint64_t class; /* a case: its class, from 1; 0: none. A detection: 0 */
};
PD_VEC(pd_matches, struct pd_match);
PD_VEC(pd_indices, size_t); /* indices into arrays or texts */
enum { PD_MATCH_U64S = 7 }; /* u64s of a struct pd_match */
_Static_assert(sizeof(struct pd_match) == 8 * PD_MATCH_U64S, "match has padding");

/* The same match with its documents in ascending order. */
static inline struct pd_match pd_match_ordered(struct pd_match m)
{
    if (m.a <= m.b)
        return m;
    return (struct pd_match){m.b, m.a, m.begin_b, m.begin_a, m.end_b, m.end_a, m.class};
}

/* A statement of the truth about two whole documents. */
enum pd_label_kind {
    PD_LABEL_LISTED,   /* the pair is to be judged; the label does not say if it is duplicate */
    PD_LABEL_DUPLICATE /* the documents are duplicates; the label does not say where */
};

/* A label: what the truth says about two whole documents. */
struct pd_label {
    uint64_t a, b;  /* document numbers, a <= b */
    uint64_t class; /* from 1; 0: none */
    uint64_t kind;  /* enum pd_label_kind */
};
PD_VEC(pd_labels, struct pd_label);
enum { PD_LABEL_U64S = 4 }; /* u64s of a struct pd_label */

/*
 * Compare the document pairs (a, b) and (c, d); returns -1, 0 or 1. Sorted matches and labels are
 * in this order, because both records begin with a and b.
 */
static inline int pd_pair_order(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return a != c ? (a < c ? -1 : 1) : b != d ? (b < d ? -1 : 1) : 0;
}

/* An offset of a match that is to be restated: in characters, in bytes, or without ignored text. */
struct pd_mark {
    uint64_t doc;
    uint64_t at;     /* the offset as it was */
    uint64_t *where; /* where the restated offset is to be written */
};
PD_VEC(pd_marks, struct pd_mark);
enum { PD_MARK_U64S = 3 }; /* u64s of a struct pd_mark */
_Static_assert(sizeof(struct pd_mark) == 8 * PD_MARK_U64S, "mark has padding");

/*
 * Append a mark for every offset of the matches in documents with numbers below `documents`. The
 * marks point into the matches, which must stay where they are.
 */
void pd_marks_of(struct pd_matches *matches, uint64_t documents, struct pd_marks *marks);

/*
 * Restate offsets of one document from bytes of its UTF-8 text to characters, or from characters to
 * bytes. An offset beyond the end of the text stays beyond the end by the same amount.
 *   text   the document's text, n bytes
 *   marks  nmarks marks of this document, in ascending order of `at`
 * Cost: O(n + nmarks).
 */
void pd_marks_to_chars(const unsigned char *text, size_t n, const struct pd_mark *marks,
                       size_t nmarks);
void pd_marks_to_bytes(const unsigned char *text, size_t n, const struct pd_mark *marks,
                       size_t nmarks);

#endif

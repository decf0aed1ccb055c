/*
 * base/row.h - a finished passage and a document pair, as they stand in the result file.
 *
 * Two 32-bit numbers share a word (first one in the high half), so that rows sort by whole words.
 */
#ifndef PARDUP_BASE_ROW_H
#define PARDUP_BASE_ROW_H

#include "pardup/base/record.h"

struct pd_row {
    pd_doc a, b;
    uint64_t starts; /* a's and b's, sentences */
    uint64_t lengths;
    uint64_t bytes_a;
    uint64_t bytes_b;   /* begin and end in the text */
    uint64_t sentences; /* in all of a, of b: coverage needs them */
    uint64_t matched;   /* sentence pairs */
    double similarity;
};
PD_VEC(pd_rows, struct pd_row);
enum { PD_ROW_U64S = 9 };
_Static_assert(sizeof(struct pd_row) == 8 * PD_ROW_U64S, "row has padding");

struct pd_pair {
    pd_doc a, b;
    uint64_t passages;
    uint64_t matched;
    double score; /* sum of similarities of the matched sentence pairs */
    double coverage_a;
    double coverage_b;  /* share of the document's sentences inside its passages */
    double resemblance; /* document-level methods; else 0 */
};
PD_VEC(pd_pairs, struct pd_pair);

#endif

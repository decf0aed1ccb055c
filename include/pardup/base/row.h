/*
 * base/row.h - the rows of the result file: a finished passage, and a document pair.
 *
 * Some members hold two 32-bit numbers in one u64, the first in the high half, so that rows can be
 * sorted u64 by u64.
 */
#ifndef PARDUP_BASE_ROW_H
#define PARDUP_BASE_ROW_H

#include "pardup/base/record.h"

/*
 * A finished passage: units and bytes that two documents share. Own words of a document stand
 * outside text that is set aside.
 */
struct pd_row {
    pd_doc a, b;       /* the documents, a < b; with --within also a = b */
    uint64_t starts;   /* first unit of the passage in a and in b: two 32-bit numbers */
    uint64_t lengths;  /* units of the passage in a and in b: two 32-bit numbers */
    uint64_t bytes_a;  /* first byte and end of the passage in the text of a: two 32-bit numbers */
    uint64_t bytes_b;  /* first byte and end of the passage in the text of b: two 32-bit numbers */
    uint64_t own;      /* own words of all of a and of all of b, two numbers; 0: not known */
    uint64_t matched;  /* dots on the longest chain of the passage */
    double similarity; /* mean similarity of the matched units, (0, 1] */
    uint64_t words;    /* words of the passage in a and in b: two 32-bit numbers */
    double agreement;  /* words that stand in both sides, in order, over the words of the longer
                           side, [0, 1] (passage/agreement.h) */
    uint64_t own_a;    /* own words of a before the passage, and up to its end: two numbers */
    uint64_t own_b;    /* the same of b; or from a later word on, the same in all rows of a pair */
};
PD_VEC(pd_rows, struct pd_row);
enum { PD_ROW_U64S = 13 };
_Static_assert(sizeof(struct pd_row) == 8 * PD_ROW_U64S, "row has padding");

/* A document pair with at least one passage. */
struct pd_pair {
    pd_doc a, b;        /* the documents, a < b; with --within also a = b */
    uint64_t passages;  /* passages of the pair */
    uint64_t matched;   /* sum of `matched` over its passages */
    double score;       /* sum of the similarities of the matched units */
    double coverage_a;  /* share of the own words of a in passages, [0, 1]; NaN: not known */
    double coverage_b;  /* share of the own words of b in passages, [0, 1]; NaN: not known */
    double resemblance; /* similarity of the documents if whole documents are compared; else NaN */
};
PD_VEC(pd_pairs, struct pd_pair);

#endif

/*
 * base/record.h - the records that travel between stages, and nothing else.
 *
 *   corpus -> document -> feature -> [posting] -> join -> [dot] -> passage -> [passage] -> result
 *
 * They cross ranks and disks as raw bytes: fixed width, no pointers, no padding. Their key is at
 * the front, in 64-bit words, so that pd_sort_records() orders all of them.
 */
#ifndef PARDUP_BASE_RECORD_H
#define PARDUP_BASE_RECORD_H

#include <stdint.h>

#include "pardup/base/vec.h"

typedef uint64_t pd_sig; /* one feature of a unit, hashed */
typedef uint64_t pd_doc; /* document number: its place in the collection, from 0 */

/* Unit `unit` of document `doc` has signature `sig`. Owner rank: by sig. Order: sig, doc, unit. */
struct pd_posting {
    pd_sig sig;
    pd_doc doc;
    uint32_t unit;  /* from 0 within the document */
    uint32_t nsigs; /* size of the unit's signature set: the length filter needs it */
};
PD_VEC(pd_postings, struct pd_posting);
#define PD_POSTING_WORDS 3

/*
 * Sentence i of document a duplicates sentence j of document b, a < b. Owner rank: by (a, b).
 * Order: a, b, i, j; one word holds i (high half) and j, so that equal order needs no third key.
 */
struct pd_dot {
    pd_doc a, b;
    uint64_t ij;
};
PD_VEC(pd_dots, struct pd_dot);
#define PD_DOT_WORDS 3

static inline uint64_t pd_ij(uint32_t i, uint32_t j) { return (uint64_t)i << 32 | j; }
static inline uint32_t pd_dot_i(struct pd_dot d) { return (uint32_t)(d.ij >> 32); }
static inline uint32_t pd_dot_j(struct pd_dot d) { return (uint32_t)d.ij; }

/* Sentences [start_a, start_a + length_a) of a against [start_b, start_b + length_b) of b. */
struct pd_passage {
    pd_doc a, b;
    uint32_t start_a, start_b, length_a, length_b;
    uint32_t matched;  /* sentence pairs on the longest chain of the passage */
    uint32_t zero;     /* spells out the padding, so that equal records are equal bytes */
    double similarity; /* mean of the matched pairs, (0, 1] */
};
PD_VEC(pd_passages, struct pd_passage);

/* A class set aside by --max-df. Order: sig. */
struct pd_common {
    pd_sig sig;
    uint64_t df; /* documents */
    pd_doc doc;  /* its first occurrence */
    uint64_t unit;
};
PD_VEC(pd_commons, struct pd_common);
#define PD_COMMON_WORDS 4

_Static_assert(sizeof(struct pd_posting) == 8 * PD_POSTING_WORDS, "posting has padding");
_Static_assert(sizeof(struct pd_dot) == 8 * PD_DOT_WORDS, "dot has padding");
_Static_assert(sizeof(struct pd_passage) == 48, "passage has padding");
_Static_assert(sizeof(struct pd_common) == 8 * PD_COMMON_WORDS, "common has padding");

#endif

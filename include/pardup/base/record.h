/*
 * base/record.h - the records that travel between stages, and nothing else.
 *
 *   corpus -> document -> feature -> [posting] -> join -> [fan] -> passage -> [passage] -> result
 *
 * They cross ranks and disks as raw bytes: no pointers, no padding with chance contents. All but
 * fans (base/fan.h) and blocks are of fixed width with their key at the front, in 64-bit words, so that
 * pd_sort_records() orders them.
 */
#ifndef PARDUP_BASE_RECORD_H
#define PARDUP_BASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pardup/base/vec.h"

typedef uint64_t pd_sig; /* one feature of a unit, hashed */
typedef uint64_t pd_doc; /* document number: its place in the collection, from 0 */

/*
 * A unit of a document, and the name of its class: sig and the first PD_NAME_BITS of `more`, the
 * hash of its signature set (of its 128 bits ten make room for the document: two sets share a name
 * with probability 2^-118). Owner rank: by sig. Order: sig, more, doc, unit.
 */
struct pd_posting {
    pd_sig sig;
    uint64_t more_doc; /* PD_NAME_BITS of more, the high bits of doc */
    uint64_t doc_unit; /* PD_DOC_LOW bits of doc, 32 of the unit, the flags */
};
PD_VEC(pd_postings, struct pd_posting);
#define PD_POSTING_U64S 3

enum { PD_NAME_BITS = 54, PD_DOC_BITS = 40, PD_FLAG_BITS = 2 }; /* doc < 2^PD_DOC_BITS */
enum { PD_DOC_HIGH = 64 - PD_NAME_BITS, PD_DOC_LOW = PD_DOC_BITS - PD_DOC_HIGH };
_Static_assert(PD_DOC_LOW + 32 + PD_FLAG_BITS == 64, "a posting has three full words");

/* Flags of a unit. */
enum {
    PD_QUERY_ONLY = 1, /* takes no part when its document is the earlier one */
    PD_LARGE_SET = 2   /* matches identical sets only */
};

/* unit: from 0 within the document. */
static inline struct pd_posting pd_posting_of(pd_sig sig, uint64_t more, pd_doc doc, uint32_t unit,
                                              unsigned flags)
{
    return (struct pd_posting){sig, more >> PD_DOC_HIGH << PD_DOC_HIGH | doc >> PD_DOC_LOW,
                               doc << (64 - PD_DOC_LOW) | (uint64_t)unit << PD_FLAG_BITS | flags};
}

static inline pd_doc pd_posting_doc(const struct pd_posting *p)
{
    return (p->more_doc << (64 - PD_DOC_HIGH)) >> (64 - PD_DOC_BITS) |
           p->doc_unit >> (64 - PD_DOC_LOW);
}

static inline uint32_t pd_posting_unit(const struct pd_posting *p)
{
    return (uint32_t)(p->doc_unit >> PD_FLAG_BITS);
}

static inline unsigned pd_posting_flags(const struct pd_posting *p)
{
    return p->doc_unit & ((1u << PD_FLAG_BITS) - 1);
}

static inline bool pd_same_class(const struct pd_posting *p, const struct pd_posting *q)
{
    return p->sig == q->sig && (p->more_doc ^ q->more_doc) >> PD_DOC_HIGH == 0;
}

/* A unit of a class. */
struct pd_occurrence {
    pd_doc doc;
    uint32_t unit, flags;
};

/* Units with the same signature set, in order of (doc, unit). */
struct pd_class {
    uint64_t number; /* among those of its owner, in order of set name */
    uint64_t n;      /* units */
    pd_sig sig;
    uint64_t large; /* PD_LARGE_SET or 0 */
    struct pd_occurrence at[];
};
PD_VEC(pd_u64s, uint64_t); /* room for records of varying size */

static inline size_t pd_class_bytes(const struct pd_class *c)
{
    return sizeof *c + c->n * sizeof *c->at;
}

/* Two classes, similar but not identical, by their numbers, x < y. Order: x, y. */
struct pd_similar {
    uint64_t x, y;
    double similarity;
};
PD_VEC(pd_similars, struct pd_similar);

/*
 * A block of dots: each of `ni` sentences of document a duplicates each of `nj` sentences of
 * document b, a < b: what fans say of one pair. A sentence that stands n times in one document and
 * m times in another makes one block of n + m numbers, not n * m dots: tables full of "0" are common.
 */
struct pd_block {
    uint32_t size; /* bytes of the record with its units, padded to a multiple of 8 */
    uint16_t ni;
    uint16_t nj;
    pd_doc a, b;
    uint32_t units[]; /* ni sentences of a, ascending, then nj of b, ascending */
    /* last, when they are not identical: their similarity, a double (see pd_block_similarity) */
};
#define PD_BLOCK_MOST 16384 /* sentences a side, at most */

static inline uint32_t pd_block_size(size_t ni, size_t nj)
{
    return (uint32_t)((sizeof(struct pd_block) + (ni + nj) * sizeof(uint32_t) + 7) / 8 * 8);
}

/* Similar ones are 8 bytes longer than identical ones: their similarity is the last word. */
static inline double pd_block_similarity(const struct pd_block *b)
{
    double similarity = 1;
    if (b->size > pd_block_size(b->ni, b->nj))
        memcpy(&similarity, (const char *)b + b->size - sizeof similarity, sizeof similarity);
    return similarity;
}

/* Two 32-bit numbers in one word, the first in the high half: they sort as a pair. */
static inline uint64_t pd_ij(uint32_t i, uint32_t j) { return (uint64_t)i << 32 | j; }

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
#define PD_COMMON_U64S 4

_Static_assert(sizeof(struct pd_posting) == 8 * PD_POSTING_U64S, "posting has padding");
_Static_assert(sizeof(struct pd_occurrence) == 16, "occurrence has padding");
_Static_assert(sizeof(struct pd_class) == 2 * sizeof(struct pd_occurrence), "class has padding");
_Static_assert(sizeof(struct pd_block) == 24, "block has padding");
_Static_assert(sizeof(struct pd_passage) == 48, "passage has padding");
_Static_assert(sizeof(struct pd_common) == 8 * PD_COMMON_U64S, "common has padding");

#endif

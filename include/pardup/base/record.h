/*
 * base/record.h - the records that travel between stages.
 *
 *   corpus -> document -> feature -> [posting] -> join -> [fan] -> passage -> [passage] -> result
 *
 * Records go to other ranks and to disk as raw bytes, so they have no pointers and no padding with
 * undefined contents. A record has a fixed size and begins with its key, a few u64s, so that
 * pd_sort_records() orders it. Classes, fans (base/fan.h) and blocks of dots vary in size.
 */
#ifndef PARDUP_BASE_RECORD_H
#define PARDUP_BASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pardup/base/vec.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "pardup needs a little-endian processor");

typedef uint64_t pd_sig; /* one feature of a unit, hashed */
typedef uint64_t pd_doc; /* document number: documents are counted in collection order from 0 */

/*
 * A unit of a document with the set name of its class. The name has 118 bits of a 128-bit hash of
 * the signature set: `sig` and the first PD_NAME_BITS of `more`. The other ten bits make room for
 * the document. Two sets share a name with probability 2^-118. Travels to the owner of sig. Order:
 * sig, more, doc, unit.
 */
struct pd_posting {
    pd_sig sig;        /* first half of the hash */
    uint64_t more_doc; /* first PD_NAME_BITS of `more`, then the high PD_DOC_HIGH bits of doc */
    uint64_t doc_unit; /* low PD_DOC_LOW bits of doc, 32 bits of unit, PD_FLAG_BITS of flags */
};
PD_VEC(pd_postings, struct pd_posting);
#define PD_POSTING_U64S 3

enum {
    PD_NAME_BITS = 54, /* bits of `more` in a posting */
    PD_DOC_BITS = 39,  /* bits of a document number */
    PD_FLAG_BITS = 3   /* bits of the flags of a unit */
};
enum {
    PD_DOC_HIGH = 64 - PD_NAME_BITS,       /* bits of doc in more_doc */
    PD_DOC_LOW = PD_DOC_BITS - PD_DOC_HIGH /* bits of doc in doc_unit */
};
_Static_assert(PD_DOC_LOW + 32 + PD_FLAG_BITS == 64, "a posting has three full words");

/* Flags of a unit, a bit each. */
enum {
    PD_QUERY_ONLY = 1, /* the unit makes no dot with a later document */

    /*
     * always with PD_WHOLE: text of a brief document (run/stage/classes/brief.h); the first or the
     * last unit of all such text of the document is in place of the unit
     */
    PD_BRIEF = 2,

    /* no unit, but all words of the document; its number of units is in place of a unit's number */
    PD_WHOLE = 4
};

/* A posting of unit number `unit` of document `doc`; units of a document are counted from 0. */
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

/* Two postings have the same set name. */
static inline bool pd_same_class(const struct pd_posting *p, const struct pd_posting *q)
{
    return p->sig == q->sig && (p->more_doc ^ q->more_doc) >> PD_DOC_HIGH == 0;
}

/* A unit of a class. */
struct pd_occurrence {
    pd_doc doc;     /* its document */
    uint32_t unit;  /* its number in the document, from 0 */
    uint32_t flags; /* its flags; in a class with anchors also its tier (join/anchors.h) */
};

/* Units with the same signature set. */
struct pd_class {
    /* number among the classes of its owner, in order of set name; PD_WHOLE: UINT64_MAX */
    uint64_t number;
    uint64_t n;                /* occurrences */
    pd_sig sig;                /* first half of the set name */
    uint64_t flags;            /* PD_WHOLE, PD_ANCHORS, or 0 */
    struct pd_occurrence at[]; /* the occurrences, in order of (doc, unit) */
};

/* Flag of a class: it has only the occurrences that join/anchors.h says, in another order. */
#define PD_ANCHORS ((uint64_t)1 << 32)

PD_VEC(pd_u64s, uint64_t); /* room for records of several sizes */

/* Bytes of a class with its occurrences. */
static inline size_t pd_class_bytes(const struct pd_class *c)
{
    return sizeof *c + c->n * sizeof *c->at;
}

/* Is a class in `df` documents common? No class is if max_df is 0. */
static inline bool pd_is_common(uint64_t df, uint64_t max_df) { return max_df && df > max_df; }

/*
 * How many of n units with one name in one document count.
 *   most   units that may recur; 0: any number
 *   first  if there are more, the first ones count; else none does
 */
static inline uint64_t pd_repeats_count(uint64_t n, uint64_t most, bool first)
{
    return !most || n <= most ? n : first ? most : 0;
}

/* Two classes that are similar but not the same. Order: x, y. */
struct pd_similar {
    uint64_t x, y;     /* numbers of the classes, x < y */
    double similarity; /* (0, 1] */
};
PD_VEC(pd_similars, struct pd_similar);

/*
 * A block of dots: each of `ni` units of document a matches each of `nj` units of document b. It is
 * the share of one document pair in a fan. A unit that occurs n times in one document and m times
 * in another makes one block of n + m numbers, not n * m dots: tables full of "0" are common.
 */
struct pd_block {
    uint32_t size;    /* bytes of the whole record, a multiple of 8 */
    uint16_t ni;      /* units of a, at most PD_BLOCK_MOST */
    uint16_t nj;      /* units of b, at most PD_BLOCK_MOST */
    pd_doc a, b;      /* the documents, a < b; with --within also a = b */
    uint32_t units[]; /* ni units of a, ascending, then nj units of b, ascending */
    /*
     * If the units are similar but not identical, a double follows: see pd_block_similarity().
     * If ni is 0, the block has no dots. If nj is 2, it says that the documents are equal word for
     * word, and how many units a and b have. If nj is 4, they share text as brief documents, and
     * `units` holds a struct pd_brief.
     */
};
#define PD_BLOCK_MOST 16384

/* Bytes of a block of identical units. */
static inline uint32_t pd_block_size(size_t ni, size_t nj)
{
    return (uint32_t)((sizeof(struct pd_block) + (ni + nj) * sizeof(uint32_t) + 7) / 8 * 8);
}

/* Does the block say that the two documents are equal word for word? */
static inline bool pd_block_is_whole(const struct pd_block *b) { return b->ni == 0 && b->nj == 2; }

/*
 * Two brief documents that share text (run/stage/classes/brief.h): the first and the last unit of
 * their text outside templates.
 */
struct pd_brief {
    uint32_t first_a, last_a, first_b, last_b;
};

/* The text of the documents of a block; NULL: the block does not say that they are brief. */
static inline const struct pd_brief *pd_block_brief(const struct pd_block *b)
{
    return b->ni == 0 && b->nj == 4 ? (const struct pd_brief *)(const void *)b->units : NULL;
}

/*
 * The similarity of the units, (0, 1]; 1: identical. A block of similar units is 8 bytes longer
 * than a block of identical units and ends with the similarity.
 */
static inline double pd_block_similarity(const struct pd_block *b)
{
    double similarity = 1;
    if (b->size > pd_block_size(b->ni, b->nj))
        memcpy(&similarity, (const char *)b + b->size - sizeof similarity, sizeof similarity);
    return similarity;
}

/* A u64 of two 32-bit numbers, i in the high half, so that u64s sort by (i, j). */
static inline uint64_t pd_ij(uint32_t i, uint32_t j) { return (uint64_t)i << 32 | j; }

/* How a passage was found. Copies are never too short. */
enum pd_copy {
    PD_COPY_NO,    /* by units that match */
    PD_COPY_WHOLE, /* the documents are equal word for word */
    PD_COPY_BRIEF  /* two brief documents share text: most of their words must agree */
};

/* Units [start_a, start_a + length_a) of document a match [start_b, start_b + length_b) of b. */
struct pd_passage {
    pd_doc a, b; /* the documents, a < b; with --within also a = b */
    uint32_t start_a, start_b, length_a, length_b;
    uint32_t matched;  /* dots on the longest chain of the passage */
    uint32_t copy;     /* enum pd_copy */
    double similarity; /* mean similarity of the matched units, (0, 1] */
};
PD_VEC(pd_passages, struct pd_passage);

/* What a row of /aside is. Order: of rows with one first occurrence. */
enum pd_aside_why {
    PD_ASIDE_COMMON, /* a class of units that --max-df sets aside, or matches in one document only */
    PD_ASIDE_WHOLE,  /* the same of whole documents */
    PD_ASIDE_CROWDED,  /* a class that --max-near or --sct sets aside */
    PD_ASIDE_IMPRINT,  /* what many sites have at an end (join/templates.h) */
    PD_ASIDE_TEMPLATE, /* what many documents of a site have */
    PD_ASIDE_STUB,     /* what is set aside on stubs of a site only (join/stubs.h) */
    PD_ASIDE_WHYS
};

/* A class that is set aside. Order: sig. */
struct pd_common {
    pd_sig sig;    /* first half of the set name */
    uint64_t df;   /* documents in which the class occurs */
    pd_doc doc;    /* document of the first occurrence */
    uint64_t unit; /* unit of the first occurrence; 0 of a whole document */
    uint64_t why;  /* enum pd_aside_why, up to PD_ASIDE_CROWDED */
};
PD_VEC(pd_commons, struct pd_common);
#define PD_COMMON_U64S 5

_Static_assert(sizeof(struct pd_posting) == 8 * PD_POSTING_U64S, "posting has padding");
_Static_assert(sizeof(struct pd_occurrence) == 16, "occurrence has padding");
_Static_assert(sizeof(struct pd_class) == 2 * sizeof(struct pd_occurrence), "class has padding");
_Static_assert(sizeof(struct pd_block) == 24, "block has padding");
_Static_assert(sizeof(struct pd_passage) == 48, "passage has padding");
_Static_assert(sizeof(struct pd_common) == 8 * PD_COMMON_U64S, "common has padding");

#endif

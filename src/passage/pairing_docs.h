/*
 * passage/pairing_docs.h - the second documents of one first document: a hash table that numbers
 * them and counts their dots.
 */
#ifndef PARDUP_PASSAGE_PAIRING_DOCS_H
#define PARDUP_PASSAGE_PAIRING_DOCS_H

#include <stdbool.h>

#include "pardup/base/record.h"
#include "pardup/base/vec.h"

#define PD_NOBODY UINT64_MAX /* in place of a second document: a free slot */

/* A second document. `briefs` and `dealt_blocks` are members of struct pd_pairing. */
struct pd_second_doc {
    pd_doc b;             /* the document */
    uint32_t ndots;       /* its dots; set at the end, until then its slot counts them */
    uint32_t nblocks;     /* its blocks */
    uint32_t next_block;  /* where in `dealt_blocks` its next block goes */
    uint32_t slot;        /* index of its slot */
    uint64_t block_units; /* units of a in its blocks, repeats included: an upper bound */
    uint64_t block_dots;  /* dots in its blocks */
    bool similar;         /* some of its blocks are of units that are not identical */
    bool whole;           /* one of its blocks says that it is equal to a */
    bool has_brief;       /* it shares text with a as brief documents do */
    uint32_t brief;       /* that text, in `briefs` */
};
PD_VEC(pd_second_docs, struct pd_second_doc);

/* A slot of the hash table. It holds everything that is read and changed for a dot. */
struct pd_doc_slot {
    pd_doc b;           /* a second document; PD_NOBODY: the slot is free */
    uint32_t doc_index; /* the document in `docs` */
    uint32_t ndots;     /* its dots so far */
};
PD_VEC(pd_doc_slots, struct pd_doc_slot);

/* The second documents, in order of first appearance, and the slots in which they are found. */
struct pd_doc_table {
    struct pd_second_docs docs;
    struct pd_doc_slots slots; /* a power of two of them, at least twice as many as `docs` */
};

void pd_doc_table_init(struct pd_doc_table *t);
void pd_doc_table_release(struct pd_doc_table *t);

/* Forget all documents. */
void pd_doc_table_clear(struct pd_doc_table *t);

/* The first slot of the probe sequence of a document. */
static inline uint32_t pd_doc_table_home(const struct pd_doc_table *t, pd_doc b)
{
    const uint64_t spread = 0x9E3779B97F4A7C15u; /* Fibonacci hashing: the high half is mixed */
    return (uint32_t)(b * spread >> 32) & ((uint32_t)t->slots.n - 1);
}

/* The slot that is probed next. */
static inline uint32_t pd_doc_table_next(const struct pd_doc_table *t, uint32_t slot)
{
    return (slot + 1) & ((uint32_t)t->slots.n - 1);
}

/* Enter a new second document at a free slot. Returns its slot, which may have moved. */
struct pd_doc_slot *pd_doc_table_enter(struct pd_doc_table *t, pd_doc b, uint32_t slot);

/* The slot of second document b, which is entered if it is new. Valid until the next call. */
static inline struct pd_doc_slot *pd_doc_table_slot(struct pd_doc_table *t, pd_doc b)
{
    uint32_t slot = pd_doc_table_home(t, b);
    while (t->slots.v[slot].b != b) {
        if (t->slots.v[slot].b == PD_NOBODY)
            return pd_doc_table_enter(t, b, slot);
        slot = pd_doc_table_next(t, slot);
    }
    return &t->slots.v[slot];
}

#endif

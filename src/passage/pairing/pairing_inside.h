/*
 * passage/pairing/pairing_inside.h - what the parts of a pairing share.
 *
 * pairing.c collects dots and deals them to pairs, pairing_pairs.c hands them out. Names in
 * backquotes are members of struct pd_pairing.
 */
#ifndef PARDUP_PASSAGE_PAIRING_INSIDE_H
#define PARDUP_PASSAGE_PAIRING_INSIDE_H

#include <stdbool.h>

#include "pardup/base/bytes.h"
#include "pardup/base/record.h"
#include "pardup/base/vec.h"
#include "pardup/passage/pairing.h"

/*
 * The second documents of one first document: a hash table that numbers
 * them and counts their dots.
 */

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

/* A fan whose units are in `units`. */
struct pd_unfolded_fan {
    uint32_t a_units;  /* where in `units` its units of a begin */
    uint16_t ni;       /* units of a */
    bool whole;        /* PD_FAN_WHOLE: its blocks have no dots */
    bool brief;        /* PD_FAN_BRIEF: it has no blocks */
    size_t dots_end;   /* where in `dots` its dots end; they follow the dots of the fan before */
    size_t blocks_end; /* where in `blocks` its blocks end */
    double similarity; /* of the units, (0, 1]; 1: identical */
};
PD_VEC(pd_unfolded_fans, struct pd_unfolded_fan);

/*
 * A single dot: the fan has one unit of a and one unit of the second document, and the units are
 * identical.
 */
struct pd_single_dot {
    uint32_t doc_index; /* the second document, in `docs` */
    uint32_t j;         /* unit of the second document */
};
PD_VEC(pd_single_dots, struct pd_single_dot);

/* Any other block of dots: the units of a fan with its units of one second document. */
struct pd_dot_block {
    uint32_t doc_index; /* the second document, in `docs` */
    uint32_t fan;       /* index in `fans` */
    uint32_t b_units;   /* where in `units` its units of the second document begin */
    uint32_t nj;        /* units of the second document */
};
PD_VEC(pd_dot_blocks, struct pd_dot_block);

/* A second document that makes a pair with a. Order: b. */
struct pd_chosen_pair {
    pd_doc b;
    uint64_t doc_index; /* the document in `docs` */
};
PD_VEC(pd_chosen_pairs, struct pd_chosen_pair);

PD_VEC(pd_unit_numbers, uint32_t);
PD_VEC(pd_block_records, const struct pd_block *);
PD_VEC(pd_briefs, struct pd_brief);

struct pd_pairing {
    pd_doc a; /* the first document */

    /* what has been added */
    struct pd_unit_numbers units; /* units of all unfolded fans */
    struct pd_unfolded_fans fans; /* all fans of a */
    struct pd_single_dots dots;   /* their dots of identical units */
    struct pd_dot_blocks blocks;  /* their other blocks */
    struct pd_briefs briefs;      /* text that a shares as a brief document */
    struct pd_doc_table table;    /* the second documents, `docs` */

    /* what pd_pairing_end makes of it */
    struct pd_chosen_pairs pairs;        /* the second documents that make a pair, in order */
    struct pd_u64s fan_order;            /* pd_ij(first unit of a, index) of each fan, sorted */
    struct pd_unit_numbers dealt_to;     /* per document: where its next dot goes in `dealt_dots` */
    struct pd_u64s dealt_dots;           /* dots pd_ij(i, j), sorted by pair */
    struct pd_unit_numbers dealt_blocks; /* indices of blocks, sorted by pair */

    /* pd_pairing_next */
    size_t next_pair;                    /* index in `pairs` */
    struct pd_u64s pair_dots;            /* all dots of the current pair, if it also has blocks */
    struct pd_block_records pair_blocks; /* all blocks of the current pair, in `block_room` */

    /* pd_pairing_block: indices in the members of these names */
    size_t next_dot, next_block, next_fan, next_doc;

    struct pd_bytes block_room; /* memory for struct pd_block */
};

#endif

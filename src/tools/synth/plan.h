/*
 * tools/synth/plan.h - which document copies from which; computed from a document's number alone.
 *
 * Each document has a slot. PD_SYNTH_BLOCK consecutive slots are a block. Documents copy only from
 * documents of the same block. The first slots of a block are groups of near duplicates. The other
 * slots are independent pages, and some of them have a partial copy. A slot copies only from lower
 * slots, so its text is made by following parents.
 *
 * A permutation assigns the documents to slots, so that the documents of a block lie scattered. It
 * permutes only within a window of PD_SYNTH_WINDOW documents, so a shard needs the plans of one or
 * two windows.
 */
#ifndef PARDUP_TOOLS_SYNTH_PLAN_H
#define PARDUP_TOOLS_SYNTH_PLAN_H

#include "options.h"
#include "pardup/base/vec.h"
#include "random.h"

#define PD_SYNTH_BLOCK  4096u                 /* slots of a block */
#define PD_SYNTH_WINDOW (64 * PD_SYNTH_BLOCK) /* documents, and slots, of a window */
#define PD_SYNTH_BINS   40                    /* quantiles of pages by length that are balanced */
#define PD_SYNTH_NONE   UINT32_MAX            /* no slot, no group */

/* The plan of one document. */
struct pd_synth_slot {
    uint32_t sentences; /* of the main text; edits change the number in a near duplicate */
    uint32_t host;
    uint32_t parent; /* the slot it copies from, numbered in the block; PD_SYNTH_NONE: no copy */
    uint32_t group;  /* number of its group in the block; PD_SYNTH_NONE: in no group */
    uint32_t run;    /* sentences of its partial copy; 0: it has none */
};
PD_VEC(pd_synth_slots, struct pd_synth_slot);

/* The plan of a collection. */
struct pd_synth_plan {
    uint64_t seed;
    uint64_t documents;
    uint64_t groups; /* groups of near duplicates */
    uint64_t copies; /* documents with a partial copy */
    uint64_t hosts;
    /* lengths[k]: share of the independent pages that are in the first k quantiles by length */
    double lengths[PD_SYNTH_BINS + 1];
    uint64_t window; /* the window whose blocks are kept */
    struct pd_synth_slots block[PD_SYNTH_WINDOW / PD_SYNTH_BLOCK]; /* its blocks; empty: not made */
};

/*
 * Plan a collection of `documents` > 0 documents; o->documents is not used.
 *   p  zeroed
 */
void pd_synth_plan_init(struct pd_synth_plan *p, const struct pd_synth_options *o,
                        uint64_t documents);
void pd_synth_plan_release(struct pd_synth_plan *p);

/* The slot of a document, and the document of a slot. */
uint64_t pd_synth_slot_of(const struct pd_synth_plan *p, uint64_t document);
uint64_t pd_synth_document_of(const struct pd_synth_plan *p, uint64_t slot);

/* The slots of a block. Borrowed until a block of another window is asked for. */
const struct pd_synth_slots *pd_synth_block(struct pd_synth_plan *p, uint64_t block);

/* How many sentences the main text has at the quantile u of all pages, 0 < u < 1. */
uint32_t pd_synth_page_sentences(double u);

/* The host at the quantile u of all pages, 0 <= u < 1: a number below `hosts`, by Zipf's law. */
uint32_t pd_synth_host_at(uint64_t hosts, double u);

#endif

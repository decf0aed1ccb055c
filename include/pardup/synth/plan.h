/*
 * synth/plan.h - who copies from whom, computable from a document's number alone.
 *
 * Documents lie scattered over slots; PD_SYNTH_BLOCK slots are a block, within which all copying
 * happens. A block's first slots are the groups of near duplicates, the others are pages of their
 * own of which some hold a partial copy. A slot copies from lower slots only, so content is made
 * by following parents. Scattering stays inside a window of PD_SYNTH_WINDOW documents, so that a
 * shard needs the plans of one or two windows.
 */
#ifndef PARDUP_SYNTH_PLAN_H
#define PARDUP_SYNTH_PLAN_H

#include "pardup/base/vec.h"
#include "pardup/synth/options.h"
#include "pardup/synth/random.h"

#define PD_SYNTH_BLOCK  4096u
#define PD_SYNTH_WINDOW (64 * PD_SYNTH_BLOCK)
#define PD_SYNTH_BINS   40
#define PD_SYNTH_NONE   UINT32_MAX

struct pd_synth_slot {
    uint32_t sentences; /* of its own; a near duplicate has about as many as its parent */
    uint32_t host;
    uint32_t parent; /* slot of the block it copies from, PD_SYNTH_NONE: none */
    uint32_t group;  /* within the block, PD_SYNTH_NONE: none */
    uint32_t run;    /* sentences of a partial copy, 0: none */
};
PD_VEC(pd_synth_slots, struct pd_synth_slot);

struct pd_synth_plan {
    uint64_t seed;
    uint64_t documents;
    uint64_t groups;
    uint64_t copies;
    uint64_t hosts;
    double lengths[PD_SYNTH_BINS + 1]; /* of pages in no group: cumulated share of each quantile */
    uint64_t window;                   /* the one whose blocks are kept */
    struct pd_synth_slots block[PD_SYNTH_WINDOW / PD_SYNTH_BLOCK]; /* empty: not made yet */
};

/* `documents` > 0. */
void pd_synth_plan_init(struct pd_synth_plan *p, const struct pd_synth_options *o,
                        uint64_t documents);
void pd_synth_plan_release(struct pd_synth_plan *p);

uint64_t pd_synth_slot_of(const struct pd_synth_plan *p, uint64_t document);
uint64_t pd_synth_document_of(const struct pd_synth_plan *p, uint64_t slot);

/* The slots of a block; borrowed until a block of another window is asked for. */
const struct pd_synth_slots *pd_synth_block(struct pd_synth_plan *p, uint64_t block);

/* Sentences of a page's main text, at quantile u. */
uint32_t pd_synth_page_sentences(double u);
uint32_t pd_synth_host_at(uint64_t hosts, double u);

#endif

/* synth/content.h - the main text of a page, sentence by sentence, with where it comes from. */
#ifndef PARDUP_SYNTH_CONTENT_H
#define PARDUP_SYNTH_CONTENT_H

#include "pardup/synth/edit.h"
#include "pardup/synth/plan.h"

#define PD_SYNTH_PARTS 2

/*
 * Bytes [begin, end) of a sentence stand for bytes [root_begin, root_end) of the sentence `root`
 * as it was first written. Parts with one root are copies of each other.
 */
struct pd_synth_part {
    uint64_t root; /* slot << 20 | sentence */
    uint32_t begin, end;
    uint32_t root_begin, root_end;
    uint32_t edited; /* 1: stands for the whole of it, byte offsets do not carry over */
    uint32_t zero;
};

struct pd_synth_sentence {
    uint32_t begin, end; /* in bytes */
    uint32_t nparts;
    uint32_t op;     /* enum pd_synth_op of the last copying; SAME when original */
    uint32_t copied; /* 1: it was copied into this page (whole, not at a cut) */
    uint32_t cut;    /* 1: composed of two halves */
    struct pd_synth_part part[PD_SYNTH_PARTS];
};
PD_VEC(pd_synth_sentences, struct pd_synth_sentence);

struct pd_synth_content {
    struct pd_bytes bytes; /* sentences back to back */
    struct pd_synth_sentences sentences;
    uint64_t deleted; /* sentences of the parent that are not here */
};

struct pd_synth_maker {
    struct pd_synth_options options;
    struct pd_synth_words words;
    struct pd_synth_plan plan;
    double filler; /* see page.h */
};

/* Replace `c` by the main text of a slot. */
void pd_synth_content(struct pd_synth_maker *m, uint64_t slot, struct pd_synth_content *c);

/* Append `n` sentences of a slot's own, without copies. */
void pd_synth_content_original(const struct pd_synth_maker *m, uint64_t slot, uint32_t n,
                               struct pd_synth_content *c);
void pd_synth_content_release(struct pd_synth_content *c);

#endif

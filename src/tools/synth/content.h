/* tools/synth/content.h - the main text of a page, sentence by sentence, and the origin of each. */
#ifndef PARDUP_TOOLS_SYNTH_CONTENT_H
#define PARDUP_TOOLS_SYNTH_CONTENT_H

#include "edit.h"
#include "plan.h"

#define PD_SYNTH_PARTS 2 /* the most parts of a sentence */

/*
 * A part of a sentence with its origin: bytes [begin, end) of the sentence are a copy of bytes
 * [root_begin, root_end) of the root, the sentence as it was first written. Parts with the same
 * root are copies of each other.
 */
struct pd_synth_part {
    uint64_t root; /* slot << 20 | number of the sentence in that slot */
    uint32_t begin, end;
    uint32_t root_begin, root_end;
    uint32_t edited; /* 1: words have changed; the part stands for the root as a whole */
    uint32_t zero;   /* padding */
};

/* A sentence of a page, and where its words come from. */
struct pd_synth_sentence {
    uint32_t begin, end; /* bytes of pd_synth_content.bytes */
    uint32_t nparts;     /* parts in use, 1 or more */
    uint32_t op;         /* enum pd_synth_op, what the last copy did to it; SAME if not a copy */
    uint32_t copied;     /* 1: copied whole from another page */
    uint32_t cut;        /* 1: half of one sentence, then half of another */
    struct pd_synth_part part[PD_SYNTH_PARTS];
};
PD_VEC(pd_synth_sentences, struct pd_synth_sentence);

/* The main text of a page. */
struct pd_synth_content {
    struct pd_bytes bytes; /* the sentences without anything between them */
    struct pd_synth_sentences sentences;
    uint64_t deleted; /* sentences of the parent that were not copied */
};

/* All that is needed to make any document: see pd_synth_open in page.h. */
struct pd_synth_maker {
    struct pd_synth_options options;
    struct pd_synth_words words;
    struct pd_synth_plan plan;
    double filler; /* bytes of style, script and data in a page: the mean */
};

/* Make the main text of a slot; it replaces what `c` holds. */
void pd_synth_content(struct pd_synth_maker *m, uint64_t slot, struct pd_synth_content *c);

/* Append the first n sentences that a slot has if it copies nothing. */
void pd_synth_content_original(const struct pd_synth_maker *m, uint64_t slot, uint32_t n,
                               struct pd_synth_content *c);
void pd_synth_content_release(struct pd_synth_content *c);

#endif

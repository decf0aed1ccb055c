/*
 * tools/synth/edit.h - what happens to a sentence when it is copied.
 *
 * An edit replaces some words by new words, one for one, or some characters by other characters,
 * one for one. So only replaced words change the length of a sentence in bytes.
 */
#ifndef PARDUP_TOOLS_SYNTH_EDIT_H
#define PARDUP_TOOLS_SYNTH_EDIT_H

#include <stdbool.h>

#include "options.h"
#include "words.h"

/* What happens to a sentence. */
enum pd_synth_op {
    PD_SYNTH_SAME,     /* it is copied as it is */
    PD_SYNTH_MARKS,    /* punctuation or upper and lower case change, not words */
    PD_SYNTH_ABOVE,    /* the most words that keep the Jaccard index >= tau are replaced */
    PD_SYNTH_BELOW,    /* one more word is replaced than for ABOVE */
    PD_SYNTH_REWORDED, /* 10 to 40 % of the words are replaced */
    PD_SYNTH_NEW,      /* a new sentence takes its place */
    PD_SYNTH_INSERTED, /* a new sentence is inserted before it */
    PD_SYNTH_DELETED,  /* it is left out */
    PD_SYNTH_OPS
};

/* How often a profile edits. */
struct pd_synth_rates {
    double replaced;           /* share of the sentences whose words are replaced */
    double moved;              /* share of the sentences that are inserted or deleted, half each */
    double wrong_lo, wrong_hi; /* share of wrong letters: least and most in a document */
};
extern const struct pd_synth_rates pd_synth_rates[]; /* by enum pd_synth_profile */
extern const char *const pd_synth_profile_names[];   /* NULL after the last */

/* Draw what happens to a sentence of a near duplicate. */
enum pd_synth_op pd_synth_draw_op(enum pd_synth_profile profile, struct pd_synth_random *r);

/* Who edits sentences. */
struct pd_synth_editor {
    const struct pd_synth_words *words; /* new words come from here */
    double tau;                         /* the Jaccard index that ABOVE and BELOW refer to */
    struct pd_synth_random *random;
};

/*
 * Append the sentence s[0, n) to `out`, edited.
 *   op   SAME to REWORDED
 * Returns true if words may have changed.
 */
bool pd_synth_edit(const struct pd_synth_editor *e, enum pd_synth_op op, const unsigned char *s,
                   size_t n, struct pd_bytes *out);

/* Replace each ASCII letter by a wrong one with probability `rate`. */
void pd_synth_misread(double rate, struct pd_synth_random *r, unsigned char *s, size_t n);

#endif

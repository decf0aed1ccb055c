/*
 * synth/edit.h - what happens to a sentence when it is copied.
 *
 * Words are put in place of others one for one, characters likewise, so that all edits but
 * substitution keep the length in bytes.
 */
#ifndef PARDUP_SYNTH_EDIT_H
#define PARDUP_SYNTH_EDIT_H

#include <stdbool.h>

#include "pardup/synth/options.h"
#include "pardup/synth/words.h"

enum pd_synth_op {
    PD_SYNTH_SAME,
    PD_SYNTH_MARKS,    /* punctuation or case only: the same words */
    PD_SYNTH_ABOVE,    /* as many words replaced as keep Jaccard >= tau */
    PD_SYNTH_BELOW,    /* one more */
    PD_SYNTH_REWORDED, /* a tenth to four tenths of the words replaced */
    PD_SYNTH_NEW,      /* another sentence in its place */
    PD_SYNTH_INSERTED, /* a new sentence before it */
    PD_SYNTH_DELETED,
    PD_SYNTH_OPS
};

struct pd_synth_rates {
    double replaced;
    double moved;              /* moved: inserted or deleted */
    double wrong_lo, wrong_hi; /* share of characters that are wrong, by document */
};
extern const struct pd_synth_rates pd_synth_rates[];
extern const char *const pd_synth_profile_names[];

enum pd_synth_op pd_synth_draw_op(enum pd_synth_profile profile, struct pd_synth_random *r);

/* Append `s` to `out` after `op` (SAME to REWORDED). True when the words may have changed. */
bool pd_synth_edit(const struct pd_synth_words *w, enum pd_synth_op op, double tau,
                   struct pd_synth_random *r, const unsigned char *s, size_t n,
                   struct pd_bytes *out);

/* Put wrong letters in: each ASCII letter with probability `rate`. */
void pd_synth_misread(double rate, struct pd_synth_random *r, unsigned char *s, size_t n);

#endif

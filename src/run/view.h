/*
 * run/view.h - a document as its passages see it: all of its words, also words that are set aside.
 *
 * Base units in the frame of a page have no number if --frame sets them aside, and no unit is made
 * of their words. But a passage may reach over them, and then they are words of the passage.
 */
#ifndef PARDUP_RUN_VIEW_H
#define PARDUP_RUN_VIEW_H

#include "pardup/feature/units.h"
#include "pardup/passage/ends.h"
#include "pardup/store/blob.h"

struct pd_view {
    const struct pd_sentences
        *units;                  /* what is compared; `word` counts all words of the document */
    struct pd_aside_runs asides; /* words that are set aside */
    struct pd_word_numbers
        rows; /* for each numbered base unit its place among all; empty: the same */
    struct pd_word_numbers words; /* the words that units are made of; empty: all */

    /* private */
    struct pd_sentences base, derived; /* base units with numbers; units made of them */
};
void pd_view_release(struct pd_view *v);

/* The parts of a document that are set aside. */
struct pd_view_asides {
    const bool *in_frame; /* of each base unit: is it in a frame that is set aside? NULL: none is */
    const uint32_t *units; /* numbers of other base units, in order */
    size_t n;
};

/*
 * Make the view of a document.
 *   all, tokens  its base units and words; borrowed as long as the view is used. Words must have
 *                been decoded if the form needs that (feature/units.h)
 */
void pd_view_make(struct pd_view *v, const struct pd_units_form *form,
                  const struct pd_sentences *all, const struct pd_tokens *tokens,
                  const struct pd_view_asides *asides);

/*
 * Which base units of a document are in the frame of its page? `room` keeps the answer.
 */
const bool *pd_view_frame(const struct pd_stored *s, struct pd_bytes *room);

/* The place of a numbered base unit among all base units. */
static inline uint32_t pd_view_row(const struct pd_view *v, uint32_t unit)
{
    return v->rows.n ? v->rows.v[unit] : unit;
}

#endif

/* run/align/opened.c - see src/run/align/opened.h */
#include "opened.h"

#include "pardup/base/error.h"
#include "run/classes/sign.h"

int pd_opened_go(struct pd_opened *d, const struct pd_side *side, pd_doc number, bool in_turn)
{
    struct pd_collection *col = side->collection;
    if (d->held.rec && d->held.number == number)
        return PD_OK;
    PD_TRY(pd_collection_doc(col, number, &d->held));
    PD_CHECK(d->held.rec != NULL);
    PD_TRY(d->job->form.kind == PD_FORM_BASE ? pd_collection_open(col, &d->held, &d->stored)
                                             : pd_collection_stored(col, &d->held, &d->stored));
    if (in_turn)
        pd_collection_expect_next(col, &d->held);
    d->terms = pd_collection_volume(col, &d->held)->terms.v;
    d->units = pd_units_of(d->job, &d->stored, &d->derived);
    return PD_OK;
}

struct pd_ends pd_opened_ends(const struct pd_opened *d, uint32_t start, uint32_t length)
{
    return pd_ends_of(d->units, (uint32_t)d->stored.tokens.n, start, length,
                      d->job->options->method.edges == PD_EDGES_FAR);
}

void pd_opened_decode(struct pd_opened *d, const struct pd_edge_side *side,
                      enum pd_direction direction, uint32_t n)
{
    const uint32_t at = side->nearest;
    pd_stored_words(&d->stored, direction == PD_BACK ? at + 1 - n : at,
                    direction == PD_BACK ? at + 1 : at + n);
}

const struct pd_token *pd_opened_word(const struct pd_opened *d, const struct pd_edge_side *side,
                                      enum pd_direction direction, uint32_t k)
{
    return &d->stored.tokens.v[pd_edge_word(side, direction, k)];
}

uint64_t pd_opened_term(const struct pd_opened *d, const struct pd_token *token)
{
    return d->terms[token->term];
}

/*
 * One byte of the nearest word of a side, which has words. `unit` is the unit next to the passage
 * on that side.
 */
static uint8_t fringe_byte(const struct pd_opened *d, const struct pd_edge_side *side,
                           enum pd_direction direction, uint32_t unit)
{
    if (d->units != &d->stored.sentences) /* units of another form: all words have been decoded */
        return pd_fringe_of(pd_opened_term(d, pd_opened_word(d, side, direction, 0)));
    const struct pd_fringe fringe = pd_stored_fringe(&d->stored, unit);
    return direction == PD_BACK ? fringe.last : fringe.first;
}

uint8_t pd_opened_byte_back(const struct pd_opened *d, const struct pd_edge_side *back,
                            uint32_t start)
{
    return back->n ? fringe_byte(d, back, PD_BACK, start - 1) : 0;
}

uint8_t pd_opened_byte_ahead(const struct pd_opened *d, const struct pd_edge_side *ahead,
                             uint32_t end)
{
    return ahead->n ? fringe_byte(d, ahead, PD_AHEAD, end) : 0;
}

void pd_opened_forget(struct pd_opened *d) { d->held.rec = NULL; }

void pd_opened_release(struct pd_opened *d)
{
    pd_stored_release(&d->stored);
    pd_sentences_release(&d->derived);
}

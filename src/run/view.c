/* run/view.c - see src/run/view.h */
#include "run/view.h"

/* Give base unit k a number, and list its words. */
static void number(struct pd_view *v, const struct pd_sentences *all, size_t k)
{
    const struct pd_sentence *unit = &all->v[k];
    pd_sentences_push(&v->base, *unit);
    pd_word_numbers_push(&v->rows, (uint32_t)k);
    for (uint32_t word = unit->word; word < unit->word + unit->nwords; word++)
        pd_word_numbers_push(&v->words, word);
}

/* List the words that are set aside and, if there is a frame, what is left. */
static void set_aside(struct pd_view *v, const struct pd_sentences *all,
                      const struct pd_view_asides *asides)
{
    uint32_t n = 0; /* numbered base units so far */
    size_t at = 0;
    for (size_t k = 0; k < all->n; k++) {
        const struct pd_sentence *unit = &all->v[k];
        const bool frame = asides->in_frame && asides->in_frame[k];
        const bool other = !frame && at < asides->n && asides->units[at] == n;
        if ((frame || other) && unit->nwords)
            pd_aside_add(&v->asides, unit->word, unit->word + unit->nwords);
        if (!frame && asides->in_frame)
            number(v, all, k);
        at += other;
        n += !frame;
    }
}

/* Make grams of the words that are listed. Words between them are words of the gram, too. */
static void derive_grams(struct pd_view *v, const struct pd_token *tokens, uint32_t size)
{
    const uint32_t *words = v->words.v;
    v->derived.n = 0;
    for (size_t k = 0; k + size <= v->words.n; k++) {
        const uint32_t first = words[k], last = words[k + size - 1];
        pd_sentences_push(&v->derived, (struct pd_sentence){tokens[first].begin, tokens[last].end,
                                                            first, last + 1 - first});
    }
}

void pd_view_make(struct pd_view *v, const struct pd_units_form *form,
                  const struct pd_sentences *all, const struct pd_tokens *tokens,
                  const struct pd_view_asides *asides)
{
    const struct pd_sentences *base = asides->in_frame ? &v->base : all;
    v->asides.n = v->rows.n = v->base.n = v->words.n = 0;
    if (asides->in_frame || asides->n)
        set_aside(v, all, asides);
    v->units = base;
    if (form->kind == PD_FORM_BASE)
        return;
    if (asides->in_frame && form->kind == PD_FORM_GRAM)
        derive_grams(v, tokens->v, form->size);
    else
        pd_units_derive(form, base, tokens, &v->derived);
    v->units = &v->derived;
}

const bool *pd_view_frame(const struct pd_stored *s, struct pd_bytes *room)
{
    pd_bytes_reserve(room, (s->sentences.n + 1) * sizeof(bool));
    bool *in_frame = (bool *)(void *)room->v;
    for (size_t k = 0; k < s->sentences.n; k++)
        in_frame[k] = pd_stored_fringe(s, k).frame;
    return in_frame;
}

void pd_view_release(struct pd_view *v)
{
    pd_aside_runs_release(&v->asides);
    pd_word_numbers_release(&v->rows);
    PD_RELEASE(pd_sentences, &v->base, &v->derived);
    pd_word_numbers_release(&v->words);
}

/* feature/units.c - see include/pardup/feature/units.h */
#include "pardup/feature/units.h"

#include <string.h>

uint64_t pd_units_count(const struct pd_units_form *form, uint64_t nbase, uint64_t nwords)
{
    if (form->kind == PD_FORM_WHOLE)
        return nbase > 0;
    const uint64_t places = form->kind == PD_FORM_GRAM ? nwords : nbase;
    const uint64_t size = form->kind == PD_FORM_BASE ? 1 : form->size;
    return places < size ? 0 : places - size + 1;
}

static struct pd_sentence window_at(const struct pd_sentence *first, uint32_t size)
{
    const struct pd_sentence *last = first + size - 1;
    return (struct pd_sentence){first->begin, last->end, first->word,
                                last->word + last->nwords - first->word};
}

static struct pd_sentence gram_at(const struct pd_token *tokens, uint32_t word, uint32_t size)
{
    return (struct pd_sentence){tokens[word].begin, tokens[word + size - 1].end, word, size};
}

void pd_units_derive(const struct pd_units_form *form, const struct pd_sentences *base,
                     const struct pd_tokens *tokens, struct pd_sentences *units)
{
    units->n = pd_units_count(form, base->n, tokens->n);
    pd_sentences_reserve(units, units->n);
    switch (form->kind) {
    case PD_FORM_BASE:
        if (units->n)
            memcpy(units->v, base->v, units->n * sizeof *units->v);
        break;
    case PD_FORM_WINDOW:
        for (size_t k = 0; k < units->n; k++)
            units->v[k] = window_at(base->v + k, form->size);
        break;
    case PD_FORM_GRAM:
        for (size_t k = 0; k < units->n; k++)
            units->v[k] = gram_at(tokens->v, (uint32_t)k, form->size);
        break;
    case PD_FORM_WHOLE:
        if (units->n)
            units->v[0] = window_at(base->v, (uint32_t)base->n);
        break;
    }
}

/* True if two windows have the same word counts, base unit by base unit. */
static bool same_counts(const struct pd_sentence *x, const struct pd_sentence *y, uint32_t size)
{
    for (uint32_t k = 0; k < size; k++)
        if (x[k].nwords != y[k].nwords)
            return false;
    return true;
}

bool pd_units_indexed(const struct pd_units_form *form, const struct pd_sentences *base, uint32_t k)
{
    if (k % form->step)
        return false;
    if (!form->jump || form->kind != PD_FORM_WINDOW || k < form->step)
        return true;
    return !same_counts(base->v + k, base->v + k - form->step, form->size);
}

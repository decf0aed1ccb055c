/* run/stage/collection/fetch_units.c - units of fetched documents: see include/pardup/run/fetch.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/run/fetch.h"
#include "pardup/run/option_table.h"

/* Set *choice to the recorded value of an option of detect. */
static int choice_of(struct pd_result *r, const char *name, int *choice)
{
    char *value = NULL;
    PD_TRY(pd_result_text(r, name, &value));
    *choice = pd_option_choice(pd_option_find("detect", name, strlen(name)), value);
    free(value);
    return *choice >= 0 ? PD_OK
                        : pd_fail(PD_EFORMAT, "%s: attribute %s has an unknown value",
                                  pd_result_path(r), name);
}

/* Set how units are made, as the attributes say it. */
static int read_form(struct pd_result *r, int units, struct pd_units_form *form)
{
    char *window = NULL;
    uint64_t ngram = 0;
    unsigned size = 0;
    PD_TRY(pd_result_text(r, "window", &window));
    if (sscanf(window, "%u", &size) != 1 || size == 0 || !pd_result_count(r, "ngram", &ngram) ||
        ngram == 0 || ngram > UINT32_MAX)
        size = 0;
    free(window);
    if (size == 0)
        return pd_fail(PD_EFORMAT, "%s: attribute window or ngram is no number of units",
                       pd_result_path(r));
    *form = (struct pd_units_form){.kind = size > 1 ? PD_FORM_WINDOW : PD_FORM_BASE, .size = size};
    if (units == PD_UNIT_GRAM)
        *form = (struct pd_units_form){.kind = PD_FORM_GRAM, .size = (uint32_t)ngram};
    else if (units == PD_UNIT_DOCUMENT)
        form->kind = PD_FORM_WHOLE;
    form->step = 1;
    return PD_OK;
}

int pd_fetch_units_init(struct pd_fetch_units *u, struct pd_fetch *f)
{
    int units, frame;
    *u = (struct pd_fetch_units){.fetch = f, .doc = UINT64_MAX};
    PD_TRY(choice_of(f->result, "units", &units));
    PD_TRY(choice_of(f->result, "frame", &frame));
    PD_TRY(read_form(f->result, units, &u->form));
    u->frame = f->document.marks_frame = frame == PD_TEMPLATES_ASIDE;
    f->document.base = units == PD_UNIT_CLAUSE ? PD_BASE_CLAUSE
                       : units == PD_UNIT_STOP ? PD_BASE_STOP
                                               : PD_BASE_SENTENCE;
    return u->frame && f->store
               ? pd_fail(PD_EFORMAT,
                         "%s: a store does not tell frames of pages, which --aside frame "
                         "left out; units cannot be found again",
                         pd_result_path(f->result))
               : PD_OK;
}

void pd_fetch_units_release(struct pd_fetch_units *u)
{
    PD_RELEASE(pd_sentences, &u->units, &u->base);
    pd_tokens_release(&u->tokens);
}

/* Take a base unit, and its words under numbers without gaps. */
static void take(struct pd_fetch_units *u, const struct pd_sentence *unit)
{
    const struct pd_word *words = u->fetch->document.words.v + unit->word;
    pd_sentences_push(&u->base, (struct pd_sentence){unit->begin, unit->end, (uint32_t)u->tokens.n,
                                                     unit->nwords});
    for (uint32_t k = 0; k < unit->nwords; k++)
        pd_tokens_push(&u->tokens, (struct pd_token){words[k].begin, words[k].end, 0});
}

static void find_units(struct pd_fetch_units *u)
{
    const struct pd_document *d = &u->fetch->document;
    size_t at = 0, at_stray = 0;
    u->base.n = u->tokens.n = 0;
    for (size_t k = 0; k < d->sentences.n; k++) {
        const bool stray = pd_document_is_stray(d, k, &at_stray);
        if (!u->frame || !pd_document_in_frame(d, k, &at) || stray)
            take(u, &d->sentences.v[k]);
    }
    pd_units_derive(&u->form, &u->base, &u->tokens, &u->units);
}

int pd_fetch_unit(struct pd_fetch_units *u, uint64_t doc, uint64_t unit, uint64_t *begin,
                  uint64_t *end)
{
    PD_TRY(pd_fetch_row(u->fetch, doc));
    if (u->doc != doc)
        find_units(u);
    u->doc = doc;
    if (unit >= u->units.n)
        return pd_fail(PD_EFORMAT, "%s: /matches has unit %llu of document %s, which has %zu",
                       pd_result_path(u->fetch->result), (unsigned long long)unit, u->fetch->id,
                       u->units.n);
    *begin = u->units.v[unit].begin;
    *end = u->units.v[unit].end;
    return PD_OK;
}

/* run/stage/classes/brief.c - see src/run/stage/classes/brief.h */
#include "brief.h"

#include <string.h>

#include "pardup/base/minmax.h"

/* Room for the postings of a unit is also room for the postings of a brief document. */
_Static_assert((int)PD_POSTINGS_MOST > (int)PD_BRIEF_POSTINGS, "and one of all its words");

/* Names of text that a document may share, each once. */
struct names {
    struct pd_identity v[PD_BRIEF_NAMES];
    size_t n;
};

/* Add a name that no unit and no whole document has. */
static void add(struct names *names, struct pd_identity id)
{
    const uint64_t salt = 0xBE5466CF34E90C6Cu; /* digits of pi */
    id.v[0] ^= salt;
    for (size_t k = 0; k < names->n; k++)
        if (names->v[k].v[0] == id.v[0])
            return;
    names->v[names->n++] = id;
}

/* Add the name of some words of the loaded document. */
static void add_words(struct names *names, const struct pd_signing *s, const uint32_t *words,
                      size_t nwords)
{
    add(names, pd_signer_whole(&s->signer, words, nwords));
}

/* Add the name of the page. It is the name of some words only by chance. */
static void add_page(struct names *names, uint64_t page)
{
    if (page)
        add(names, (struct pd_identity){{pd_mix(page), pd_mix(~page)}});
}

/* Add the base units outside `aside` that have words to s->own_units, and their words to s->own. */
static void list_own(struct pd_signing *s, const struct pd_word_numbers *aside)
{
    const struct pd_sentences *v = &s->stored.sentences;
    size_t passed = 0;
    s->own.n = s->own_units.n = 0;
    for (uint32_t k = 0; k < v->n; k++) {
        if (passed < aside->n && aside->v[passed] == k) {
            passed++;
        } else if (v->v[k].nwords) {
            pd_word_numbers_push(&s->own_units, k);
            pd_word_numbers_append(&s->own, s->stored.numbers.v + v->v[k].word, v->v[k].nwords);
        }
    }
}

/* Words of the own text in base units of at least --min-words words, which make grams. */
static uint64_t told_words(const struct pd_signing *s)
{
    uint64_t told = 0;
    for (size_t k = 0; k < s->own_units.n; k++) {
        const uint32_t n = s->stored.sentences.v[s->own_units.v[k]].nwords;
        told += n >= s->job->options->method.min_words ? n : 0;
    }
    return told;
}

/* Does the listed own text say too little for a passage? */
static bool is_brief(const struct pd_signing *s)
{
    const struct pd_method_options *o = &s->job->options->method;
    if (s->own.n < (size_t)o->min_copy_words)
        return false;
    if (s->job->form.kind == PD_FORM_BASE)
        return s->own_units.n <= (size_t)o->gamma + 1;
    const uint64_t told = told_words(s);
    return told < 2 * (uint64_t)o->min_passage_words || PD_BRIEF_PART * told < s->own.n;
}

/* Can brief documents share text that are not equal word for word? */
static bool tells_more(const struct pd_signing *s)
{
    return pd_job_sets_aside(s->job) || pd_brief_by_units(&s->job->options->method);
}

/* The words of base unit k. */
static uint32_t words_of(const struct pd_signing *s, uint32_t k)
{
    return s->stored.sentences.v[k].nwords;
}

/* Add the names of the PD_BRIEF_UNITS longest own units, of equally long ones the earlier ones. */
static void add_units(struct names *names, const struct pd_signing *s)
{
    uint32_t longest[PD_BRIEF_UNITS];
    size_t n = 0;
    for (size_t k = 0; k < s->own_units.n; k++) {
        const uint32_t unit = s->own_units.v[k];
        size_t at = n;
        while (at && words_of(s, longest[at - 1]) < words_of(s, unit))
            at--;
        if (at == PD_BRIEF_UNITS)
            continue;
        n = pd_min_size(n + 1, PD_BRIEF_UNITS);
        memmove(longest + at + 1, longest + at, (n - at - 1) * sizeof *longest);
        longest[at] = unit;
    }
    for (size_t k = 0; k < n; k++)
        add_words(names, s, s->stored.numbers.v + s->stored.sentences.v[longest[k]].word,
                  words_of(s, longest[k]));
}

/*
 * The first and the last unit of the own text: of grams, what begins with its first and what
 * end with its last word, as far as the document has such grams.
 */
static void find_ends(const struct pd_signing *s, uint32_t *first, uint32_t *last)
{
    const struct pd_sentence *v = s->stored.sentences.v;
    *first = s->own_units.v[0];
    *last = s->own_units.v[s->own_units.n - 1];
    if (s->job->form.kind == PD_FORM_BASE)
        return;
    const uint32_t end = v[*last].word + v[*last].nwords;
    *first = pd_min_u32(v[*first].word, (uint32_t)s->units->n - 1);
    *last = end < *first + s->job->form.size ? *first : end - s->job->form.size;
}

size_t pd_brief_sign(struct pd_signing *s, const struct pd_word_numbers *aside, bool units,
                     struct pd_posting *out)
{
    struct names names = {.n = 0};
    size_t n = 0;
    uint32_t first, last;
    const enum pd_form_kind kind = s->job->form.kind;
    if ((kind != PD_FORM_BASE && kind != PD_FORM_GRAM) || s->units->n == 0 || !tells_more(s))
        return 0;
    list_own(s, aside);
    if (s->own.n == 0)
        return 0;
    if (is_brief(s)) {
        add_words(&names, s, s->own.v, s->own.n);
        if (units)
            add_units(&names, s);
    }
    if (units)
        add_page(&names, s->page);
    find_ends(s, &first, &last);
    for (size_t k = 0; k < names.n; k++) {
        const uint64_t *id = names.v[k].v;
        out[n++] = pd_posting_of(id[0], id[1], s->number, first, PD_WHOLE | PD_BRIEF);
        if (last != first)
            out[n++] = pd_posting_of(id[0], id[1], s->number, last, PD_WHOLE | PD_BRIEF);
    }
    return n;
}

/* run/classes/brief.c - see src/run/classes/brief.h */
#include "brief.h"

/* Room for the postings of a unit is also room for the postings of a brief document. */
_Static_assert((int)PD_POSTINGS_MOST > (int)PD_BRIEF_POSTINGS, "and one of all its words");

/* Names of text that a document may share, each once. */
struct names {
    struct pd_identity v[PD_BRIEF_NAMES];
    size_t n;
};

/* Add the name of some words of the loaded document. No unit and no whole document has it. */
static void add_name(struct names *names, const struct pd_signing *s, const uint32_t *words,
                     size_t nwords)
{
    const uint64_t salt = 0xBE5466CF34E90C6Cu; /* digits of pi */
    struct pd_identity id = pd_signer_whole(&s->signer, words, nwords);
    id.v[0] ^= salt;
    for (size_t k = 0; k < names->n; k++)
        if (names->v[k].v[0] == id.v[0])
            return;
    names->v[names->n++] = id;
}

/* List the own text of the loaded document in s->own and s->own_units. False: it is not brief. */
static bool list_own(struct pd_signing *s, const struct pd_word_numbers *aside)
{
    const struct pd_sentences *v = &s->stored.sentences;
    const size_t most = (size_t)s->job->options->method.gamma + 1;
    size_t passed = 0;
    s->own.n = s->own_units.n = 0;
    for (uint32_t k = 0; k < v->n && s->own_units.n <= most; k++) {
        if (passed < aside->n && aside->v[passed] == k) {
            passed++;
        } else if (v->v[k].nwords) {
            pd_word_numbers_push(&s->own_units, k);
            pd_word_numbers_append(&s->own, s->stored.numbers.v + v->v[k].word, v->v[k].nwords);
        }
    }
    return s->own_units.n > 0 && s->own_units.n <= most;
}

/* Can brief documents share text that are not equal word for word? */
static bool tells_more(const struct pd_method_options *o)
{
    return o->templates == PD_TEMPLATES_ASIDE || pd_brief_by_units(o);
}

size_t pd_brief_sign(struct pd_signing *s, const struct pd_word_numbers *aside, bool units,
                     struct pd_posting *out)
{
    struct names names = {.n = 0};
    size_t n = 0;
    const struct pd_method_options *o = &s->job->options->method;
    if (s->job->form.kind != PD_FORM_BASE || !tells_more(o) || !list_own(s, aside) ||
        s->own.n < (size_t)o->min_copy_words)
        return 0;
    add_name(&names, s, s->own.v, s->own.n);
    for (size_t k = 0; units && k < s->own_units.n; k++) {
        const struct pd_sentence *u = &s->stored.sentences.v[s->own_units.v[k]];
        if ((uint64_t)PD_BRIEF_QUARTERS * u->nwords >= s->own.n)
            add_name(&names, s, s->stored.numbers.v + u->word, u->nwords);
    }
    const uint32_t first = s->own_units.v[0], last = s->own_units.v[s->own_units.n - 1];
    for (size_t k = 0; k < names.n; k++) {
        const uint64_t *id = names.v[k].v;
        out[n++] = pd_posting_of(id[0], id[1], s->number, first, PD_WHOLE | PD_BRIEF);
        if (last != first)
            out[n++] = pd_posting_of(id[0], id[1], s->number, last, PD_WHOLE | PD_BRIEF);
    }
    return n;
}

/* run/explain/sign.c - sign the units of two documents, as the gather stage does. */
#include "explain.h"
#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "run/classes/brief.h"
#include "run/classes/templates.h"

static enum pd_word_use use_of(const struct pd_method_options *o, unsigned flags)
{
    if (pd_features[o->feature].counts == PD_COUNTS_SPOT_WORDS)
        return flags & PD_WORD_ANTECEDENT ? PD_WORD_USED
               : flags & PD_WORD_STOP     ? PD_WORD_STOPPED
                                          : PD_WORD_IN_CHAIN;
    return flags & PD_WORD_LEFT_OUT ? PD_WORD_FREQUENT : PD_WORD_USED;
}

/* Copy the words of the document that was loaded last. */
static void copy_words(const struct explaining *x, struct pd_signing *s,
                       const struct pd_volume *volume, struct pd_explain_side *side)
{
    const struct pd_tokens *tokens = &s->stored.tokens;
    pd_stored_words(&s->stored, 0, (uint32_t)tokens->n);
    for (size_t k = 0; k < tokens->n; k++) {
        const struct pd_token *t = &tokens->v[k];
        pd_used_words_push(&side->words, (struct pd_used_word){
                                             t->begin, t->end, volume->terms.v[t->term],
                                             use_of(&x->options->method, volume->flags[t->term])});
    }
}

/* Why the unit that was signed last takes no part; PD_WHY_MATCHED: it does. */
static enum pd_why own_reason(const struct pd_method_options *o, const struct pd_explained *u,
                              size_t n)
{
    if (u->at.nwords < o->min_words)
        return PD_WHY_SHORT;
    if (n)
        return PD_WHY_MATCHED;
    return u->counted && u->counted < o->min_counted ? PD_WHY_FEW : PD_WHY_NOTHING;
}

/* Distinct words of a unit that count; they become its members if `to` is given. */
static uint32_t count_words(const struct pd_explain_side *side, const struct pd_sentence *at,
                            uint64_t unit, struct members *to)
{
    struct pd_u64s terms = {0};
    uint32_t n = 0;
    for (uint32_t k = at->word; k < at->word + at->nwords; k++)
        if (side->words.v[k].use == PD_WORD_USED || side->words.v[k].use == PD_WORD_IN_CHAIN)
            pd_u64s_push(&terms, side->words.v[k].term);
    pd_sort_records(terms.v, terms.n, 1, 1);
    for (size_t k = 0; k < terms.n; k++) {
        if (k && terms.v[k] == terms.v[k - 1])
            continue;
        n++;
        if (to)
            members_push(to, (struct member){terms.v[k], unit});
    }
    pd_u64s_release(&terms);
    return n;
}

/* Do signatures of a set tell how similar two units are? */
static bool compares_signatures(const struct pd_method_options *o)
{
    return pd_features[o->feature].result == PD_MAKES_SET && o->lexicons <= 1;
}

/* Add the names and members of the unit that was signed last. */
static void keep_signatures(const struct explaining *x, struct pd_signing *s, uint32_t unit,
                            struct pd_explained *u, struct compared *c)
{
    const struct pd_method_options *o = &x->options->method;
    const bool names = pd_features[o->feature].result == PD_MAKES_NAMES || o->lexicons > 1;
    const size_t n = s->signer.set.n;
    uint64_t more;
    u->nsigs = (uint32_t)n;
    if (compares_signatures(o))
        for (size_t k = 0; k < n; k++)
            members_push(&c->members, (struct member){s->signer.set.v[k], unit});
    for (size_t k = 0; k < (names ? n : 1); k++) {
        const pd_sig sig =
            names ? pd_signer_name(&s->signer, k, &more) : pd_signer_identity(&s->signer, &more);
        const struct pd_common *common = pd_explain_common(x, sig);
        u->sig = k ? u->sig : sig;
        u->df = common && !u->df ? common->df : u->df;
        names_push(&c->names, (struct name){sig, more >> PD_DOC_HIGH, unit, 0});
    }
}

/* Sign unit `unit` of the document that was loaded last. */
static void sign_unit(const struct explaining *x, int k, struct pd_signing *s, uint32_t unit,
                      bool aside)
{
    struct compared *c = (struct compared *)&x->sides[k];
    const struct pd_method_options *o = &x->options->method;
    struct pd_explain_side *side = &x->e->sides[k];
    struct pd_explained u = {.at = s->units->v[unit], .best = PD_EXPLAIN_NONE, .why = PD_WHY_ALONE};
    const size_t first = c->members.n, n = pd_signing_sign(s, unit);
    u.counted = count_words(side, &u.at, unit, NULL);
    u.own = aside ? PD_WHY_TEMPLATE : own_reason(o, &u, n);
    pd_u64s_push(&c->firsts, first);
    if (n)
        keep_signatures(x, s, unit, &u, c);
    if (!n || !compares_signatures(o))
        count_words(side, &u.at, unit, &c->members);
    if (c->members.n > first)
        pd_sort_records(c->members.v + first, c->members.n - first, MEMBER_U64S, 1);
    pd_u64s_push(&c->sided, !pd_units_sided(&s->job->form) ||
                                pd_units_indexed(&s->job->form, &s->stored.sentences, unit));
    pd_explaineds_push(&side->units, u);
}

/* Count how often each name stands in the document, and leave out what --max-repeats says. */
static void count_repeats(const struct pd_method_options *o, struct compared *c,
                          struct pd_explain_side *side)
{
    struct names *v = &c->names;
    pd_sort_records(v->v, v->n, NAME_U64S, 3);
    for (size_t k = 0, end; k < v->n; k = end) {
        for (end = k; end < v->n && v->v[end].sig == v->v[k].sig && v->v[end].more == v->v[k].more;
             end++)
            v->v[end].place = end - k;
        const size_t most = (size_t)o->max_repeats;
        const size_t from = o->repeats == PD_REPEATS_FIRST ? k + most : k;
        for (size_t i = from; most && end - k > most && i < end; i++)
            side->units.v[v->v[i].unit].own = PD_WHY_REPEATED;
    }
}

/* Sign all units of document k of the pair, which has this number in the job. */
static int sign_document(struct explaining *x, pd_doc number, int k, struct pd_signing *s,
                         struct pd_asides *asides)
{
    struct pd_collection *col = &s->job->collection;
    struct compared *c = &x->sides[k];
    struct pd_explain_side *side = &x->e->sides[k];
    struct pd_held held;
    PD_TRY(pd_collection_doc(col, number, &held));
    PD_TRY(pd_fetch_row(&side->text, side->doc));
    if (!held.rec || held.rec->text_bytes != side->text.document.text_n)
        return pd_fail(PD_EFORMAT, "%s: document %s has changed since the result was made",
                       pd_result_path(x->result), side->text.id);
    c->host = held.rec->host;
    c->same = held.rec->same;
    PD_TRY(pd_signing_load_number(s, number));
    PD_TRY(pd_asides_load(asides, number, &s->stored));
    copy_words(x, s, pd_collection_volume(col, &held), side);
    for (uint32_t unit = 0; unit < s->units->n; unit++) {
        const struct pd_sentences *base = &s->stored.sentences;
        sign_unit(x, k, s, unit, pd_asides_have(asides, base->v, base->n, &s->units->v[unit]));
    }
    pd_u64s_push(&c->firsts, c->members.n);
    count_repeats(&x->options->method, c, side);
    return PD_OK;
}

int pd_explain_sign(struct explaining *x, struct pd_job *job, const pd_doc numbers[2])
{
    struct pd_signing s;
    struct pd_asides asides = {.at = 0};
    struct pd_posting copies[2][1 + PD_BRIEF_POSTINGS]; /* postings of copies of both documents */
    size_t n[2] = {0};
    int status = PD_OK;
    if (x->options->method.templates == PD_TEMPLATES_ASIDE)
        status = pd_asides_find(job, &asides);
    pd_signing_init(&s, job);
    for (pd_doc doc = 0; doc <= numbers[1] && status >= 0; doc++) {
        const int k = doc == numbers[1];
        if (doc != numbers[k]) { /* its templates are passed over */
            status = asides.units.sorter ? pd_asides_load(&asides, doc, NULL) : PD_OK;
            continue;
        }
        status = sign_document(x, doc, k, &s, &asides);
        if (x->options->method.copies == PD_COPIES_REPORT && status >= 0) {
            n[k] += pd_signing_whole(&s, &copies[k][n[k]]);
            n[k] += pd_brief_sign(&s, &asides.of_doc, pd_brief_by_units(&x->options->method),
                                  &copies[k][n[k]]);
        }
    }
    for (size_t i = 0; i < n[0]; i++)
        for (size_t j = 0; j < n[1]; j++)
            x->e->equal |= pd_same_class(&copies[0][i], &copies[1][j]);
    pd_asides_close(&asides);
    pd_signing_release(&s);
    return status;
}

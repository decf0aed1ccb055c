/* run/job/explain/sign.c - sign the units of two documents, as the gather stage does. */
#include "explain.h"
#include "pardup/base/error.h"
#include "pardup/base/sort.h"
#include "run/stage/classes/brief.h"

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
        const unsigned flags = volume->flags[t->term];
        pd_used_words_push(&side->words, (struct pd_used_word){
                                             .begin = t->begin,
                                             .end = t->end,
                                             .term = volume->terms.v[t->term],
                                             .spelling = s->spellings ? s->spellings[t->term] : 0,
                                             .commonness = flags >> PD_COMMONNESS_SHIFT,
                                             .use = use_of(&x->options->method, flags)});
    }
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

/* Add the n names of the unit that was signed last, and its members. */
static void keep_signatures(const struct explaining *x, const struct pd_signing *s,
                            const struct pd_posting *v, size_t n, struct pd_explained *u,
                            struct compared *c)
{
    const struct pd_sigs *set = &s->signer.set;
    u->nsigs = (uint32_t)set->n;
    u->sig = v->sig;
    if (compares_signatures(&x->options->method))
        for (size_t k = 0; k < set->n; k++)
            members_push(&c->members, (struct member){set->v[k], pd_posting_unit(v)});
    for (size_t k = 0; k < n; k++) {
        const struct pd_common *common = pd_explain_common(x, v[k].sig);
        u->df = common && !u->df ? common->df : u->df;
        pd_postings_push(&c->names, v[k]);
    }
}

/* Sign unit `unit` of the document that was loaded last. Units that are set aside have a name, too. */
static void sign_unit(const struct explaining *x, int k, struct pd_signing *s, uint32_t unit,
                      struct pd_asides *asides)
{
    struct compared *c = (struct compared *)&x->sides[k];
    struct pd_posting v[PD_POSTINGS_MOST];
    struct pd_explain_side *side = &x->e->sides[k];
    struct pd_explained u = {.at = s->units->v[unit], .best = PD_EXPLAIN_NONE, .why = PD_WHY_ALONE};
    const size_t first = c->members.n;
    size_t n = pd_signing_postings(s, asides, unit, v);
    u.own = s->why;
    if (pd_why_is_aside(u.own))
        n = pd_signing_postings(s, NULL, unit, v);
    u.counted = count_words(side, &u.at, unit, NULL);
    pd_u64s_push(&c->firsts, first);
    if (n)
        keep_signatures(x, s, v, n, &u, c);
    if (!n || !compares_signatures(&x->options->method))
        count_words(side, &u.at, unit, &c->members);
    if (c->members.n > first)
        pd_sort_records(c->members.v + first, c->members.n - first, MEMBER_U64S, 1);
    pd_u64s_push(&c->sided, !n || !(pd_posting_flags(v) & PD_QUERY_ONLY));
    pd_explaineds_push(&side->units, u);
}

/*
 * Note which names recur, as --max-repeats says. What is set aside does not count. A unit with no
 * other name takes no part.
 */
static void leave_out_repeats(const struct pd_method_options *o, struct compared *c,
                              struct pd_explain_side *side)
{
    const struct pd_postings *v = &c->names;
    bool *takes_part = pd_zeroed(side->units.n + 1, sizeof *takes_part);
    pd_sort_records(c->names.v, v->n, PD_POSTING_U64S, PD_POSTING_U64S);
    for (size_t k = 0, end; k < v->n; k = end) {
        size_t n = 0, seen = 0;
        end = pd_explain_same_names(v, k);
        for (size_t i = k; i < end; i++)
            n += !pd_why_is_aside(side->units.v[pd_posting_unit(&v->v[i])].own);
        const size_t most = pd_signing_counts(o, n);
        for (size_t i = k; i < end; i++) {
            const uint32_t unit = pd_posting_unit(&v->v[i]);
            const bool recurs = !pd_why_is_aside(side->units.v[unit].own) && seen++ >= most;
            pd_bytes_push(&c->recurs, recurs);
            takes_part[unit] |= !recurs;
        }
    }
    for (size_t k = 0; k < v->n; k++)
        if (!takes_part[pd_posting_unit(&v->v[k])])
            side->units.v[pd_posting_unit(&v->v[k])].own = PD_WHY_REPEATED;
    free(takes_part);
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
    PD_TRY(pd_asides_load(asides, number, &s->stored, s->signer.terms));
    copy_words(x, s, pd_collection_volume(col, &held), side);
    for (size_t at = 0; at < asides->of_doc.n; at++) {
        const struct pd_sentence *unit = &s->stored.sentences.v[asides->of_doc.v[at]];
        for (uint32_t w = unit->word; w < unit->word + unit->nwords; w++)
            side->words.v[w].aside = true;
    }
    for (uint32_t unit = 0; unit < s->units->n; unit++)
        sign_unit(x, k, s, unit, asides);
    pd_u64s_push(&c->firsts, c->members.n);
    leave_out_repeats(&x->options->method, c, side);
    return PD_OK;
}

int pd_explain_sign(struct explaining *x, struct pd_job *job, const pd_doc numbers[2])
{
    struct pd_signing s;
    struct pd_asides asides = {.at = 0};
    struct pd_posting copies[2][1 + PD_BRIEF_POSTINGS]; /* postings of copies of both documents */
    size_t n[2] = {0};
    int status = pd_job_set_aside(job);
    asides.job = job->asides.ended ? job : NULL;
    pd_signing_init(&s, job);
    for (int k = 0; k < 2 && status >= 0; k++) {
        status = sign_document(x, numbers[k], k, &s, &asides);
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

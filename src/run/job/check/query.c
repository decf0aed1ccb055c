/*
 * run/job/check/query.c - see src/run/job/check/query.h
 *
 * The units of the target are signed and looked up by name. Their occurrences become fans, whose
 * first document is number 0 (the target) and whose later documents are the sources, each with its
 * number plus 1. From there on the stages of `detect` are used: pairing, passages, edges,
 * agreement.
 */
#include "query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "run/stage/classes/brief.h"

enum { FANS_BYTES = 4 * PD_FAN_MOST };

/* ---- the names of the target ---- */

static int has_aside(void *ctx, uint64_t name, bool *found)
{
    return pd_index_has_aside(((const struct pd_query *)ctx)->index, name, found);
}

static void sign_target(struct pd_query *q, struct pd_signing *s)
{
    const bool texts = pd_brief_by_units(&q->options->method) && q->source.texts;
    struct pd_postings *v = &q->names;
    v->n = 0;
    for (uint32_t unit = 0; unit < s->units->n; unit++) {
        pd_postings_reserve(v, v->n + PD_POSTINGS_MOST);
        v->n += pd_signing_postings(s, &q->asides, unit, &v->v[v->n]);
    }
    if (q->options->method.copies == PD_COPIES_REPORT && !q->asides.is_stub) {
        pd_postings_reserve(v, v->n + PD_POSTINGS_MOST);
        v->n += pd_signing_whole(s, &v->v[v->n]);
        v->n += pd_brief_sign(s, &q->asides.of_doc, texts, &v->v[v->n]);
    }
    pd_sort_records(v->v, v->n, PD_POSTING_U64S, PD_POSTING_U64S);
}

/*
 * Take the next class of the target into q->mine, from names.v[*k] on, and set *k to where it ends.
 * Units that recur too often are left out, as in join/classes.h, and with them a class that has no
 * other. Returns its first name; NULL: there is no further class.
 */
static const struct pd_posting *next_class(struct pd_query *q, size_t *k)
{
    const struct pd_posting *first = NULL, *p;
    for (q->mine.n = 0; q->mine.n == 0 && *k < q->names.n;) {
        first = &q->names.v[*k];
        for (; *k < q->names.n && pd_same_class(p = &q->names.v[*k], first); ++*k) {
            const unsigned flags = pd_posting_flags(p) & ~(unsigned)PD_QUERY_ONLY;
            pd_occurrences_push(&q->mine, (struct pd_occurrence){0, pd_posting_unit(p), flags});
        }
        if (!(q->mine.v[0].flags & PD_WHOLE))
            q->mine.n = pd_signing_counts(&q->options->method, q->mine.n);
    }
    return q->mine.n ? first : NULL;
}

/* ---- fans ---- */

/* Expand all of a with all of b, which have this similarity, into fans for the pairing. */
static void add_fans(struct pd_query *q, const struct pd_occurrences *a,
                     const struct pd_occurrences *b, double similarity)
{
    size_t n;
    int complete;
    if (a->n == 0 || b->n == 0)
        return;
    pd_bytes_reserve(&q->fans, FANS_BYTES);
    const struct pd_matching all = {a->v, b->v, a->n, b->n, similarity};
    pd_expansion_begin(&q->expansion, &all, 0);
    do {
        complete = pd_expansion_write(&q->expansion, q->fans.v, FANS_BYTES, &n);
        for (size_t at = 0; at < n;) {
            const struct pd_fan *fan = (const struct pd_fan *)(const void *)(q->fans.v + at);
            pd_pairing_add(q->pairing, fan);
            at += fan->size;
        }
    } while (!complete);
}

/* Match a common class with the first source that has it, tier by tier (join/anchors.h). */
static void add_first(struct pd_query *q)
{
    size_t n = 1;
    while (n < q->theirs.n && q->theirs.v[n].doc == q->theirs.v[0].doc)
        n++;
    for (size_t at = 0; at < q->mine.n && at < n; at += PD_TIER) {
        const struct pd_occurrences a = {.v = q->mine.v + at, pd_min_size(q->mine.n - at, PD_TIER)};
        const struct pd_occurrences b = {.v = q->theirs.v + at, pd_min_size(n - at, PD_TIER)};
        add_fans(q, &a, &b, 1);
    }
}

/*
 * Weights in the ranking are multiples of this: the last bit of log() differs between processors
 * with and without fused multiply-add, for 9 of 100,000 values with glibc 2.36.
 */
static const double weight_step = 0x1p-32;

static double idf_of(const struct pd_query *q, uint64_t df)
{
    return rint(log((double)q->index->manifest.head.documents / (double)df) / weight_step) *
           weight_step;
}

/* Count the class at hand in the ranking: one feature of the target. */
static void weigh(struct pd_query *q, uint64_t df)
{
    const double idf = idf_of(q, df);
    q->all_weight += idf;
    for (size_t k = 0; k < q->theirs.n; k++) {
        if (k && q->theirs.v[k].doc == q->theirs.v[k - 1].doc)
            continue;
        pd_weights_push(&q->weights, (struct pd_weight){q->theirs.v[k].doc - 1, q->weights.n, idf});
    }
}

/* ---- classes ---- */

/* Does --max-df count each place of the class at hand? Whole documents count once. */
static bool counts_times(const struct pd_query *q)
{
    return q->options->method.max_df_of == PD_DF_TIMES && !(q->mine.v[0].flags & PD_WHOLE);
}

/*
 * What --max-df counts of a class in the sources: df sources have it, `times` times. A class that
 * is common in a segment has that number in place of its documents.
 */
static uint64_t count_of(const struct pd_query *q, uint64_t df, uint64_t times)
{
    return counts_times(q) && times > df ? times : df;
}

/* The same for the target. */
static uint64_t own_count(const struct pd_query *q) { return counts_times(q) ? q->mine.n : 1; }

/* Is the class at hand, which df sources and the target have, common? */
static bool is_common(const struct pd_query *q, uint64_t df)
{
    const uint64_t max_df = (uint64_t)q->options->method.max_df;
    return pd_is_common(count_of(q, df, q->theirs.n) + own_count(q), max_df) || q->made_common;
}

/* Add the fans of a similar class, unless --max-near sets it aside. */
static int match_with(struct pd_query *q, const struct pd_similar_class *match)
{
    uint64_t df;
    bool crowded = false;
    if (q->options->method.max_near)
        PD_TRY(pd_crowding_ask(&q->crowding, match->name, &crowded));
    if (crowded)
        return PD_OK;
    q->theirs.n = 0;
    PD_TRY(pd_index_look_up(&q->marks, match->name, &q->theirs, &df, &q->made_common));
    add_fans(q, &q->mine, &q->theirs, match->similarity);
    pd_occurrences_append(&q->all, q->theirs.v, q->theirs.n);
    return PD_OK;
}

/*
 * Match the class at hand, whose similar classes were found, with them. They join the occurrences
 * in q->theirs. *df: sources that have any of them.
 */
static int match_similar(struct pd_query *q, uint64_t *df)
{
    q->all.n = 0;
    pd_occurrences_append(&q->all, q->theirs.v, q->theirs.n);
    for (size_t k = 0; k < q->similar.found.n; k++)
        PD_TRY(match_with(q, &q->similar.found.v[k]));
    const struct pd_occurrences last = q->theirs;
    q->theirs = q->all;
    q->all = last;
    pd_sort_records((uint64_t *)(void *)q->theirs.v, q->theirs.n,
                    sizeof *q->theirs.v / sizeof(uint64_t), 2);
    *df = 0;
    for (size_t k = 0; k < q->theirs.n; k++)
        *df += k == 0 || q->theirs.v[k].doc != q->theirs.v[k - 1].doc;
    return PD_OK;
}

/* Count the units of the class at hand, which is in the index; each unit once. */
static void count_collisions(struct pd_query *q)
{
    if (!q->many_names)
        q->collisions += q->mine.n;
    for (size_t k = 0; q->many_names && k < q->mine.n; k++)
        pd_u64s_push(&q->collided, q->mine.v[k].unit);
}

static void count_collided(struct pd_query *q)
{
    const uint64_t *v = q->collided.v;
    pd_sort_records(q->collided.v, q->collided.n, 1, 1);
    for (size_t k = 0; k < q->collided.n; k++)
        q->collisions += k == 0 || v[k] != v[k - 1];
}

/*
 * Find the occurrences of the class at hand in sources, if they are not known yet. *df: sources
 * that have it.
 */
static int find_class(struct pd_query *q, pd_sig name, uint64_t *df)
{
    q->theirs.n = 0;
    if (q->classes.n) {
        const struct pd_known_class *c = &q->classes.v[q->next_class++];
        if (c->places != PD_PLACES_MANY) {
            if (c->places) /* NULL + 0 is not defined */
                pd_occurrences_append(&q->theirs, q->places.v + q->next_place, c->places);
            q->next_place += c->places;
            q->made_common = pd_known_class_marked(c, name, &q->marks);
            *df = c->df;
            return PD_OK;
        }
    }
    return pd_index_look_up(&q->marks, name, &q->theirs, df, &q->made_common);
}

/* Match the class at hand, which has this name. */
static int match_class(struct pd_query *q, struct pd_signing *s, pd_sig name)
{
    uint64_t df;
    PD_TRY(find_class(q, name, &df));
    const unsigned flags = q->mine.v[0].flags;
    const bool whole = flags & PD_WHOLE;
    const bool common = is_common(q, df), first = q->options->method.common == PD_COMMON_FIRST;
    if (common && !first)
        return PD_OK;
    q->equal |= whole && !(flags & PD_BRIEF) && q->theirs.n > 0;
    if (common) {
        if (q->theirs.n)
            add_first(q);
        return PD_OK;
    }
    const bool compares = !whole && q->options->method.join != PD_JOIN_EQUAL;
    if (compares) {
        const size_t n = pd_signing_sign(s, q->mine.v[0].unit);
        const int status = pd_similar_search(&q->similar, name, s->signer.set.v, n);
        if (status != PD_OK || pd_is_crowd(&q->options->method, &q->similar.found))
            return status < 0 ? status : PD_OK; /* --sct or --max-near sets it aside */
    }
    add_fans(q, &q->mine, &q->theirs, 1);
    if (whole)
        return PD_OK;
    if (compares)
        PD_TRY(match_similar(q, &df));
    q->unknown += df == 0;
    if (df) {
        weigh(q, df);
        count_collisions(q);
    }
    return PD_OK;
}

/* Look up all classes of the target. */
static int match_classes(struct pd_query *q, struct pd_signing *s)
{
    q->collisions = 0;
    q->equal = false;
    q->weights.n = q->collided.n = 0;
    q->all_weight = 0;
    q->next_class = q->next_place = 0;
    size_t k = 0;
    for (const struct pd_posting *p; (p = next_class(q, &k));)
        PD_TRY(match_class(q, s, p->sig));
    count_collided(q);
    q->all_weight += (double)q->unknown * idf_of(q, 1);
    return PD_OK;
}

/* ---- ranking ---- */

static int by_score(const void *px, const void *py)
{
    const struct pd_ranked *x = px, *y = py;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->source > y->source) - (x->source < y->source);
}

static void rank_sources(struct pd_query *q)
{
    const size_t top = (size_t)q->options->check.top;
    q->ranking.n = 0;
    pd_sort_records(q->weights.v, q->weights.n, sizeof *q->weights.v / sizeof(uint64_t), 2);
    for (size_t k = 0; k < q->weights.n;) {
        const pd_doc source = q->weights.v[k].source;
        double sum = 0;
        for (; k < q->weights.n && q->weights.v[k].source == source; k++)
            sum += q->weights.v[k].idf;
        if (sum > 0)
            pd_rankeds_push(&q->ranking, (struct pd_ranked){source, sum / q->all_weight});
    }
    PD_VEC_SORT(&q->ranking, by_score);
    if (q->ranking.n > top)
        q->ranking.n = top;
}

/* ---- passages ---- */

/* Open a target that is a page, with its frame. */
static int open_whole(struct pd_query *q, const struct pd_signing *s)
{
    struct pd_collection *col = &q->job->collection;
    struct pd_held held;
    PD_TRY(pd_collection_doc(col, s->number, &held));
    PD_CHECK(held.rec != NULL);
    return pd_collection_open_whole(col, &held, &q->whole);
}

/* Make the view of the target, when the first passage needs it. */
static int spell_target(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec)
{
    const bool framed =
        s->stored.table && rec->frame_sentences && q->options->method.frame == PD_TEMPLATES_ASIDE;
    struct pd_stored *stored = framed ? &q->whole : &s->stored;
    struct pd_view_asides asides = {NULL, q->asides.of_doc.v, q->asides.of_doc.n};
    if (q->target.units)
        return PD_OK;
    if (framed)
        PD_TRY(open_whole(q, s));
    if (framed)
        asides.in_frame = pd_view_frame(stored, &q->in_frame);
    if (s->stored.table) /* a stored document, whose words are decoded on demand */
        pd_stored_words(stored, 0, (uint32_t)stored->tokens.n);
    pd_view_make(&q->view, &q->job->form, &stored->sentences, &stored->tokens, &asides);
    const uint32_t nwords = (uint32_t)stored->tokens.n;
    q->target = (struct pd_spelled){.units = q->view.units,
                                    .asides = &q->view.asides,
                                    .words = &q->view.words,
                                    .tokens = stored->tokens.v,
                                    .terms = s->signer.terms,
                                    .spellings = s->spellings,
                                    .nwords = nwords,
                                    .own = pd_own_words(&q->view.asides, nwords)};
    if (q->options->method.char_ngram)
        pd_own_singles(&q->view.asides, stored->tokens.v, nwords, s->signer.singles,
                       &q->finish.singles);
    return PD_OK;
}

static int find_in_pairs(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec)
{
    struct pd_pair_dots pair;
    q->rows.n = 0;
    q->target.units = NULL;
    pd_pairing_end(q->pairing, (uint32_t)q->options->method.gamma);
    while (pd_pairing_next(q->pairing, &pair)) {
        q->passages.n = 0;
        q->left_out.below += pd_find_in_pair(&q->finder, &pair, &q->options->method, &q->passages);
        PD_TRY(pd_comm_check_stop());
        if (q->passages.n == 0)
            continue;
        PD_TRY(spell_target(q, s, rec));
        PD_TRY(pd_query_pair(q, s->number, pair.b - 1));
    }
    return PD_OK;
}

/* ---- the query ---- */

/* Find the base units of the target that are set aside. */
static int set_aside(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec)
{
    if (q->job->known) /* gather has found them */
        return pd_asides_load(&q->asides, s->number, NULL, NULL);
    if (q->options->method.templates == PD_TEMPLATES_ASIDE)
        PD_TRY(pd_asides_recall(&q->asides, &s->stored, rec, has_aside, q));
    else
        pd_asides_forget(&q->asides);
    pd_asides_ignore(&q->asides, &q->job->ignore, &s->stored, s->signer.terms);
    return PD_OK;
}

int pd_query_sign(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec)
{
    q->unknown = q->classes.n = 0;
    PD_TRY(set_aside(q, s, rec));
    sign_target(q, s);
    return PD_OK;
}

void pd_query_ask_names(struct pd_query *q, struct pd_look_ups *look_ups)
{
    size_t k = 0;
    for (const struct pd_posting *p; (p = next_class(q, &k));)
        pd_look_ups_ask(look_ups, p->sig);
}

void pd_query_keep_known(struct pd_query *q, const struct pd_look_ups *look_ups, size_t *k)
{
    const bool compares = q->options->method.join != PD_JOIN_EQUAL;
    size_t kept = 0, to = 0;
    q->unknown = q->known.n = q->classes.n = q->places.n = 0;
    for (const struct pd_posting *p; (p = next_class(q, &to));) {
        const struct pd_occurrence *places;
        struct pd_known_class c = *pd_look_ups_answer(look_ups, (*k)++, &places);
        if (c.df == 0 && !compares) {
            q->unknown += !(q->mine.v[0].flags & PD_WHOLE);
            continue;
        }
        c.n = (uint32_t)(&q->names.v[to] - p);
        for (uint64_t times = 0; times < own_count(q); times++) {
            pd_u64s_push(&q->known, p->sig);
            pd_u64s_push(&q->known, count_of(q, c.df, c.times));
        }
        pd_known_classes_push(&q->classes, c);
        if (c.places != PD_PLACES_MANY)
            pd_occurrences_append(&q->places, places, c.places);
        memmove(&q->names.v[kept], p, c.n * sizeof *p);
        kept += c.n;
    }
    q->names.n = kept;
}

int pd_query_match(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec)
{
    const struct pd_method_options *o = &q->options->method;
    q->host = rec->host;
    pd_pairing_begin(q->pairing, 0);
    PD_TRY(match_classes(q, s));
    rank_sources(q);
    PD_TRY(find_in_pairs(q, s, rec));
    const bool is_enough = o->units != PD_UNIT_GRAM || q->rows.n > 0;
    q->duplicate = q->equal || (q->collisions > (uint64_t)o->delta && is_enough);
    return PD_OK;
}

int pd_query_ask(struct pd_query *q, struct pd_signing *s, const struct pd_docrec *rec)
{
    PD_TRY(pd_query_sign(q, s, rec));
    for (size_t k = 0; k < q->names.n; k++)
        for (size_t x = 0; x < q->index->nsegments; x++)
            pd_segment_expect(&q->index->segments[x], q->names.v[k].sig);
    return pd_query_match(q, s, rec);
}

void pd_query_init(struct pd_query *q, struct pd_job *job, struct pd_index *index)
{
    const struct pd_method_options *o = &job->options->method;
    *q = (struct pd_query){.job = job, .index = index, .options = job->options, .asides.job = job};
    q->many_names = pd_signing_makes_names(o);
    q->pairing = pd_pairing_new();
    pd_finder_of(&q->finder, o, pd_comm_stopping);
    pd_finishing_init(&q->finish, &q->options->method, &q->left_out);
    q->marks.index = index;
    pd_similar_search_init(&q->similar, index, &q->marks, o);
    pd_crowding_init(&q->crowding, index, &q->marks, o);
    pd_source_init(&q->source, job, index, job->options->check.texts == PD_TEXTS_YES);
}

void pd_query_release(struct pd_query *q)
{
    pd_rows_release(&q->rows);
    pd_rankeds_release(&q->ranking);
    pd_asides_close(&q->asides);
    pd_postings_release(&q->names);
    pd_u64s_release(&q->known);
    pd_known_classes_release(&q->classes);
    pd_occurrences_release(&q->places);
    pd_marks_release(&q->marks);
    pd_u64s_release(&q->collided);
    PD_RELEASE(pd_occurrences, &q->mine, &q->theirs, &q->all);
    pd_similar_search_release(&q->similar);
    pd_crowding_release(&q->crowding);
    pd_expansion_release(&q->expansion);
    pd_bytes_release(&q->fans);
    pd_pairing_free(q->pairing);
    pd_finder_release(&q->finder);
    pd_passages_release(&q->passages);
    pd_refining_release(&q->refining);
    PD_RELEASE(pd_u64s, &q->window_a, &q->spelled_a, &q->spelled_b, &q->window_b);
    pd_weights_release(&q->weights);
    pd_source_release(&q->source);
    pd_stored_release(&q->whole);
    pd_bytes_release(&q->in_frame);
    pd_view_release(&q->view);
    PD_RELEASE(pd_edge_words, &q->edge_a, &q->edge_b);
    pd_finishing_release(&q->finish);
    PD_RELEASE(pd_u64s, &q->terms_a, &q->terms_b);
    pd_inner_keys_release(&q->inner);
}

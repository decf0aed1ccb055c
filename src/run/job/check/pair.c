/* run/job/check/pair.c - see src/run/job/check/pair.h */
#include "pair.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "pardup/feature/signer.h"
#include "pardup/passage/edges.h"
#include "pardup/passage/ends.h"
#include "run/stage/collection/site.h"

/* --edges far: edges may go on beyond the sentence next to a passage. */
static bool reaches_far(const struct pd_query *q)
{
    return q->options->method.edges == PD_EDGES_FAR;
}

static struct pd_ends ends_of(const struct pd_query *q, const struct pd_spelled *d, uint32_t start,
                              uint32_t length)
{
    return pd_ends_of(d->units, d->nwords, d->asides, start, length, reaches_far(q));
}

static uint64_t term_of(const struct pd_spelled *d, uint32_t word)
{
    return d->terms[d->tokens[word].term];
}

/* Write word k beyond an end, and where the passage ends with it. */
static uint64_t take_word(const struct pd_spelled *d, const struct pd_edge_side *side,
                          enum pd_direction direction, uint32_t k, struct pd_edge_words *to)
{
    const uint32_t word = pd_edge_word(side, direction, k);
    const struct pd_token *token = &d->tokens[word];
    const struct pd_edge_word taken = {term_of(d, word),
                                       direction == PD_BACK ? token->begin : token->end};
    pd_edge_words_push(to, taken);
    return taken.term;
}

/* Let one end of the passage that was added last grow. */
static void extend(struct pd_query *q, const struct pd_edge_side *a, const struct pd_edge_side *b,
                   enum pd_direction direction)
{
    const uint32_t n = pd_edge_compared(b, pd_min_u32(a->near, PD_EDGE_WORDS));
    const uint32_t known = pd_min_u32(a->n, n);
    bool agree = true;
    q->edge_a.n = q->edge_b.n = 0;
    for (uint32_t k = 0; k < known && agree; k++) /* no word behind one that differs counts */
        agree = take_word(&q->target, a, direction, k, &q->edge_a) ==
                take_word(&q->source.spelled, b, direction, k, &q->edge_b);
    pd_finishing_edge(&q->finish, direction,
                      (struct pd_beyond){q->edge_a.v, (uint32_t)q->edge_a.n, n},
                      (struct pd_beyond){q->edge_b.v, (uint32_t)q->edge_b.n, n});
}

/* The words of a passage in one document: the last ones before the word behind it. */
static struct pd_spoken words_of(const struct pd_spelled *d, const struct pd_ends *ends,
                                 struct pd_u64s *terms)
{
    terms->n = 0;
    for (uint32_t k = ends->ahead.nearest - ends->inside; k < ends->ahead.nearest; k++)
        pd_u64s_push(terms, term_of(d, k));
    return (struct pd_spoken){terms->v, (uint32_t)terms->n};
}

static struct pd_row row_of(const struct pd_query *q, const struct pd_passage *p, pd_doc target,
                            pd_doc source)
{
    return (struct pd_row){.a = target,
                           .b = source,
                           .starts = pd_ij(p->start_a, p->start_b),
                           .lengths = pd_ij(p->length_a, p->length_b),
                           .bytes_a = pd_units_bytes(q->target.units, p->start_a, p->length_a),
                           .bytes_b =
                               pd_units_bytes(q->source.spelled.units, p->start_b, p->length_b),
                           .own = pd_ij(q->target.own, q->source.texts ? q->source.spelled.own : 0),
                           .matched = p->matched,
                           .similarity = p->similarity};
}

/* Do the units of a passage lie in both documents? A damaged index may say otherwise. */
static bool lies_inside(const struct pd_query *q, const struct pd_passage *p)
{
    return p->length_a && p->length_b && (uint64_t)p->start_a + p->length_a <= q->target.units->n &&
           (uint64_t)p->start_b + p->length_b <= q->source.spelled.units->n;
}

/* Add a passage. Without the text of the source it ends with its units, and no word is compared. */
static int add(struct pd_query *q, const struct pd_passage *p, struct pd_row row)
{
    const struct pd_ends a = ends_of(q, &q->target, p->start_a, p->length_a);
    row.own_a = a.own;
    if (!q->source.texts) {
        pd_finishing_add(&q->finish, &row, (enum pd_copy)p->copy);
        pd_finishing_unknown(&q->finish, a.inside);
        return PD_OK;
    }
    const struct pd_ends b = ends_of(q, &q->source.spelled, p->start_b, p->length_b);
    row.own_b = b.own;
    pd_finishing_add(&q->finish, &row, (enum pd_copy)p->copy);
    if (pd_copy_has_edges((enum pd_copy)p->copy, &q->options->method)) {
        extend(q, &a.back, &b.back, PD_BACK);
        extend(q, &a.ahead, &b.ahead, PD_AHEAD);
    }
    return pd_finishing_words(&q->finish, words_of(&q->target, &a, &q->terms_a),
                              words_of(&q->source.spelled, &b, &q->terms_b));
}

/* Check that the passages lie in both documents. */
static int check_passages(const struct pd_query *q)
{
    for (size_t k = 0; k < q->passages.n; k++)
        if (!lies_inside(q, &q->passages.v[k]))
            return pd_fail(PD_EFORMAT,
                           "the units of source %llu contradict its names; make the "
                           "index again",
                           (unsigned long long)q->source.source->number);
    return PD_OK;
}

/*
 * The words around [start, start + length) of a document, as they are compared
 * (run/stage/align/refine.c).
 */
static struct pd_window window_of(const struct pd_query *q, const struct pd_spelled *d,
                                  uint32_t start, uint32_t length, struct pd_u64s *words,
                                  struct pd_u64s *spellings)
{
    const struct pd_stretch at =
        pd_refine_around(start, length, d->words->n ? d->words->n : d->nwords);
    const uint64_t number = d == &q->target; /* differs from that of the other side */
    size_t run = 0;                          /* of words that are set aside */
    words->n = spellings->n = 0;
    for (uint32_t k = at.from; k < at.to; k++) {
        const uint32_t word = d->words->n ? d->words->v[k] : k;
        const uint64_t term = term_of(d, word);
        const unsigned flags = pd_index_flags(q->index, term);
        pd_u64s_push(words, pd_refine_word(term, flags >> PD_COMMONNESS_SHIFT));
        pd_u64s_push(spellings, d->spellings[d->tokens[word].term]);
        while (run < d->asides->n && d->asides->v[run].end <= word)
            run++;
        if (run < d->asides->n && d->asides->v[run].word <= word)
            words->v[words->n - 1] =
                pd_refine_hidden(number, word, &spellings->v[spellings->n - 1]);
    }
    return (struct pd_window){words->v, at.to - at.from, at.from, spellings->v};
}

/* Replace the regions of the pair, whose units are words, by passages. */
static void refine(struct pd_query *q)
{
    for (size_t k = 0; k < q->passages.n; k++) {
        const struct pd_passage *p = &q->passages.v[k];
        if (p->copy) /* equal documents need no refining; the pair has no other region */
            return;
        const struct pd_window a =
            window_of(q, &q->target, p->start_a, p->length_a, &q->window_a, &q->spelled_a);
        const struct pd_window b =
            window_of(q, &q->source.spelled, p->start_b, p->length_b, &q->window_b, &q->spelled_b);
        pd_refine_region(&q->refining, p, &a, &b);
    }
    q->passages.n = 0;
    pd_refine_pair(&q->refining, 0, 0, &q->passages);
}

/* Read the words of the source that the passages need. */
static int spell_source(struct pd_query *q)
{
    uint32_t from = UINT32_MAX, to = 0, near = 0;
    for (size_t k = 0; k < q->passages.n; k++) {
        const struct pd_passage *p = &q->passages.v[k];
        const struct pd_ends a = ends_of(q, &q->target, p->start_a, p->length_a);
        from = pd_min_u32(from, p->start_b);
        to = pd_max_u32(to, p->start_b + p->length_b);
        near = pd_max_u32(near, pd_max_u32(a.back.near, a.ahead.near));
    }
    return q->source.texts ? pd_source_spell(&q->source, from, to, pd_min_u32(near, PD_EDGE_WORDS))
                           : PD_OK;
}

int pd_query_pair(struct pd_query *q, pd_doc target, pd_doc source)
{
    pd_finishing_begin(&q->finish);
    PD_TRY(pd_source_go(&q->source, source));
    if (q->options->method.skip_same_host && pd_site_is_host(q->host) &&
        q->host == q->source.source->indexed.host) {
        q->left_out.same_host += q->passages.n;
        return PD_OK;
    }
    PD_TRY(check_passages(q));
    if (q->options->method.refine != PD_REFINE_NONE)
        refine(q);
    if (q->passages.n == 0)
        return PD_OK;
    PD_TRY(spell_source(q));
    for (size_t k = 0; k < q->passages.n; k++) {
        const struct pd_passage *p = &q->passages.v[k];
        PD_TRY(add(q, p, row_of(q, p, target, source)));
    }
    pd_finishing_end(&q->finish);
    struct pd_rows *rows = &q->finish.rows;
    pd_sort_records(rows->v, rows->n, PD_ROW_U64S, PD_ROW_U64S);
    if (reaches_far(q))
        rows->n = pd_inner_drop(rows->v, rows->n, &q->inner);
    pd_rows_append(&q->rows, rows->v, rows->n);
    return PD_OK;
}

/* run/check/pair.c - see src/run/check/pair.h */
#include "pair.h"

#include <math.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "pardup/feature/signer.h"
#include "pardup/passage/edges.h"
#include "pardup/passage/ends.h"
#include "run/collection/site.h"
#include "run/finding.h"

/* --edges far: edges may go on beyond the sentence next to a passage. */
static bool reaches_far(const struct pd_query *q)
{
    return q->options->method.edges == PD_EDGES_FAR;
}

static struct pd_ends ends_of(const struct pd_query *q, const struct pd_spelled *d, uint32_t start,
                              uint32_t length)
{
    return pd_ends_of(d->units, d->nwords, start, length, reaches_far(q));
}

static uint64_t term_of(const struct pd_spelled *d, uint32_t word)
{
    return d->terms[d->tokens[word].term];
}

/* One end of a passage in both documents. */
struct both_sides {
    const struct pd_edge_side *a, *b;
    enum pd_direction direction;
};

/* How many words beyond an end agree (passage/edges.h). */
static uint32_t words_that_agree(struct pd_query *q, const struct both_sides *side)
{
    const struct pd_spelled *ta = &q->target, *tb = &q->source.spelled;
    const uint32_t n = pd_edge_compared(side->b, pd_min_u32(side->a->near, PD_EDGE_WORDS));
    const uint32_t known = pd_min_u32(side->a->n, n);
    pd_u64s_reserve(&q->terms_a, PD_EDGE_WORDS);
    pd_u64s_reserve(&q->terms_b, PD_EDGE_WORDS);
    for (uint32_t k = 0; k < known; k++) {
        q->terms_a.v[k] = term_of(ta, pd_edge_word(side->a, side->direction, k));
        q->terms_b.v[k] = term_of(tb, pd_edge_word(side->b, side->direction, k));
        if (q->terms_a.v[k] != q->terms_b.v[k])
            break; /* no word behind it counts */
    }
    const struct pd_beyond a = {q->terms_a.v, known, n}, b = {q->terms_b.v, known, n};
    return n ? pd_edges_agree(&a, &b) : 0;
}

/* Where the passage ends with word k of a side: its begin for words before the passage. */
static uint32_t bound_of(const struct pd_spelled *d, const struct pd_edge_side *side,
                         enum pd_direction direction, uint32_t k)
{
    const struct pd_token *token = &d->tokens[pd_edge_word(side, direction, k)];
    return direction == PD_BACK ? token->begin : token->end;
}

/*
 * Append the steps of one edge to q->steps (passage/trim.h): for each word beyond the end that
 * agrees, the bytes at which the passage would end in both documents. Returns their number.
 */
static uint32_t add_steps(struct pd_query *q, const struct both_sides *side)
{
    const uint32_t n = words_that_agree(q, side);
    for (uint32_t k = 0; k < n; k++)
        pd_u64s_push(&q->steps, pd_ij(bound_of(&q->target, side->a, side->direction, k),
                                      bound_of(&q->source.spelled, side->b, side->direction, k)));
    return n;
}

/* Count the words of the matched units, and how many agree. */
static int count_words(struct pd_query *q, const struct pd_ends *a, const struct pd_ends *b,
                       struct pd_agreed *words)
{
    *words = (struct pd_agreed){a->inside, b->inside, 0};
    pd_u64s_reserve(&q->terms_a, a->inside);
    pd_u64s_reserve(&q->terms_b, b->inside);
    /* the words of a passage are the last ones before the word behind it */
    for (uint32_t k = 0; k < a->inside; k++)
        q->terms_a.v[k] = term_of(&q->target, a->ahead.nearest - a->inside + k);
    for (uint32_t k = 0; k < b->inside; k++)
        q->terms_b.v[k] = term_of(&q->source.spelled, b->ahead.nearest - b->inside + k);
    words->in_both =
        (uint32_t)pd_agreement_words(&q->agreement, (struct pd_spoken){q->terms_a.v, words->in_a},
                                     (struct pd_spoken){q->terms_b.v, words->in_b});
    return q->agreement.stopped ? pd_comm_check_stop() : PD_OK;
}

/* A finished row: keep it, unless it is left out. */
static void end_row(struct pd_query *q, struct pd_row *row, uint64_t words_a, enum pd_copy copy)
{
    const struct pd_method_options *o = &q->options->method;
    if (copy == PD_COPY_NO && words_a < (uint64_t)o->min_passage_words)
        q->left_out.too_short++;
    else if (!pd_row_agrees(row, copy, o))
        q->left_out.unlike++;
    else
        pd_rows_push(&q->pair, *row);
}

static struct pd_row row_of(const struct pd_query *q, const struct pd_passage *p, pd_doc target,
                            pd_doc source)
{
    return (struct pd_row){
        .a = target,
        .b = source,
        .starts = pd_ij(p->start_a, p->start_b),
        .lengths = pd_ij(p->length_a, p->length_b),
        .bytes_a = pd_units_bytes(q->target.units, p->start_a, p->length_a),
        .bytes_b = pd_units_bytes(q->source.spelled.units, p->start_b, p->length_b),
        .sentences = pd_ij((uint32_t)q->target.units->n, (uint32_t)q->source.spelled.units->n),
        .matched = p->matched,
        .similarity = p->similarity};
}

/* Do the units of a passage lie in both documents? A damaged index may say otherwise. */
static bool lies_inside(const struct pd_query *q, const struct pd_passage *p)
{
    return p->length_a && p->length_b && (uint64_t)p->start_a + p->length_a <= q->target.units->n &&
           (uint64_t)p->start_b + p->length_b <= q->source.spelled.units->n;
}

/* Without the source's text, the passage ends with its units, and no word is compared. */
static void end_without_text(struct pd_query *q, const struct pd_passage *p, struct pd_row row)
{
    const struct pd_ends a = ends_of(q, &q->target, p->start_a, p->length_a);
    row.words = pd_ij(a.inside, 0);
    row.agreement = NAN;
    end_row(q, &row, a.inside, (enum pd_copy)p->copy);
}

/* The row waits in q->untrimmed for the edges of the other rows of the pair. */
static int end_with_text(struct pd_query *q, const struct pd_passage *p, struct pd_row row)
{
    const struct pd_ends a = ends_of(q, &q->target, p->start_a, p->length_a);
    const struct pd_ends b = ends_of(q, &q->source.spelled, p->start_b, p->length_b);
    const struct both_sides back = {&a.back, &b.back, PD_BACK},
                            ahead = {&a.ahead, &b.ahead, PD_AHEAD};
    struct pd_trim_row r = {.row = row, .copy = p->copy, .back = q->steps.n};
    const bool edges = pd_copy_has_edges((enum pd_copy)p->copy, &q->options->method);
    r.nback = edges ? add_steps(q, &back) : 0;
    r.ahead = q->steps.n;
    r.nahead = edges ? add_steps(q, &ahead) : 0;
    PD_TRY(count_words(q, &a, &b, &r.words));
    pd_trim_rows_push(&q->untrimmed, r);
    return PD_OK;
}

/* Move the ends of a row out over all steps of its edges. */
static void move_ends(struct pd_query *q, struct pd_trim_row *r)
{
    if (r->nback) {
        const uint64_t step = q->steps.v[r->back + r->nback - 1];
        r->row.bytes_a = pd_bytes_moved(r->row.bytes_a, PD_BACK, (uint32_t)(step >> 32));
        r->row.bytes_b = pd_bytes_moved(r->row.bytes_b, PD_BACK, (uint32_t)step);
    }
    if (r->nahead) {
        const uint64_t step = q->steps.v[r->ahead + r->nahead - 1];
        r->row.bytes_a = pd_bytes_moved(r->row.bytes_a, PD_AHEAD, (uint32_t)(step >> 32));
        r->row.bytes_b = pd_bytes_moved(r->row.bytes_b, PD_AHEAD, (uint32_t)step);
    }
}

/* Give all rows of the pair their edges, and finish them. */
static void end_edges(struct pd_query *q)
{
    struct pd_trim_rows *rows = &q->untrimmed;
    /* the best passages must not overlap */
    const bool trims = q->options->method.passages == PD_PASSAGES_BEST;
    if (trims)
        rows->n = pd_trim(rows->v, rows->n, q->steps.v, &q->order);
    for (size_t k = 0; k < rows->n; k++) {
        struct pd_trim_row *r = &rows->v[k];
        if (!trims)
            move_ends(q, r);
        pd_agreed_set(&r->row, r->words, r->nback + r->nahead);
        end_row(q, &r->row, (uint64_t)r->words.in_a + r->nback + r->nahead, (enum pd_copy)r->copy);
    }
    rows->n = q->steps.n = 0;
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
 * (run/align/refine.c).
 */
static struct pd_window window_of(const struct pd_query *q, const struct pd_spelled *d,
                                  uint32_t start, uint32_t length, struct pd_u64s *words)
{
    const uint32_t first = start > PD_REFINE_MARGIN ? start - PD_REFINE_MARGIN : 0;
    const uint32_t end =
        (uint32_t)pd_min_u64((uint64_t)start + length + PD_REFINE_MARGIN, d->nwords);
    words->n = 0;
    for (uint32_t k = first; k < end; k++) {
        const uint64_t term = term_of(d, k);
        const unsigned flags = pd_index_flags(q->index, term);
        pd_u64s_push(words, pd_refine_word(term, flags >> PD_COMMONNESS_SHIFT));
    }
    return (struct pd_window){words->v, end - first, first};
}

/* Replace the regions of the pair, whose units are words, by passages. */
static void refine(struct pd_query *q)
{
    for (size_t k = 0; k < q->passages.n; k++) {
        const struct pd_passage *p = &q->passages.v[k];
        if (p->copy) /* equal documents need no refining; the pair has no other region */
            return;
        const struct pd_window a = window_of(q, &q->target, p->start_a, p->length_a, &q->window_a);
        const struct pd_window b =
            window_of(q, &q->source.spelled, p->start_b, p->length_b, &q->window_b);
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
    q->pair.n = q->untrimmed.n = q->steps.n = 0;
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
        const struct pd_row row = row_of(q, p, target, source);
        if (q->source.texts)
            PD_TRY(end_with_text(q, p, row));
        else
            end_without_text(q, p, row);
    }
    end_edges(q);
    pd_sort_records(q->pair.v, q->pair.n, PD_ROW_U64S, PD_ROW_U64S);
    if (reaches_far(q))
        q->pair.n = pd_inner_drop(q->pair.v, q->pair.n, &q->inner);
    pd_rows_append(&q->rows, q->pair.v, q->pair.n);
    return PD_OK;
}

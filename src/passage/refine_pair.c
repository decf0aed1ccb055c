/*
 * passage/refine_pair.c - choose the passages of a pair from the spans of its regions: pd_refine_pair()
 * of include/pardup/passage/refine.h
 */
#include <stdbool.h>
#include <stdlib.h>

#include "pardup/base/minmax.h"
#include "pardup/passage/refine.h"

/* Tenths of the score of what a span replaces that it must have: an uneven one 1.1 times as much. */
enum { UNEVEN_TENTHS = 11, LITERAL_TENTHS = 10 };

static bool overlap(const struct pd_span *x, const struct pd_span *y)
{
    return (x->start_a < y->start_a + y->length_a && y->start_a < x->start_a + x->length_a) ||
           (x->start_b < y->start_b + y->length_b && y->start_b < x->start_b + x->length_b);
}

/* By kind, then the greatest score first, then by place. */
static int by_score(const void *x, const void *y)
{
    const struct pd_span *p = x, *q = y;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    const uint32_t ps[4] = {p->start_a, p->start_b, p->length_a, p->length_b};
    const uint32_t qs[4] = {q->start_a, q->start_b, q->length_a, q->length_b};
    for (int k = 0; k < 4; k++)
        if (ps[k] != qs[k])
            return ps[k] < qs[k] ? -1 : 1;
    return 0;
}

static uint32_t shorter_of(const struct pd_span *span)
{
    return pd_min_u32(span->length_a, span->length_b);
}

static bool contains(const struct pd_span *x, const struct pd_span *y)
{
    return x->start_a <= y->start_a && x->start_b <= y->start_b &&
           x->start_a + x->length_a >= y->start_a + y->length_a &&
           x->start_b + x->length_b >= y->start_b + y->length_b;
}

/* Does a span take the place of another one, whatever they score? */
static bool replaces(const struct pd_span *span, const struct pd_span *other)
{
    const bool most = 2 * (uint64_t)shorter_of(span) >= shorter_of(other);
    return span->kind == PD_SPAN_LITERAL &&
           (contains(span, other) || (other->kind == PD_SPAN_UNEVEN && most));
}

/* Choose a span in place of the chosen spans that it overlaps, unless they are better. */
static void choose(struct pd_spans *chosen, const struct pd_span *span)
{
    const int tenths = span->kind == PD_SPAN_LITERAL ? LITERAL_TENTHS : UNEVEN_TENTHS;
    int64_t sum = 0;
    size_t kept = 0;
    for (size_t k = 0; k < chosen->n; k++)
        if (overlap(span, &chosen->v[k])) {
            if (span->kind == PD_SPAN_EVEN)
                return;
            sum += replaces(span, &chosen->v[k]) ? 0 : chosen->v[k].score;
        }
    if (10 * span->score < tenths * sum)
        return;
    for (size_t k = 0; k < chosen->n; k++)
        if (!overlap(span, &chosen->v[k]))
            chosen->v[kept++] = chosen->v[k];
    chosen->n = kept;
    pd_spans_push(chosen, *span);
}

static int by_place(const void *x, const void *y)
{
    const struct pd_span *p = x, *q = y; /* spans do not overlap: no two begin at one word */
    return (p->start_a > q->start_a) - (p->start_a < q->start_a);
}

void pd_refine_pair(struct pd_refining *r, pd_doc a, pd_doc b, struct pd_passages *out)
{
    struct pd_spans *chosen = &r->chosen;
    chosen->n = 0;
    if (r->spans.n)
        qsort(r->spans.v, r->spans.n, sizeof *r->spans.v, by_score);
    for (size_t k = 0; k < r->spans.n; k++)
        choose(chosen, &r->spans.v[k]);
    r->spans.n = 0;
    if (chosen->n)
        qsort(chosen->v, chosen->n, sizeof *chosen->v, by_place);
    for (size_t k = 0; k < chosen->n; k++) {
        const struct pd_span *span = &chosen->v[k];
        pd_passages_push(
            out, (struct pd_passage){a, b, span->start_a, span->start_b, span->length_a,
                                     span->length_b, span->matched, 0,
                                     (double)span->matched /
                                         (double)pd_min_u32(span->length_a, span->length_b)});
    }
}

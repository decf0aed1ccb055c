/*
 * passage/refine_pair.c - choose the passages of a pair from the spans of its regions:
 * pd_refine_pair() of include/pardup/passage/refine.h
 */
#include <stdbool.h>
#include <stdlib.h>

#include "pardup/base/minmax.h"
#include "pardup/passage/refine.h"

/* Tenths of the score of what a span replaces that it must have: an uneven one 1.1 times as much. */
enum { UNEVEN_TENTHS = 11, LITERAL_TENTHS = 10 };

enum { LITERAL_LEFT = 20 }; /* words of either side that a shortened literal span keeps */

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

static int64_t greater(int64_t x, int64_t y) { return x > y ? x : y; }

/*
 * Take the words from the ends of a literal span that chosen spans before it or behind it have as
 * well, from both sides alike. False: one of them is neither, or too few words are left.
 */
static bool shorten(const struct pd_spans *chosen, struct pd_span *span)
{
    const int64_t end_a = (int64_t)span->start_a + span->length_a;
    const int64_t end_b = (int64_t)span->start_b + span->length_b;
    int64_t back = 0, ahead = 0;
    for (size_t k = 0; k < chosen->n; k++) {
        const struct pd_span *c = &chosen->v[k];
        const int64_t c_end_a = (int64_t)c->start_a + c->length_a;
        const int64_t c_end_b = (int64_t)c->start_b + c->length_b;
        if (!overlap(span, c) || replaces(span, c))
            continue;
        if (c->start_a > span->start_a && c->start_b > span->start_b)
            ahead = greater(ahead, greater(end_a - c->start_a, end_b - c->start_b));
        else if (c_end_a < end_a && c_end_b < end_b)
            back = greater(back, greater(c_end_a - span->start_a, c_end_b - span->start_b));
        else
            return false;
    }
    const int64_t cut = back + ahead;
    if (shorter_of(span) < cut + LITERAL_LEFT)
        return false;
    span->start_a += (uint32_t)back;
    span->start_b += (uint32_t)back;
    span->length_a -= (uint32_t)cut;
    span->length_b -= (uint32_t)cut;
    span->matched = span->matched > cut ? span->matched - (uint32_t)cut : 0;
    if (back)
        span->back = (struct pd_growth){0, 0};
    if (ahead)
        span->ahead = (struct pd_growth){0, 0};
    return true;
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
    struct pd_span taken = *span;
    if (10 * span->score < tenths * sum &&
        (span->kind != PD_SPAN_LITERAL || !shorten(chosen, &taken)))
        return;
    for (size_t k = 0; k < chosen->n; k++)
        if (!overlap(&taken, &chosen->v[k]))
            chosen->v[kept++] = chosen->v[k];
    chosen->n = kept;
    pd_spans_push(chosen, taken);
}

static int by_place(const void *x, const void *y)
{
    const struct pd_span *p = x, *q = y; /* spans do not overlap: no two begin at one word */
    return (p->start_a > q->start_a) - (p->start_a < q->start_a);
}

/* ---- growing ---- */

/* Where a span begins and ends in document a (side 0) or b, as it grows. */
static int64_t begin_of(const struct pd_span *s, int side)
{
    return side ? (int64_t)s->start_b - s->back.b : (int64_t)s->start_a - s->back.a;
}

static int64_t end_of(const struct pd_span *s, int side)
{
    return side ? (int64_t)s->start_b + s->length_b + s->ahead.b
                : (int64_t)s->start_a + s->length_a + s->ahead.a;
}

/* The index of the span after span k in document b, and n if there is none. */
static size_t next_in_b(const struct pd_spans *spans, size_t k)
{
    size_t next = spans->n;
    for (size_t m = 0; m < spans->n; m++)
        if (spans->v[m].start_b > spans->v[k].start_b &&
            (next == spans->n || spans->v[m].start_b < spans->v[next].start_b))
            next = m;
    return next;
}

/*
 * Let span x and the spans after it in both documents meet, or not. Returns whether they become one
 * span.
 *   y, z  the span after x in a, and in b; NULL: there is none
 */
static bool meet(struct pd_span *x, struct pd_span *y, struct pd_span *z)
{
    const struct pd_growth none = {0, 0};
    const bool reaches_y = y && end_of(x, 0) > y->start_a;
    const bool reaches_z = z && end_of(x, 1) > z->start_b;
    const bool back_y = y && begin_of(y, 0) < (int64_t)x->start_a + x->length_a;
    const bool back_z = z && begin_of(z, 1) < (int64_t)x->start_b + x->length_b;
    if (y == z && ((reaches_y && reaches_z) || (back_y && back_z)))
        return true;
    if (reaches_y || reaches_z)
        x->ahead = none;
    if (back_y)
        y->back = none;
    if (back_z)
        z->back = none;
    const bool over_y = y && begin_of(y, 0) < end_of(x, 0);
    const bool over_z = z && begin_of(z, 1) < end_of(x, 1);
    if (y == z && over_y && over_z)
        return true;
    if (over_y)
        y->back = none;
    if (over_z)
        z->back = none;
    return false;
}

/* Append the passage of spans x to y, which become one. */
static void push_passage(pd_doc a, pd_doc b, const struct pd_span *x, const struct pd_span *y,
                         struct pd_passages *out)
{
    const uint32_t start[2] = {(uint32_t)begin_of(x, 0), (uint32_t)begin_of(x, 1)};
    const uint32_t length[2] = {(uint32_t)end_of(y, 0) - start[0],
                                (uint32_t)end_of(y, 1) - start[1]};
    uint32_t matched = 0;
    for (const struct pd_span *s = x; s <= y; s++)
        matched += s->matched;
    pd_passages_push(
        out, (struct pd_passage){a, b, start[0], start[1], length[0], length[1], matched, 0,
                                 (double)matched / (double)pd_min_u32(length[0], length[1])});
}

void pd_refine_pair(struct pd_refining *r, pd_doc a, pd_doc b, struct pd_passages *out)
{
    struct pd_spans *chosen = &r->chosen;
    chosen->n = 0;
    PD_VEC_SORT(&r->spans, by_score);
    for (size_t k = 0; k < r->spans.n; k++)
        choose(chosen, &r->spans.v[k]);
    r->spans.n = 0;
    PD_VEC_SORT(chosen, by_place);
    for (size_t k = 0; k < chosen->n; k++) {
        struct pd_span *const x = &chosen->v[k];
        const size_t z = next_in_b(chosen, k);
        x->joined = meet(x, k + 1 < chosen->n ? x + 1 : NULL, z < chosen->n ? &chosen->v[z] : NULL);
    }
    for (size_t k = 0, first = 0; k < chosen->n; k++) {
        if (chosen->v[k].joined)
            continue;
        push_passage(a, b, &chosen->v[first], &chosen->v[k], out);
        first = k + 1;
    }
}

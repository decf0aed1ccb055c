/*
 * passage/members.c - see include/pardup/passage/members.h
 *
 * Spans are taken longest first. A span overlaps a longer one by more than half of itself exactly
 * if its middle lies inside the longer one. All longer spans around that middle are then one
 * component, so their union stands for them: a later, shorter span has its middle inside the union
 * exactly if it has it inside one of them. So only the unions are looked at.
 */
#include "pardup/passage/members.h"

#include <stdbool.h>
#include <stdlib.h>

struct by_length {
    uint64_t begin, length;
    size_t span;
};
PD_VEC(by_lengths, struct by_length);
PD_VEC(indices, size_t);

static int compare(const void *x, const void *y)
{
    const struct by_length *a = x, *b = y;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

/* Is the middle of a span inside another one? */
static bool is_around(const struct pd_reach *outer, uint64_t twice_middle)
{
    return 2 * outer->begin < twice_middle && twice_middle < 2 * outer->end;
}

/* Unite the components once. Returns true if there were two spans to unite. */
static bool unite_once(struct pd_reaches *spans, struct by_lengths *order, struct indices *unions)
{
    bool united = false;
    order->n = unions->n = 0;
    for (size_t k = 0; k < spans->n; k++)
        if (spans->v[k].parent == k)
            by_lengths_push(order, (struct by_length){spans->v[k].begin,
                                                      spans->v[k].end - spans->v[k].begin, k});
    if (order->n)
        qsort(order->v, order->n, sizeof *order->v, compare);
    for (size_t k = 0; k < order->n; k++) {
        struct pd_reach *s = &spans->v[order->v[k].span];
        const uint64_t twice_middle = s->begin + s->end;
        for (size_t u = unions->n; u-- > 0;) {
            struct pd_reach *other = &spans->v[unions->v[u]];
            if (!is_around(other, twice_middle))
                continue;
            s->begin = other->begin < s->begin ? other->begin : s->begin;
            s->end = other->end > s->end ? other->end : s->end;
            other->parent = order->v[k].span;
            unions->v[u] = unions->v[--unions->n];
            united = true;
        }
        indices_push(unions, order->v[k].span);
    }
    return united;
}

void pd_members_unite(struct pd_reaches *spans)
{
    struct by_lengths order = {0};
    struct indices unions = {0};
    for (size_t k = 0; k < spans->n; k++)
        spans->v[k].parent = k;
    while (unite_once(spans, &order, &unions))
        ;
    by_lengths_release(&order);
    indices_release(&unions);
}

size_t pd_member_of(const struct pd_reaches *spans, size_t k)
{
    while (spans->v[k].parent != k)
        k = spans->v[k].parent;
    return k;
}

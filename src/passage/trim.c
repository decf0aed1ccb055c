/* passage/trim.c - see include/pardup/passage/trim.h */
#include "pardup/passage/trim.h"

#include <stdlib.h>

#include "pardup/base/sort.h"

/* A document of the pair is given as the shift of its half of pd_ij(in a, in b). */
enum { IN_A = 32, IN_B = 0 };

static uint64_t bytes_in(const struct pd_trim_row *r, int doc)
{
    return doc == IN_A ? r->row.bytes_a : r->row.bytes_b;
}

static uint32_t half(uint64_t ij, int doc) { return (uint32_t)(ij >> doc); }

/* Where a row begins and ends in a document, with its edges. */
static uint32_t begin_of(const struct pd_trim_row *r, int doc, const uint64_t *steps)
{
    return r->nback ? half(steps[r->back + r->nback - 1], doc) : (uint32_t)(bytes_in(r, doc) >> 32);
}

static uint32_t end_of(const struct pd_trim_row *r, int doc, const uint64_t *steps)
{
    return r->nahead ? half(steps[r->ahead + r->nahead - 1], doc) : (uint32_t)bytes_in(r, doc);
}

static int by_begin_in_a(const void *px, const void *py)
{
    const struct pd_trim_row *x = px, *y = py;
    return (x->row.bytes_a > y->row.bytes_a) - (x->row.bytes_a < y->row.bytes_a);
}

/* Sort the rows by their begin in a document: pd_ij(begin, index). */
static void put_in_order(const struct pd_trim_row *rows, size_t n, int doc, struct pd_u64s *order)
{
    order->n = 0;
    for (size_t k = 0; k < n; k++)
        pd_u64s_push(order, pd_ij((uint32_t)(bytes_in(&rows[k], doc) >> 32), (uint32_t)k));
    pd_sort_records(order->v, n, 1, 1);
}

/*
 * True if all words between x and y agree, where y is next to x. *between: the number of words
 * between them.
 */
static bool meets(const struct pd_trim_row *x, const struct pd_trim_row *y, const uint64_t *steps,
                  uint32_t *between)
{
    const bool back = y->nback > 0; /* else the first word of y is looked for */
    const uint32_t a = back ? half(steps[y->back], IN_A) : (uint32_t)(y->row.bytes_a >> 32);
    const uint32_t b = back ? half(steps[y->back], IN_B) : (uint32_t)(y->row.bytes_b >> 32);
    uint32_t k = 0;
    while (k < x->nahead && half(steps[x->ahead + k], IN_A) <= a &&
           half(steps[x->ahead + k], IN_B) <= b)
        k++;
    *between = k + back;
    return k < x->nahead && half(steps[x->ahead + k], IN_A) > a &&
           half(steps[x->ahead + k], IN_B) > b;
}

/* Make x the row of x and y with the words between them. */
static void join(struct pd_trim_row *x, const struct pd_trim_row *y, uint32_t between)
{
    const uint64_t matched = x->row.matched + y->row.matched;
    x->row.similarity =
        (x->row.similarity * (double)x->row.matched + y->row.similarity * (double)y->row.matched) /
        (double)matched;
    x->row.matched = matched;
    x->row.lengths = y->row.starts + y->row.lengths - x->row.starts; /* both halves at once */
    x->row.bytes_a = pd_ij((uint32_t)(x->row.bytes_a >> 32), (uint32_t)y->row.bytes_a);
    x->row.bytes_b = pd_ij((uint32_t)(x->row.bytes_b >> 32), (uint32_t)y->row.bytes_b);
    x->row.own_a = pd_ij((uint32_t)(x->row.own_a >> 32), (uint32_t)y->row.own_a);
    x->row.own_b = pd_ij((uint32_t)(x->row.own_b >> 32), (uint32_t)y->row.own_b);
    x->words.in_a += between + y->words.in_a;
    x->words.in_b += between + y->words.in_b;
    x->words.in_both += between + y->words.in_both;
    x->ahead = y->ahead;
    x->nahead = y->nahead;
    x->rank = y->rank;
}

/* Join the rows that meet. Returns how many are left, in order of document a. */
static size_t join_rows(struct pd_trim_row *rows, size_t n, const uint64_t *steps,
                        struct pd_u64s *order)
{
    size_t left = 1;
    put_in_order(rows, n, IN_B, order);
    for (size_t k = 0; k < n; k++)
        rows[(uint32_t)order->v[k]].rank = k;
    qsort(rows, n, sizeof *rows, by_begin_in_a);
    for (size_t k = 1; k < n; k++) {
        struct pd_trim_row *x = &rows[left - 1], *y = &rows[k];
        uint32_t between;
        const bool next = y->rank == x->rank + 1 && meets(x, y, steps, &between);
        if (next)
            join(x, y, between);
        else
            rows[left++] = *y;
    }
    return left;
}

/* Shorten edges that reach into the matched units of the neighbours in a document. */
static void trim_to_units(struct pd_trim_row *rows, size_t n, int doc, const uint64_t *steps,
                          struct pd_u64s *order)
{
    put_in_order(rows, n, doc, order);
    for (size_t k = 1; k < n; k++) {
        struct pd_trim_row *x = &rows[(uint32_t)order->v[k - 1]];
        struct pd_trim_row *y = &rows[(uint32_t)order->v[k]];
        while (x->nahead && end_of(x, doc, steps) > bytes_in(y, doc) >> 32)
            x->nahead--;
        while (y->nback && begin_of(y, doc, steps) < (uint32_t)bytes_in(x, doc))
            y->nback--;
    }
}

/* Shorten back edges that overlap the edges of the rows before, in a document. */
static void trim_to_edges(struct pd_trim_row *rows, size_t n, int doc, const uint64_t *steps,
                          struct pd_u64s *order)
{
    put_in_order(rows, n, doc, order);
    for (size_t k = 1; k < n; k++) {
        const struct pd_trim_row *x = &rows[(uint32_t)order->v[k - 1]];
        struct pd_trim_row *y = &rows[(uint32_t)order->v[k]];
        while (y->nback && begin_of(y, doc, steps) < end_of(x, doc, steps))
            y->nback--;
    }
}

/* Where the own words of a row begin and end with its edges, which have own words only. */
static uint64_t own_with_edges(uint64_t own, const struct pd_trim_row *r)
{
    return pd_ij((uint32_t)(own >> 32) - r->nback, (uint32_t)own + r->nahead);
}

size_t pd_trim(struct pd_trim_row *rows, size_t n, const uint64_t *steps, struct pd_u64s *order)
{
    if (n > 1)
        n = join_rows(rows, n, steps, order);
    if (n > 1) {
        trim_to_units(rows, n, IN_A, steps, order);
        trim_to_units(rows, n, IN_B, steps, order);
        trim_to_edges(rows, n, IN_A, steps, order);
        trim_to_edges(rows, n, IN_B, steps, order);
    }
    for (size_t k = 0; k < n; k++) {
        struct pd_trim_row *r = &rows[k];
        const uint64_t a = pd_ij(begin_of(r, IN_A, steps), end_of(r, IN_A, steps));
        const uint64_t b = pd_ij(begin_of(r, IN_B, steps), end_of(r, IN_B, steps));
        r->row.bytes_a = a;
        r->row.bytes_b = b;
        r->row.own_a = own_with_edges(r->row.own_a, r);
        r->row.own_b = own_with_edges(r->row.own_b, r);
    }
    return n;
}

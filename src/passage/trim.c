/* passage/trim.c - see include/pardup/passage/trim.h */
#include "pardup/passage/trim.h"

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

/* Sort the rows by their begin in a document: pd_ij(begin, index). */
static void put_in_order(const struct pd_trim_row *rows, size_t n, int doc, struct pd_u64s *order)
{
    order->n = 0;
    for (size_t k = 0; k < n; k++)
        pd_u64s_push(order, pd_ij((uint32_t)(bytes_in(&rows[k], doc) >> 32), (uint32_t)k));
    pd_sort_records(order->v, n, 1, 1);
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

void pd_trim(struct pd_trim_row *rows, size_t n, const uint64_t *steps, struct pd_u64s *order)
{
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
    }
}

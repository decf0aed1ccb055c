/* passage/folded.c - see include/pardup/passage/folded.h */
#include "pardup/passage/folded.h"

#include <stdbool.h>

static uint32_t high(uint64_t x) { return (uint32_t)(x >> 32); }
static uint32_t low(uint64_t x) { return (uint32_t)x; }

/* Write x as its difference from `before`. Differences 0, -1, 1, -2 become varints 0, 1, 2, 3. */
static unsigned char *put(unsigned char *p, uint32_t x, uint32_t before)
{
    const int64_t difference = (int64_t)x - before;
    return pd_varint_put(p, (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63));
}

static const unsigned char *get(const unsigned char *p, uint32_t *x, uint32_t before)
{
    uint64_t number;
    p = pd_varint_get(p, &number);
    *x = before + (uint32_t)(number >> 1 ^ -(number & 1));
    return p;
}

static unsigned char *put_double(unsigned char *p, double x)
{
    memcpy(p, &x, sizeof x);
    return p + sizeof x;
}

static const unsigned char *get_double(const unsigned char *p, double *x)
{
    memcpy(x, p, sizeof *x);
    return p + sizeof *x;
}

static unsigned char *put_row(unsigned char *p, const struct pd_row *row,
                              const struct pd_row *before)
{
    const uint32_t matched = (uint32_t)row->matched;
    const bool similar = row->similarity != 1, differs = row->agreement != 1;
    p = put(p, high(row->starts), high(before->starts));
    p = put(p, low(row->starts), low(before->starts));
    p = put(p, high(row->lengths), 0);
    p = put(p, low(row->lengths), high(row->lengths));
    p = put(p, high(row->bytes_a), low(before->bytes_a));
    p = put(p, low(row->bytes_a), high(row->bytes_a));
    p = put(p, high(row->bytes_b), low(before->bytes_b));
    p = put(p, low(row->bytes_b), high(row->bytes_b));
    p = put(p, high(row->own_a), low(before->own_a));
    p = put(p, low(row->own_a), high(row->own_a));
    p = put(p, high(row->own_b), low(before->own_b));
    p = put(p, low(row->own_b), high(row->own_b));
    p = pd_varint_put(p, (uint64_t)matched << 2 | (uint64_t)differs << 1 | similar);
    if (similar)
        p = put_double(p, row->similarity);
    p = pd_varint_put(p, high(row->words));
    if (differs)
        p = put_double(put(p, low(row->words), high(row->words)), row->agreement);
    return p;
}

static const unsigned char *get_row(const unsigned char *p, struct pd_row *row,
                                    const struct pd_row *before)
{
    uint32_t start_a, start_b, length_a, length_b, begin, end;
    uint32_t words_b;
    uint64_t matched, words_a;
    p = get(p, &start_a, high(before->starts));
    p = get(p, &start_b, low(before->starts));
    p = get(p, &length_a, 0);
    p = get(p, &length_b, length_a);
    row->starts = pd_ij(start_a, start_b);
    row->lengths = pd_ij(length_a, length_b);
    p = get(p, &begin, low(before->bytes_a));
    p = get(p, &end, begin);
    row->bytes_a = pd_ij(begin, end);
    p = get(p, &begin, low(before->bytes_b));
    p = get(p, &end, begin);
    row->bytes_b = pd_ij(begin, end);
    p = get(p, &begin, low(before->own_a));
    p = get(p, &end, begin);
    row->own_a = pd_ij(begin, end);
    p = get(p, &begin, low(before->own_b));
    p = get(p, &end, begin);
    row->own_b = pd_ij(begin, end);
    p = pd_varint_get(p, &matched);
    row->matched = matched >> 2;
    row->similarity = row->agreement = 1;
    if (matched & 1)
        p = get_double(p, &row->similarity);
    p = pd_varint_get(p, &words_a);
    words_b = (uint32_t)words_a;
    if (matched & 2)
        p = get_double(get(p, &words_b, (uint32_t)words_a), &row->agreement);
    row->words = pd_ij((uint32_t)words_a, words_b);
    return p;
}

void pd_rows_fold(const struct pd_row *rows, size_t n, struct pd_bytes *to)
{
    const struct pd_row none = {0}, *before = &none;
    pd_bytes_reserve(to, to->n + PD_FOLDED_MOST(n));
    unsigned char *p = to->v + to->n;
    p = pd_varint_put(p, n);
    p = pd_varint_put(p, rows->a);
    p = pd_varint_put(p, rows->b - rows->a);
    p = pd_varint_put(p, high(rows->own));
    p = pd_varint_put(p, low(rows->own));
    for (size_t k = 0; k < n; before = &rows[k++])
        p = put_row(p, &rows[k], before);
    to->n = (size_t)(p - to->v);
}

uint64_t pd_rows_folded(const unsigned char *from)
{
    uint64_t n;
    pd_varint_get(from, &n);
    return n;
}

size_t pd_rows_unfold(const unsigned char *from, struct pd_rows *rows)
{
    const struct pd_row none = {0}, *before = &none;
    struct pd_row pair = {0};
    const unsigned char *p = from;
    uint64_t n, difference, in_a, in_b;
    p = pd_varint_get(pd_varint_get(pd_varint_get(p, &n), &pair.a), &difference);
    p = pd_varint_get(pd_varint_get(p, &in_a), &in_b);
    pair.b = pair.a + difference;
    pair.own = pd_ij((uint32_t)in_a, (uint32_t)in_b);
    pd_rows_reserve(rows, rows->n + n);
    for (const size_t end = rows->n + n; rows->n < end; before = &rows->v[rows->n++]) {
        rows->v[rows->n] = pair;
        p = get_row(p, &rows->v[rows->n], before);
    }
    return (size_t)(p - from);
}

/* corpus/parquet/parquet_values.c - see parquet_values.h */
#include "parquet_values.h"

#include <string.h>

#include "parquet_thrift.h"

enum {
    MINI_UNIT = 32,  /* differences of a miniblock are a multiple */
    WIDTH_MOST = 64, /* bits of a difference */
    MINIS_MOST = 1 << 16,
    BLOCK_MOST = 1 << 24 /* differences of a block; writers have 128 */
};

/* `width` bits of s[0, n) from bit `at` on, low bits first. They lie within s. */
static uint64_t bits_at(const unsigned char *s, const unsigned char *end, size_t at, unsigned width)
{
    const unsigned char *p = s + at / 8;
    const unsigned shift = at % 8, need = (shift + width + 7) / 8;
    uint64_t x = 0;
    if (end - p >= (ptrdiff_t)sizeof x && shift + width <= 64) {
        memcpy(&x, p, sizeof x); /* little endian, as the format and all supported machines are */
        x >>= shift;
    } else {
        for (unsigned k = 0; k < need && k < sizeof x; k++)
            x |= (uint64_t)p[k] << 8 * k;
        x >>= shift;
        if (need > sizeof x)
            x |= (uint64_t)p[sizeof x] << (64 - shift);
    }
    return width < 64 ? x & (((uint64_t)1 << width) - 1) : x;
}

/* ---- runs ---- */

struct pd_hybrid pd_hybrid_open(const unsigned char *s, size_t n, unsigned width)
{
    return (struct pd_hybrid){.p = s, .end = s + n, .width = width};
}

/* Begin the next run. Numbers of no bits never end. Returns false when there is none. */
static bool next_run(struct pd_hybrid *h)
{
    struct pd_thrift t = {h->p, h->end, false};
    const uint64_t head = pd_thrift_varint(&t);
    if (t.bad || head >> 1 == 0)
        return false;
    h->p = t.p;
    const uint64_t n = head >> 1, left = (uint64_t)(h->end - h->p);
    if (head & 1) {
        /* some writers leave out the bytes behind the last number */
        const uint64_t groups = n < left || h->width == 0 ? n : left;
        const uint64_t bytes = groups * h->width < left ? groups * h->width : left;
        h->bits = h->p;
        h->bit = 0;
        h->left = h->width == 0 ? UINT64_MAX : bytes * 8 / h->width;
        h->p += bytes;
        return h->left > 0;
    }
    const size_t bytes = (h->width + 7) / 8;
    if (bytes > left)
        return false;
    h->value = 0;
    for (size_t k = 0; k < bytes; k++)
        h->value |= (uint32_t)h->p[k] << 8 * k;
    h->p += bytes;
    h->bits = NULL;
    h->left = n;
    return true;
}

bool pd_hybrid_next(struct pd_hybrid *h, uint32_t *value)
{
    if (h->left == 0 && !next_run(h))
        return false;
    h->left--;
    if (!h->bits) {
        *value = h->value;
        return true;
    }
    *value = (uint32_t)bits_at(h->bits, h->end, h->bit, h->width);
    h->bit += h->width;
    return true;
}

/* ---- differences ---- */

bool pd_delta_open(struct pd_delta *d, const unsigned char *s, size_t n)
{
    struct pd_thrift t = {s, s + n, false};
    *d = (struct pd_delta){.first = true};
    const uint64_t block = pd_thrift_varint(&t);
    d->minis = d->mini = pd_thrift_varint(&t);
    d->left = pd_thrift_varint(&t);
    d->value = (uint64_t)pd_thrift_zigzag(&t);
    d->p = t.p;
    d->end = t.end;
    if (t.bad || d->minis == 0 || d->minis > MINIS_MOST || block > BLOCK_MOST || block % d->minis)
        return false;
    d->per_mini = block / d->minis;
    return d->per_mini > 0 && d->per_mini % MINI_UNIT == 0;
}

/* Begin the next miniblock, and the block that it begins. Returns false when it is damaged. */
static bool next_mini(struct pd_delta *d)
{
    if (d->mini == d->minis) {
        struct pd_thrift t = {d->p, d->end, false};
        d->least = (uint64_t)pd_thrift_zigzag(&t);
        if (t.bad || d->minis > (uint64_t)(t.end - t.p))
            return false;
        d->widths = t.p;
        d->p = t.p + d->minis;
        d->mini = 0;
    }
    d->width = d->widths[d->mini++];
    const uint64_t bytes = d->width * d->per_mini / 8;
    if (d->width > WIDTH_MOST || bytes > (uint64_t)(d->end - d->p))
        return false;
    d->bits = d->p;
    d->bit = 0;
    d->p += bytes;
    d->in_mini = d->per_mini;
    return true;
}

bool pd_delta_next(struct pd_delta *d, int64_t *value)
{
    if (d->left == 0)
        return false;
    if (!d->first) {
        if (d->in_mini == 0 && !next_mini(d))
            return false;
        d->value += d->least + bits_at(d->bits, d->end, d->bit, d->width);
        d->bit += d->width;
        d->in_mini--;
    }
    d->first = false;
    d->left--;
    *value = (int64_t)d->value;
    return true;
}

const unsigned char *pd_delta_end(struct pd_delta d, uint64_t most)
{
    int64_t value;
    if (d.left > most)
        return NULL;
    while (d.left > 0)
        if (!pd_delta_next(&d, &value))
            return NULL;
    return d.p;
}

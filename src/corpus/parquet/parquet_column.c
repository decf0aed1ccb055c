/* corpus/parquet/parquet_column.c - see parquet_column.h */
#include "parquet_column.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/scan.h"

enum {
    READ_AHEAD = 256 << 10, /* bytes read at once, when a page is smaller */
    HEADER_FIRST = 1 << 10, /* bytes in which a page header is looked for first */
    LENGTH = 4,             /* bytes of a length */
    WIDTH_MOST = 32         /* bits of an index */
};
#define HEADER_MOST ((size_t)16 << 20) /* bytes; headers may hold the least and greatest value */

static int say(struct pd_parquet_column *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static int say(struct pd_parquet_column *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(c->why, sizeof c->why, fmt, ap);
    va_end(ap);
    return PD_EFORMAT;
}

static int damaged(struct pd_parquet_column *c)
{
    return say(c, "a page before byte %llu is damaged", (unsigned long long)c->next);
}

void pd_parquet_column_begin(struct pd_parquet_column *c, const struct pd_parquet_leaf *leaf,
                             const struct pd_parquet_chunk *chunk, uint64_t n)
{
    c->leaf = *leaf;
    c->chunk = *chunk;
    c->next = chunk->start;
    c->behind = n;
    c->stored.n = c->left = c->nentries = 0;
}

/* ---- pages ---- */

/*
 * Have `want` bytes of the chunk from c->next on, or all that are left of it. *n: how many there
 * are. Returns them, or NULL with *status.
 */
static const unsigned char *hold(struct pd_parquet_column *c, size_t want, size_t *n, int *status)
{
    const uint64_t left = c->chunk.end - c->next;
    want = (size_t)pd_min_u64(want, left);
    const bool inside = c->next >= c->stored_at && c->next <= c->stored_at + c->stored.n;
    const size_t pos = inside ? (size_t)(c->next - c->stored_at) : 0;
    size_t have = inside ? c->stored.n - pos : 0;
    if (have < want || !c->stored.v) {
        const size_t most = (size_t)pd_min_u64(pd_max_size(want, READ_AHEAD), left);
        pd_bytes_reserve(&c->stored, pd_max_size(pos + have, most) + PD_PARQUET_PAD);
        memmove(c->stored.v, c->stored.v + pos, have);
        c->stored.n = 0;
        *status = pd_parquet_pread(c->fd, c->path, c->stored.v + have, most - have, c->next + have);
        if (*status == PD_END)
            *status = say(c, "the file became shorter while it was read");
        if (*status != PD_OK)
            return NULL;
        c->stored_at = c->next;
        c->stored.n = have = most;
        *n = have;
        return c->stored.v;
    }
    *n = have;
    return c->stored.v + pos;
}

/* Read the header of the next page, and go behind it. Returns PD_OK, PD_EFORMAT or PD_EIO. */
static int read_header(struct pd_parquet_column *c, struct pd_parquet_page *page)
{
    int status;
    if (c->next >= c->chunk.end)
        return say(c, "the pages end before the values do");
    for (size_t want = HEADER_FIRST, n;; want *= 4) {
        const unsigned char *s = hold(c, want, &n, &status);
        if (!s)
            return status;
        const size_t header = pd_parquet_page_read(s, n, page);
        if (header == 0 && n >= want && want < HEADER_MOST)
            continue;
        if (header == 0)
            return say(c, "the page header at byte %llu is damaged", (unsigned long long)c->next);
        c->next += header;
        break;
    }
    if (page->stored < 0 || page->bytes < 0 || page->values < -1 || page->values > INT32_MAX ||
        (uint64_t)page->stored > c->chunk.end - c->next)
        return say(c, "the page header before byte %llu is damaged", (unsigned long long)c->next);
    return PD_OK;
}

/*
 * The stored bytes of the page, whose size is checked; c->next goes behind them. Returns PD_OK,
 * PD_EFORMAT or PD_EIO.
 */
static int take_page(struct pd_parquet_column *c, const struct pd_parquet_page *page,
                     const unsigned char **s)
{
    int status = PD_OK;
    size_t have;
    c->page_n = pd_max_u64((uint64_t)page->bytes, (uint64_t)page->stored);
    if (c->page_n > c->most)
        return say(c, "a page of %llu bytes: more than four times --max-document",
                   (unsigned long long)c->page_n);
    if (c->planned > 0 && c->page_n > c->planned)
        return PD_EFULL;
    *s = hold(c, (size_t)page->stored, &have, &status);
    if (!*s)
        return status;
    c->next += (uint64_t)page->stored;
    if (page->checked && !pd_parquet_crc_fits(page->crc, *s, (size_t)page->stored))
        return say(c, "the checksum of a page before byte %llu is wrong",
                   (unsigned long long)c->next);
    return PD_OK;
}

/*
 * Decode s[0, n), which becomes `bytes`, into `to`, or find out that it is as it should be. The
 * result is *s. Returns PD_OK or PD_EFORMAT.
 */
static int unpack(struct pd_parquet_column *c, const unsigned char **s, size_t n, size_t bytes,
                  bool packed, struct pd_bytes *to)
{
    const int codec = packed ? c->chunk.codec : PD_PARQUET_UNCOMPRESSED;
    if (codec == PD_PARQUET_UNCOMPRESSED)
        return n == bytes ? PD_OK : damaged(c);
    if (!pd_parquet_may_become(codec, n, bytes))
        return say(c, "a page of %zu bytes that claims to have %zu", n, bytes);
    to->n = 0;
    pd_bytes_reserve(to, bytes + PD_PARQUET_PAD);
    if ((n > 0 || bytes > 0) && !pd_parquet_unpack(c->decoders, codec, *s, n, to->v, bytes))
        return say(c, "a page before byte %llu does not decode", (unsigned long long)c->next);
    to->n = bytes;
    *s = to->v;
    return PD_OK;
}

/* Find where the strings of the dictionary begin. Returns PD_OK or PD_EFORMAT. */
static int list_entries(struct pd_parquet_column *c)
{
    const unsigned char *s = c->dictionary.v;
    size_t at = 0;
    c->entries.n = 0;
    for (uint64_t k = 0; k < c->nentries; k++) {
        if (c->dictionary.n - at < LENGTH ||
            pd_scan_number(s + at, 4) > c->dictionary.n - at - LENGTH)
            return damaged(c);
        pd_parquet_places_push(&c->entries, (uint32_t)at);
        at += LENGTH + pd_scan_number(s + at, 4);
    }
    return PD_OK;
}

static int read_dictionary(struct pd_parquet_column *c, const struct pd_parquet_page *page)
{
    const unsigned char *s;
    PD_TRY(take_page(c, page, &s));
    PD_TRY(unpack(c, &s, (size_t)page->stored, (size_t)page->bytes, true, &c->dictionary));
    if (s != c->dictionary.v) {
        c->dictionary.n = 0;
        pd_bytes_reserve(&c->dictionary, (size_t)page->bytes + PD_PARQUET_PAD);
        pd_bytes_append(&c->dictionary, s, (size_t)page->bytes);
    }
    const size_t size = c->leaf.size;
    c->nentries = page->values < 0 ? 0 : (uint64_t)page->values;
    if (c->leaf.type == PD_PARQUET_BYTE_ARRAY)
        return list_entries(c);
    return size > 0 && c->nentries <= c->dictionary.n / size ? PD_OK : damaged(c);
}

/* Set up the values s[0, n) of a data page. Returns PD_OK or PD_EFORMAT. */
static int open_values(struct pd_parquet_column *c, int64_t encoding, const unsigned char *s,
                       size_t n)
{
    const bool string = c->leaf.type == PD_PARQUET_BYTE_ARRAY;
    const bool integer = c->leaf.type == PD_PARQUET_INT32 || c->leaf.type == PD_PARQUET_INT64;
    const unsigned char *end = s + n;
    c->encoding = encoding == PD_PARQUET_OLD_DICTIONARY ? PD_PARQUET_INDICES : (int)encoding;
    c->p = s;
    c->end = end;
    c->bit = 0;
    c->string.n = 0;
    c->indices = (struct pd_hybrid){0};
    c->prefixes = c->lengths = (struct pd_delta){0};
    if (c->encoding == PD_PARQUET_PLAIN || n == 0)
        return PD_OK;
    if (c->encoding == PD_PARQUET_INDICES) {
        c->indices = pd_hybrid_open(s + 1, n - 1, *s);
        return *s <= WIDTH_MOST ? PD_OK : damaged(c);
    }
    if (c->encoding == PD_PARQUET_RLE && c->leaf.type == PD_PARQUET_BOOLEAN) {
        if (n < LENGTH || pd_scan_number(s, 4) > n - LENGTH)
            return damaged(c);
        c->indices = pd_hybrid_open(s + LENGTH, pd_scan_number(s, 4), 1);
        return PD_OK;
    }
    if (c->encoding == PD_PARQUET_DELTA && integer)
        return pd_delta_open(&c->lengths, s, n) ? PD_OK : damaged(c);
    if (c->encoding == PD_PARQUET_DELTA_STRINGS && string) {
        c->p = pd_delta_open(&c->prefixes, s, n) ? pd_delta_end(c->prefixes, c->left) : NULL;
        if (!c->p)
            return damaged(c);
    } else if (c->encoding != PD_PARQUET_DELTA_LENGTH || !string) {
        return say(c, "values of encoding %lld, which pardup does not read", (long long)encoding);
    }
    c->p = pd_delta_open(&c->lengths, c->p, (size_t)(end - c->p))
               ? pd_delta_end(c->lengths, c->left)
               : NULL;
    return c->p ? PD_OK : damaged(c);
}

static unsigned width_of(unsigned levels)
{
    unsigned width = 0;
    for (; levels > 0; levels >>= 1)
        width++;
    return width;
}

/*
 * Set up the levels up to `most` that a page of version 1 begins with; *s and *n become what follows.
 * Returns PD_OK or PD_EFORMAT.
 */
static int open_levels(struct pd_parquet_column *c, unsigned most, int64_t encoding,
                       const unsigned char **s, size_t *n, struct pd_hybrid *levels)
{
    if (most == 0)
        return PD_OK;
    if (encoding != PD_PARQUET_RLE)
        return say(c, "levels of encoding %lld, which pardup does not read", (long long)encoding);
    if (*n < LENGTH || pd_scan_number(*s, 4) > *n - LENGTH)
        return damaged(c);
    const size_t bytes = pd_scan_number(*s, 4);
    *levels = pd_hybrid_open(*s + LENGTH, bytes, width_of(most));
    *s += LENGTH + bytes;
    *n -= LENGTH + bytes;
    return PD_OK;
}

static int open_data(struct pd_parquet_column *c, const struct pd_parquet_page *page)
{
    const unsigned char *s;
    PD_TRY(take_page(c, page, &s));
    size_t stored = (size_t)page->stored, bytes = (size_t)page->bytes;
    c->left = (uint64_t)page->values;
    if (page->kind == PD_PARQUET_DATA_2) {
        const uint64_t levels = (uint64_t)page->levels + (uint64_t)page->repeats;
        if (page->levels < 0 || page->repeats < 0 || levels > stored || levels > bytes)
            return damaged(c);
        c->repeats = pd_hybrid_open(s, (size_t)page->repeats, width_of(c->leaf.repeats));
        c->levels =
            pd_hybrid_open(s + page->repeats, (size_t)page->levels, width_of(c->leaf.levels));
        s += levels;
        stored -= (size_t)levels;
        bytes -= (size_t)levels;
        PD_TRY(unpack(c, &s, stored, bytes, page->packed, &c->page));
        return open_values(c, page->encoding, s, bytes);
    }
    PD_TRY(unpack(c, &s, stored, bytes, true, &c->page));
    PD_TRY(open_levels(c, c->leaf.repeats, page->repeat_encoding, &s, &bytes, &c->repeats));
    PD_TRY(open_levels(c, c->leaf.levels, page->level_encoding, &s, &bytes, &c->levels));
    return open_values(c, page->encoding, s, bytes);
}

/*
 * Go to the next page with values. Pages whose values are all among the *pass that are to be passed
 * are not decoded; *pass goes down by their values. Returns PD_OK, PD_EFORMAT or PD_EIO; with
 * *pass = 0 before, a page with values is open after PD_OK.
 */
static int next_page(struct pd_parquet_column *c, uint64_t *pass)
{
    const bool passing = *pass > 0;
    do {
        struct pd_parquet_page page;
        PD_TRY(read_header(c, &page));
        const bool data = page.kind == PD_PARQUET_DATA || page.kind == PD_PARQUET_DATA_2;
        if (page.kind == PD_PARQUET_DICTIONARY) {
            PD_TRY(read_dictionary(c, &page));
        } else if (!data) {
            c->next += (uint64_t)page.stored;
        } else if (page.values < 0 || (uint64_t)page.values > c->behind) {
            return damaged(c);
        } else if (passing && (uint64_t)page.values <= *pass) {
            *pass -= (uint64_t)page.values;
            c->behind -= (uint64_t)page.values;
            c->next += (uint64_t)page.stored;
        } else {
            c->behind -= (uint64_t)page.values;
            PD_TRY(open_data(c, &page));
        }
    } while (c->left == 0 && !(passing && *pass == 0));
    return PD_OK;
}

/* ---- values ---- */

/* Take n bytes that stand there as they are. */
static int take(struct pd_parquet_column *c, uint64_t n, const unsigned char **v)
{
    if (n > (uint64_t)(c->end - c->p))
        return damaged(c);
    *v = c->p;
    c->p += n;
    return PD_OK;
}

static int plain_value(struct pd_parquet_column *c, const unsigned char **v, size_t *n)
{
    static const unsigned char truth[2] = {0, 1};
    *n = c->leaf.size;
    if (c->leaf.type == PD_PARQUET_BOOLEAN) {
        if (c->p == c->end)
            return damaged(c);
        *v = &truth[*c->p >> c->bit & 1];
        c->bit = (c->bit + 1) % 8;
        c->p += c->bit == 0;
        return PD_OK;
    }
    if (c->leaf.type == PD_PARQUET_BYTE_ARRAY) {
        PD_TRY(take(c, LENGTH, v));
        *n = pd_scan_number(*v, 4);
    }
    return take(c, *n, v);
}

static int indexed_value(struct pd_parquet_column *c, const unsigned char **v, size_t *n)
{
    uint32_t k;
    if (!pd_hybrid_next(&c->indices, &k) || k >= c->nentries)
        return damaged(c);
    *n = c->leaf.size;
    if (c->leaf.type != PD_PARQUET_BYTE_ARRAY) {
        *v = c->dictionary.v + k * *n;
        return PD_OK;
    }
    const unsigned char *entry = c->dictionary.v + c->entries.v[k];
    *n = pd_scan_number(entry, 4);
    *v = entry + LENGTH;
    return PD_OK;
}

/* A string, stored without the bytes with which the last string began, too. */
static int delta_string(struct pd_parquet_column *c, const unsigned char **v, size_t *n)
{
    int64_t prefix, length;
    if (!pd_delta_next(&c->prefixes, &prefix) || !pd_delta_next(&c->lengths, &length) ||
        prefix < 0 || (uint64_t)prefix > c->string.n || length < 0)
        return damaged(c);
    PD_TRY(take(c, (uint64_t)length, v));
    c->string.n = (size_t)prefix;
    if (c->string.n + (size_t)length > c->most)
        return say(c, "a value of more than four times --max-document bytes");
    pd_bytes_reserve(&c->string, c->string.n + (size_t)length + PD_PARQUET_PAD);
    pd_bytes_append(&c->string, *v, (size_t)length);
    *v = c->string.v;
    *n = c->string.n;
    return PD_OK;
}

/* The next value as its type stores it. */
static int stored_value(struct pd_parquet_column *c, const unsigned char **v, size_t *n)
{
    int64_t x;
    uint32_t truth;
    switch (c->encoding) {
    case PD_PARQUET_PLAIN:
        return plain_value(c, v, n);
    case PD_PARQUET_INDICES:
        return indexed_value(c, v, n);
    case PD_PARQUET_DELTA_STRINGS:
        return delta_string(c, v, n);
    case PD_PARQUET_DELTA_LENGTH:
        if (!pd_delta_next(&c->lengths, &x) || x < 0)
            return damaged(c);
        *n = (size_t)x;
        return take(c, (uint64_t)x, v);
    case PD_PARQUET_DELTA:
        if (!pd_delta_next(&c->lengths, &x))
            return damaged(c);
        break;
    default:
        if (!pd_hybrid_next(&c->indices, &truth))
            return damaged(c);
        x = truth;
    }
    memcpy(c->number, &x, sizeof x); /* little endian: its first bytes are the 32-bit number */
    *v = (const unsigned char *)c->number;
    *n = c->leaf.size;
    return PD_OK;
}

int pd_parquet_column_stored(struct pd_parquet_column *c, struct pd_parquet_cell *cell)
{
    uint64_t none = 0;
    *cell = (struct pd_parquet_cell){.level = c->leaf.levels};
    if (c->left == 0)
        PD_TRY(next_page(c, &none));
    c->left--;
    if ((c->leaf.repeats > 0 && !pd_hybrid_next(&c->repeats, &cell->repeat)) ||
        (c->leaf.levels > 0 && !pd_hybrid_next(&c->levels, &cell->level)) ||
        cell->repeat > c->leaf.repeats || cell->level > c->leaf.levels)
        return damaged(c);
    return cell->level < c->leaf.levels ? PD_END : stored_value(c, &cell->v, &cell->n);
}

int pd_parquet_column_next(struct pd_parquet_column *c, const unsigned char **v, size_t *n)
{
    struct pd_parquet_cell cell;
    const int status = pd_parquet_column_stored(c, &cell);
    *v = cell.v;
    *n = cell.n;
    if (status == PD_OK && pd_parquet_is_printed(&c->leaf)) {
        *n = pd_parquet_print(c->number, &c->leaf, *v, *n);
        *v = (const unsigned char *)c->number;
    }
    return status;
}

int pd_parquet_column_skip(struct pd_parquet_column *c, uint64_t rows)
{
    const unsigned char *v;
    size_t n;
    while (rows > 0) {
        if (c->left == 0)
            PD_TRY(next_page(c, &rows));
        for (; rows > 0 && c->left > 0; rows--) {
            const int status = pd_parquet_column_next(c, &v, &n);
            if (status != PD_OK && status != PD_END)
                return status;
        }
    }
    return PD_OK;
}

void pd_parquet_column_release(struct pd_parquet_column *c)
{
    PD_RELEASE(pd_bytes, &c->stored, &c->page, &c->dictionary, &c->string);
    pd_parquet_places_release(&c->entries);
}

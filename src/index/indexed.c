/*
 * index/indexed.c - a document of an index, packed: on its way to the writer, and in a segment.
 *
 * In a segment a document is the hash of its text and then varints. File, offset and id are
 * differences to the first document of its group: ids of neighbours begin alike. So do paths of
 * files. Then follow the rest of the id, the flags, the bounds, and the text, compressed.
 */
#include "indexed.h"

#include <string.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/base/fan.h"
#include "pardup/base/minmax.h"
#include "varint.h"

enum { TEXT_LEVEL = 9 }; /* of zstd: texts are packed once and read often */

/* ---- on the way to the writer ---- */

static void pack_text(const unsigned char *text, size_t n, struct pd_bytes *to)
{
    pd_bytes_reserve(to, to->n + ZSTD_compressBound(n));
    const size_t packed = ZSTD_compress(to->v + to->n, to->cap - to->n, text, n, TEXT_LEVEL);
    PD_CHECK(!ZSTD_isError(packed));
    to->n += packed;
}

void pd_indexed_pack(const struct pd_indexed *doc, const struct pd_sentences *units,
                     const unsigned char *text, struct pd_bytes *to)
{
    struct pd_indexed head = *doc;
    const size_t at = to->n;
    pd_bytes_append(to, &head, sizeof head);
    pd_bytes_append(to, doc->id, doc->id_n);
    pd_bytes_append(to, doc->frame.v, doc->frame.n);
    pd_bytes_append(to, doc->asides.v, doc->asides.n);
    const size_t bounds_at = to->n;
    pd_bounds_pack(units, to);
    head.nunits = units->n;
    head.bounds_n = to->n - bounds_at;
    if (text)
        pack_text(text, doc->text_bytes, to);
    head.id = NULL;
    head.before = NULL;
    head.bounds = head.frame.v = head.asides.v = head.text = NULL;
    memcpy(to->v + at, &head, sizeof head);
}

void pd_indexed_unpack(const unsigned char *v, size_t n, bool with_text, struct pd_indexed *out)
{
    memcpy(out, v, sizeof *out);
    out->id = (const char *)v + sizeof *out;
    out->frame.v = v + sizeof *out + out->id_n;
    out->asides.v = out->frame.v + out->frame.n;
    out->bounds = out->asides.v + out->asides.n;
    if (with_text) {
        out->text = out->bounds + out->bounds_n;
        out->text_n = (size_t)(v + n - out->text);
    }
}

/* ---- in a segment ---- */

static void put(struct pd_bytes *to, uint64_t x)
{
    unsigned char varint[PD_VARINT_MOST];
    pd_bytes_append(to, varint, (size_t)(pd_varint_put(varint, x) - varint));
}

/* The numbers of a document, as they are kept. */
enum {
    FILE_NUMBER,
    OFFSET,
    SKIP,
    LENGTH,
    SENTENCES,
    WORDS,
    TEXT_BYTES,
    HOST,
    ASIDE_WORDS,
    FRAME_N,
    ASIDES_N,
    SHARED,
    ID_N,
    HEAD
};

/* A difference of two numbers, mod 2^64, in zigzag. */
static uint64_t difference(uint64_t x, uint64_t from)
{
    const uint64_t d = x - from;
    return d << 1 ^ -(d >> 63);
}

static uint64_t undo(uint64_t d, uint64_t from) { return from + (d >> 1 ^ -(d & 1)); }

/* How many bytes both texts begin with. */
static size_t shared(const char *x, size_t nx, const char *y, size_t ny)
{
    const size_t most = pd_min_size(nx, ny);
    size_t n = 0;
    while (n < most && x[n] == y[n])
        n++;
    return n;
}

void pd_indexed_put(const struct pd_indexed *doc, const struct pd_indexed_context *c,
                    struct pd_bytes *to)
{
    const size_t before = c->first ? shared(doc->id, doc->id_n, c->first->id, c->first->id_n) : 0;
    const uint64_t head[HEAD] = {
        [FILE_NUMBER] = difference(doc->file, c->first ? c->first->file : 0),
        [OFFSET] = difference(doc->offset, c->first ? c->first->offset : 0),
        [SKIP] = doc->skip,
        [LENGTH] = difference(doc->length, doc->text_bytes),
        [SENTENCES] = doc->sentences,
        [WORDS] = doc->words,
        [TEXT_BYTES] = doc->text_bytes,
        [HOST] = c->host,
        [ASIDE_WORDS] = doc->aside_words,
        [FRAME_N] = doc->frame.n,
        [ASIDES_N] = doc->asides.n,
        [SHARED] = before,
        [ID_N] = doc->id_n - before};
    PD_CHECK(doc->before_n == 0);
    pd_bytes_append(to, &doc->text_hash, sizeof doc->text_hash);
    for (size_t k = 0; k < HEAD; k++)
        put(to, head[k]);
    if (c->host == PD_HOST_RAW)
        pd_bytes_append(to, &doc->host, sizeof doc->host);
    if (c->with_text)
        put(to, doc->bounds_n);
    if (doc->id_n > before)
        pd_bytes_append(to, doc->id + before, doc->id_n - before);
    pd_bytes_append(to, doc->frame.v, doc->frame.n);
    pd_bytes_append(to, doc->asides.v, doc->asides.n);
    pd_bytes_append(to, doc->bounds, doc->bounds_n);
    if (c->with_text)
        pd_bytes_append(to, doc->text, doc->text_n);
}

/* Take n bytes at *p. NULL: there are not as many before the end. */
static const unsigned char *take(const unsigned char **p, const unsigned char *end, uint64_t n)
{
    const unsigned char *at = *p;
    if (n > (size_t)(end - at))
        return NULL;
    *p = at + n;
    return at;
}

bool pd_indexed_take(const unsigned char *v, size_t n, struct pd_indexed_context *c,
                     struct pd_indexed *out)
{
    const unsigned char *p = v, *const end = v + n;
    uint64_t head[HEAD] = {0}, bounds_n = 0;
    const unsigned char *hash = take(&p, end, sizeof out->text_hash), *raw = hash;
    for (size_t k = 0; hash && k < HEAD; k++)
        p = pd_checked_varint(p, end, &head[k]);
    if (!hash || !p || (head[HOST] == PD_HOST_RAW && !(raw = take(&p, end, sizeof out->host))))
        return false;
    if (c->with_text && !(p = pd_checked_varint(p, end, &bounds_n)))
        return false;
    *out = (struct pd_indexed){.file = undo(head[FILE_NUMBER], c->first ? c->first->file : 0),
                               .offset = undo(head[OFFSET], c->first ? c->first->offset : 0),
                               .skip = head[SKIP],
                               .length = undo(head[LENGTH], head[TEXT_BYTES]),
                               .sentences = head[SENTENCES],
                               .words = head[WORDS],
                               .text_bytes = head[TEXT_BYTES],
                               .before = c->first ? c->first->id : NULL,
                               .before_n = head[SHARED],
                               .id_n = head[ID_N],
                               .aside_words = head[ASIDE_WORDS],
                               .frame.n = head[FRAME_N],
                               .asides.n = head[ASIDES_N]};
    memcpy(&out->text_hash, hash, sizeof out->text_hash);
    c->host = head[HOST];
    if (c->host == PD_HOST_RAW)
        memcpy(&out->host, raw, sizeof out->host);
    out->id = (const char *)take(&p, end, head[ID_N]);
    out->frame.v = out->id ? take(&p, end, head[FRAME_N]) : NULL;
    out->asides.v = out->frame.v ? take(&p, end, head[ASIDES_N]) : NULL;
    out->bounds_n = c->with_text ? bounds_n : (size_t)(end - p);
    out->bounds = out->asides.v ? take(&p, end, out->bounds_n) : NULL;
    if (c->with_text) {
        out->text = p;
        out->text_n = (size_t)(end - p);
    }
    return out->bounds && out->aside_words <= out->words &&
           out->before_n <= (c->first ? c->first->id_n : 0);
}

void pd_file_put(const char *path, uint64_t bytes, const struct pd_bytes *first,
                 struct pd_bytes *to)
{
    const size_t n = strlen(path), before = shared(path, n, (const char *)first->v, first->n);
    put(to, bytes);
    put(to, before);
    pd_bytes_append(to, path + before, n - before);
}

bool pd_file_take(const unsigned char *v, size_t n, const struct pd_kept_file *first,
                  struct pd_kept_file *out)
{
    const unsigned char *p = v;
    uint64_t before = 0;
    p = pd_checked_varint(p, v + n, &out->bytes);
    p = pd_checked_varint(p, v + n, &before);
    if (!p || before > (first ? first->rest_n : 0))
        return false;
    out->before = first ? first->rest : NULL;
    out->before_n = before;
    out->rest = (const char *)p;
    out->rest_n = (size_t)(v + n - p);
    return !memchr(p, '\0', out->rest_n);
}

void pd_indexed_id(const struct pd_indexed *doc, struct pd_bytes *to)
{
    pd_bytes_append(to, doc->before, doc->before_n);
    pd_bytes_append(to, doc->id, doc->id_n);
}

void pd_indexed_pack_flags(const bool *flags, size_t n, struct pd_bytes *to)
{
    if (n == 0 || !memchr(flags, true, n * sizeof *flags))
        return;
    for (size_t k = 0, end; k < n; k = end) {
        for (end = k; end < n && flags[end] == flags[k]; end++)
            ;
        if (k == 0 && flags[0])
            put(to, 0);
        put(to, end - k);
    }
}

bool pd_indexed_unpack_flags(const struct pd_indexed_flags *packed, bool *flags, size_t n)
{
    const unsigned char *p = packed->v, *const end = p + packed->n;
    uint64_t run = 0;
    size_t at = 0;
    memset(flags, 0, n * sizeof *flags);
    if (packed->n == 0)
        return true;
    for (bool inside = false; p && p < end; inside = !inside, at += run) {
        p = pd_checked_varint(p, end, &run);
        if (!p || run > n - at)
            return false;
        memset(flags + at, inside, run);
    }
    return p && at == n;
}

void pd_unpacker_release(struct pd_unpacker *u)
{
    ZSTD_freeDCtx(u->zstd);
    u->zstd = NULL;
}

bool pd_indexed_text(const struct pd_indexed *doc, struct pd_unpacker *u, struct pd_bytes *to)
{
    to->n = 0;
    if (!doc->text || doc->text_bytes > UINT32_MAX)
        return false;
    if (!u->zstd && !(u->zstd = ZSTD_createDCtx()))
        pd_panic("out of memory: zstd");
    pd_bytes_reserve(to, doc->text_bytes + 1);
    const size_t n = ZSTD_decompressDCtx(u->zstd, to->v, doc->text_bytes, doc->text, doc->text_n);
    to->n = doc->text_bytes;
    return !ZSTD_isError(n) && n == doc->text_bytes;
}

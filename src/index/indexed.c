/*
 * index/indexed.c - a document as a segment keeps it: a head of varints, the id, the bounds of its
 * units (bounds.c), its frame, and if texts are kept, its text, compressed.
 */
#include "indexed.h"

#include <string.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/base/fan.h"
#include "varint.h"

enum { TEXT_LEVEL = 9 };              /* of zstd: texts are packed once and read often */
enum { HAS_HOST = 1, HAS_FRAME = 2 }; /* a bit each in the head */

static void put(struct pd_bytes *to, uint64_t x)
{
    unsigned char varint[PD_VARINT_MOST];
    pd_bytes_append(to, varint, (size_t)(pd_varint_put(varint, x) - varint));
}

static void pack_text(const unsigned char *text, size_t n, struct pd_bytes *to)
{
    pd_bytes_reserve(to, to->n + ZSTD_compressBound(n));
    const size_t packed = ZSTD_compress(to->v + to->n, to->cap - to->n, text, n, TEXT_LEVEL);
    PD_CHECK(!ZSTD_isError(packed));
    to->n += packed;
}

/* Append all of a document but its text. */
static void pack_head(const struct pd_indexed *doc, struct pd_bytes *to)
{
    pd_bytes_append(to, &doc->text_hash, sizeof doc->text_hash);
    const uint64_t head[] = {doc->file,  doc->offset,     doc->skip, doc->length, doc->sentences,
                             doc->words, doc->text_bytes, doc->id_n, doc->nunits, doc->bounds_n};
    for (size_t k = 0; k < sizeof head / sizeof *head; k++)
        put(to, head[k]);
    put(to, (doc->host ? HAS_HOST : 0) | (doc->frame_n ? HAS_FRAME : 0));
    if (doc->host)
        pd_bytes_append(to, &doc->host, sizeof doc->host);
    if (doc->frame_n)
        put(to, doc->frame_n);
    pd_bytes_append(to, doc->id, doc->id_n);
    pd_bytes_append(to, doc->bounds, doc->bounds_n);
    pd_bytes_append(to, doc->frame, doc->frame_n);
}

void pd_indexed_pack(const struct pd_indexed *doc, const struct pd_sentences *units,
                     const unsigned char *text, struct pd_bytes *to)
{
    struct pd_bytes bounds = {0};
    struct pd_indexed whole = *doc;
    pd_bounds_pack(units, &bounds);
    whole.nunits = units->n;
    whole.bounds = bounds.v;
    whole.bounds_n = bounds.n;
    pack_head(&whole, to);
    if (text)
        pack_text(text, doc->text_bytes, to);
    pd_bytes_release(&bounds);
}

void pd_indexed_repack(const struct pd_indexed *doc, struct pd_bytes *to)
{
    pack_head(doc, to);
    if (doc->text)
        pd_bytes_append(to, doc->text, doc->text_n);
}

bool pd_indexed_unpack(const unsigned char *v, size_t n, bool with_text, struct pd_indexed *out)
{
    const unsigned char *p = v + sizeof(uint64_t), *const end = v + n;
    uint64_t id_n = 0, bounds_n = 0, has = 0, frame_n = 0;
    *out = (struct pd_indexed){.id = NULL};
    uint64_t *const head[] = {&out->file,      &out->offset, &out->skip,       &out->length,
                              &out->sentences, &out->words,  &out->text_bytes, &id_n,
                              &out->nunits,    &bounds_n};
    if (n < sizeof(uint64_t))
        return false;
    memcpy(&out->text_hash, v, sizeof out->text_hash);
    for (size_t k = 0; k < sizeof head / sizeof *head; k++)
        p = pd_checked_varint(p, end, head[k]);
    p = pd_checked_varint(p, end, &has);
    if (p && has & HAS_HOST) {
        if ((size_t)(end - p) < sizeof out->host)
            return false;
        memcpy(&out->host, p, sizeof out->host);
        p += sizeof out->host;
    }
    if (p && has & HAS_FRAME)
        p = pd_checked_varint(p, end, &frame_n);
    if (!p || id_n > (size_t)(end - p) || bounds_n > (size_t)(end - p) - id_n ||
        frame_n > (size_t)(end - p) - id_n - bounds_n)
        return false;
    out->id = (const char *)p;
    out->id_n = id_n;
    out->bounds = p + id_n;
    out->bounds_n = bounds_n;
    out->frame = out->bounds + bounds_n;
    out->frame_n = frame_n;
    if (with_text) {
        out->text = out->frame + frame_n;
        out->text_n = (size_t)(end - out->text);
    }
    return true;
}

void pd_indexed_pack_frame(const bool *in_frame, size_t n, struct pd_bytes *to)
{
    for (size_t k = 0, end; k < n; k = end) {
        for (end = k; end < n && in_frame[end] == in_frame[k]; end++)
            ;
        if (k == 0 && in_frame[0])
            put(to, 0);
        put(to, end - k);
    }
}

bool pd_indexed_frame(const struct pd_indexed *doc, bool *in_frame, size_t n)
{
    const unsigned char *p = doc->frame, *const end = p + doc->frame_n;
    uint64_t run = 0;
    size_t at = 0;
    for (bool inside = false; p && p < end; inside = !inside, at += run) {
        p = pd_checked_varint(p, end, &run);
        if (!p || run > n - at)
            return false;
        memset(in_frame + at, inside, run);
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

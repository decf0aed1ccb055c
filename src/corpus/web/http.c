/* corpus/web/http.c - see http.h */
#include "http.h"

#include <string.h>

#include "chunked.h"
#include "corpus/media.h"
#include "http_head.h"
#include "pardup/base/error.h"
#include "pardup/base/scan.h"

#define PAD          64                   /* readable bytes behind a body */
#define RATIO_MOST   1000                 /* decoded bytes per stored byte; deflate reaches 1032 */
#define RATIO_FREE   ((uint64_t)16 << 20) /* decoded bytes that are allowed at any ratio */
#define TEXT_LOOK    64                   /* bytes that tell text from compressed data */
#define CODINGS_MOST 4                    /* codings that a body may have on top of each other */

#define GZIP_MAGIC "\x1f\x8b\x08"
#define ZSTD_MAGIC "\x28\xb5\x2f\xfd"

void pd_http_release(struct pd_http *h)
{
    pd_gunzip_free(h->gunzip);
    pd_unzstd_free(h->unzstd);
    pd_bytes_release(&h->chunks);
    for (size_t k = 0; k < sizeof h->decoded / sizeof *h->decoded; k++)
        pd_bytes_release(&h->decoded[k]);
    *h = (struct pd_http){0};
}

/* ---- content coding ---- */

static bool looks_plain(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < n && k < TEXT_LOOK; k++)
        if ((s[k] < ' ' && !(s[k] >= '\t' && s[k] <= '\r')) || s[k] == 0x7f)
            return false;
    return true;
}

static bool is_zlib(const unsigned char *s, size_t n)
{
    return n >= 2 && (s[0] & 0x0f) == 8 && s[0] >> 4 <= 7 && (s[0] << 8 | s[1]) % 31 == 0;
}

/* Does s begin with a zstd frame? The first one may be skippable (RFC 8878, section 3.1.2). */
static bool begins_zstd(const unsigned char *s, size_t n)
{
    return pd_scan_has(s, n, ZSTD_MAGIC) ||
           (n >= 4 && s[0] >> 4 == 5 && memcmp(s + 1, "\x2a\x4d\x18", 3) == 0);
}

static bool is_known(const struct pd_field *coding)
{
    static const char *const names[] = {"gzip", "x-gzip",   "deflate", "zstd",
                                        "br",   "identity", "none"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (pd_field_lists(coding, names[k]))
            return true;
    return false;
}

enum coding {
    CODING_NONE,
    CODING_GZIP,
    CODING_ZLIB,
    CODING_DEFLATE,
    CODING_ZSTD,
    CODING_BROTLI,
    CODING_OTHER
};

/* The coding that the body begins with, whatever a header names. */
static enum coding coding_seen(const unsigned char *s, size_t n)
{
    if (pd_scan_has(s, n, GZIP_MAGIC))
        return CODING_GZIP;
    return begins_zstd(s, n) ? CODING_ZSTD : CODING_NONE;
}

/*
 * The coding of the body s[0, n). A coding that the header names counts if the body confirms it;
 * servers mix up their names.
 */
static enum coding coding_of(const struct pd_field *f, const unsigned char *s, size_t n)
{
    const bool gzip = pd_field_lists(f, "gzip") || pd_field_lists(f, "x-gzip");
    const enum coding seen = coding_seen(s, n);
    if (seen != CODING_NONE)
        return seen;
    if ((gzip || pd_field_lists(f, "deflate")) && is_zlib(s, n))
        return CODING_ZLIB;
    if (looks_plain(s, n))
        return CODING_NONE;
    if (pd_field_lists(f, "deflate")) /* many servers leave out the zlib header */
        return CODING_DEFLATE;
    if (pd_field_lists(f, "br"))
        return CODING_BROTLI;
    return is_known(f) ? CODING_NONE : CODING_OTHER;
}

/* Undo a coding of the body u->s. u->most is set here. */
static int unpack(struct pd_http *h, enum coding coding, struct pd_unpacking *u)
{
    static const enum pd_wrapper wrappers[] = {[CODING_GZIP] = PD_WRAP_GZIP,
                                               [CODING_ZLIB] = PD_WRAP_ZLIB,
                                               [CODING_DEFLATE] = PD_WRAP_NONE};
    uint64_t limit = RATIO_MOST * (uint64_t)u->n;
    limit = limit < RATIO_FREE ? RATIO_FREE : limit;
    const uint64_t most = h->most > 0 ? h->most : PD_DOCUMENT_MOST;
    u->most = limit > most ? most : limit;
    switch (coding) {
    case CODING_GZIP:
    case CODING_ZLIB:
    case CODING_DEFLATE:
        if (!h->gunzip)
            h->gunzip = pd_gunzip_new();
        return pd_gunzip_all(h->gunzip, wrappers[coding], u);
    case CODING_ZSTD:
        if (!h->unzstd)
            h->unzstd = pd_unzstd_new();
        return pd_unzstd_all(h->unzstd, u);
    case CODING_BROTLI:
        return pd_unbrotli_all(u);
    case CODING_NONE:
    case CODING_OTHER:
        break;
    }
    u->trouble = (struct pd_trouble){PD_SKIP_CODING, "content coding is not supported"};
    return PD_EFORMAT;
}

/* Undo one coding of the body. PD_END: there was none to undo. */
static int undo(struct pd_http *h, enum coding coding, struct pd_raw *raw,
                struct pd_trouble *trouble)
{
    struct pd_bytes *out = raw->body == h->decoded[0].v ? &h->decoded[1] : &h->decoded[0];
    out->n = 0;
    if (coding == CODING_NONE)
        return PD_END;
    struct pd_unpacking u = {.s = raw->body, .n = raw->n, .out = out};
    const int status = unpack(h, coding, &u);
    if (status < 0)
        *trouble = u.trouble;
    const bool failed = status < 0 && u.trouble.why != PD_SKIP_TOO_LARGE;
    if ((failed || out->n == 0) && looks_plain(raw->body, raw->n))
        return PD_END; /* a text that happens to begin like compressed data */
    if (failed && u.trouble.why == PD_SKIP_CORRUPT)
        *trouble = (struct pd_trouble){PD_SKIP_CODING, "content coding cannot be undone"};
    if (status < 0)
        return status;
    pd_bytes_reserve(out, out->n + PAD);
    raw->body = out->v;
    raw->n = out->n;
    h->mended |= u.cut;
    return PD_OK;
}

/*
 * The coding of a body that has no header for it, or that is left when one of several codings of
 * the header is undone. Data of zlib has a header and a checksum that tell it.
 */
static enum coding coding_left(const struct pd_field *f, const unsigned char *s, size_t n)
{
    const enum coding seen = coding_seen(s, n);
    if (seen != CODING_NONE)
        return seen;
    if (f->n > 0 && memchr(f->v, ',', f->n))
        return coding_of(f, s, n);
    return is_zlib(s, n) && !looks_plain(s, n) ? CODING_ZLIB : CODING_NONE;
}

/*
 * Undo the codings of the body. A coding that the header does not name is undone if that succeeds;
 * else the body stays as it is.
 */
static int decode(struct pd_http *h, const struct pd_field *field, struct pd_raw *raw,
                  struct pd_trouble *trouble)
{
    int status = PD_OK;
    if (field->n > 0 && raw->n > 0)
        status = undo(h, coding_of(field, raw->body, raw->n), raw, trouble);
    for (int k = 1; status == PD_OK && k < CODINGS_MOST; k++) {
        status = undo(h, coding_left(field, raw->body, raw->n), raw, trouble);
        if (status < 0 && trouble->why != PD_SKIP_TOO_LARGE)
            return PD_OK;
    }
    return status == PD_END ? PD_OK : status;
}

/* ---- response ---- */

int pd_http_read(struct pd_http *h, const unsigned char *s, size_t n, struct pd_arena *arena,
                 struct pd_raw *raw, struct pd_trouble *trouble)
{
    struct pd_http_head head;
    const char *wrong = pd_http_head_read(s, n, arena, &head);
    if (wrong) {
        *trouble = (struct pd_trouble){PD_SKIP_HEADER, wrong};
        return PD_EFORMAT;
    }
    h->mended = head.mended;
    raw->error = head.error;
    const enum pd_type_says says = pd_media_of(&head.field[PD_HTTP_TYPE], &raw->media);
    if (says == PD_TYPE_NO)
        return PD_END;
    const struct pd_field charset = pd_media_charset(&head.field[PD_HTTP_TYPE]);
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    raw->body = s + head.body;
    raw->n = n - head.body;
    raw->head_n = head.body;
    bool cut;
    if ((pd_field_lists(&head.field[PD_HTTP_TRANSFER], "chunked") ||
         pd_chunked_whole(raw->body, raw->n)) &&
        pd_unchunk(raw->body, raw->n, &h->chunks, &cut)) {
        raw->body = h->chunks.v;
        raw->n = h->chunks.n;
        h->mended |= cut;
    }
    const int status = decode(h, &head.field[PD_HTTP_CODING], raw, trouble);
    if (says == PD_TYPE_YES)
        return status;
    raw->media = PD_MEDIA_HTML;
    return status == PD_OK && pd_media_begins_page(raw->body, raw->n) ? PD_OK : PD_END;
}

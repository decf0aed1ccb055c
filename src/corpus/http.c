/* corpus/http.c - see http.h */
#include "http.h"

#include <string.h>
#include <strings.h>

#include "pardup/base/error.h"

#define PAD          64                /* readable bytes behind a body */
#define CHUNK_LINE   ((size_t)1 << 10) /* bytes of a chunk-size line with its extensions */
#define CHUNK_DIGITS 15   /* hexadecimal digits of a chunk size: more do not fit 64 bits */
#define RATIO_MOST   1000 /* decoded bytes per stored byte; deflate reaches 1032 */
#define RATIO_FREE   ((uint64_t)16 << 20) /* decoded bytes that are allowed at any ratio */
#define TEXT_LOOK    64                   /* bytes that tell text from compressed data */

void pd_http_release(struct pd_http *h)
{
    pd_gunzip_free(h->gunzip);
    pd_unzstd_free(h->unzstd);
    pd_bytes_release(&h->chunks);
    pd_bytes_release(&h->decoded);
    *h = (struct pd_http){0};
}

bool pd_media_of(const struct pd_field *type, enum pd_media *media)
{
    const struct pd_field t = pd_field_main(type);
    *media = PD_MEDIA_UNKNOWN;
    if (!t.v || !memchr(t.v, '/', t.n) || pd_field_is(&t, "*/*") ||
        (t.n >= 8 && strncasecmp(t.v, "unknown/", 8) == 0))
        return true;
    if (pd_field_is(&t, "text/html") || pd_field_is(&t, "application/xhtml+xml") ||
        pd_field_is(&t, "application/vnd.wap.xhtml+xml"))
        *media = PD_MEDIA_HTML;
    else if (t.n > 5 && strncasecmp(t.v, "text/", 5) == 0 && !pd_field_is(&t, "text/dns"))
        *media = PD_MEDIA_TEXT;
    return *media != PD_MEDIA_UNKNOWN;
}

/* ---- transfer coding ---- */

static int hex_digit(unsigned char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Bytes of the chunk-size line at s; 0 when it is none. */
static size_t chunk_line(const unsigned char *s, size_t n, uint64_t *size)
{
    size_t k = 0;
    *size = 0;
    while (k < n && k < CHUNK_DIGITS && hex_digit(s[k]) >= 0)
        *size = *size << 4 | (uint64_t)hex_digit(s[k++]);
    if (k == 0 || k == n || !strchr(" \t;\r\n", s[k]) || s[k] == '\0')
        return 0;
    const unsigned char *lf = memchr(s + k, '\n', n - k < CHUNK_LINE ? n - k : CHUNK_LINE);
    return lf ? (size_t)(lf - s) + 1 : 0;
}

/*
 * Append the chunks of s[0, n) to `out`. False when s is not chunked: its first chunk has a wrong
 * size. A later wrong size ends the decoding, and the rest is kept as it is.
 */
static bool unchunk(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    out->n = 0;
    pd_bytes_reserve(out, n + PAD);
    for (size_t at = 0; at < n;) {
        uint64_t size;
        const size_t line = chunk_line(s + at, n - at, &size);
        if (line == 0) { /* no size line; also when there is none at all */
            pd_bytes_append(out, s + at, n - at);
            break;
        }
        if (size == 0)
            break;
        const size_t from = at + line, left = n - from, take = size < left ? (size_t)size : left;
        at = from + take;
        const size_t cr = at < n && s[at] == '\r';
        if (take == size && at + cr < n && s[at + cr] == '\n') {
            at += cr + 1;
        } else if (at < n) {
            if (out->n == 0)
                return false;
            pd_bytes_append(out, s + from, n - from);
            break;
        }
        pd_bytes_append(out, s + from, take);
    }
    return true;
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

static bool begins_with(const unsigned char *s, size_t n, const char *magic)
{
    return n >= strlen(magic) && memcmp(s, magic, strlen(magic)) == 0;
}

static int inflate_body(struct pd_http *h, enum pd_wrapper wrapper, const struct pd_raw *raw,
                        uint64_t limit, struct pd_trouble *trouble)
{
    if (!h->gunzip)
        h->gunzip = pd_gunzip_new();
    return pd_gunzip_all(h->gunzip, wrapper, raw->body, raw->n, &h->decoded, limit, trouble);
}

static int unzstd_body(struct pd_http *h, const struct pd_raw *raw, uint64_t limit,
                       struct pd_trouble *trouble)
{
    if (!h->unzstd)
        h->unzstd = pd_unzstd_new();
    return pd_unzstd_all(h->unzstd, raw->body, raw->n, &h->decoded, limit, trouble);
}

static bool is_known(const struct pd_field *coding)
{
    static const char *const names[] = {"gzip", "x-gzip", "deflate", "zstd", "identity", "none"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (pd_field_lists(coding, names[k]))
            return true;
    return false;
}

enum coding { CODING_NONE, CODING_GZIP, CODING_ZLIB, CODING_DEFLATE, CODING_ZSTD, CODING_OTHER };

/* The coding of the body s[0, n). A coding that the header names counts if the body confirms it. */
static enum coding coding_of(const struct pd_field *f, const unsigned char *s, size_t n)
{
    if ((pd_field_lists(f, "gzip") || pd_field_lists(f, "x-gzip")) && begins_with(s, n, "\x1f\x8b"))
        return CODING_GZIP;
    if (pd_field_lists(f, "deflate") && is_zlib(s, n))
        return CODING_ZLIB;
    if (pd_field_lists(f, "zstd") && begins_with(s, n, "\x28\xb5\x2f\xfd"))
        return CODING_ZSTD;
    if (looks_plain(s, n))
        return CODING_NONE;
    if (pd_field_lists(f, "deflate")) /* many servers leave out the zlib header */
        return CODING_DEFLATE;
    return is_known(f) ? CODING_NONE : CODING_OTHER;
}

static int unpack(struct pd_http *h, enum coding coding, const struct pd_raw *raw,
                  struct pd_trouble *trouble)
{
    uint64_t limit = RATIO_MOST * (uint64_t)raw->n;
    limit = limit < RATIO_FREE ? RATIO_FREE : limit;
    limit = limit > PD_DOCUMENT_MOST ? PD_DOCUMENT_MOST : limit;
    h->decoded.n = 0;
    switch (coding) {
    case CODING_GZIP:
        return inflate_body(h, PD_WRAP_GZIP, raw, limit, trouble);
    case CODING_ZLIB:
        return inflate_body(h, PD_WRAP_ZLIB, raw, limit, trouble);
    case CODING_DEFLATE:
        return inflate_body(h, PD_WRAP_NONE, raw, limit, trouble);
    case CODING_ZSTD:
        return unzstd_body(h, raw, limit, trouble);
    case CODING_NONE:
    case CODING_OTHER:
        break;
    }
    *trouble = (struct pd_trouble){PD_SKIP_CODING, "content coding is not supported"};
    return PD_EFORMAT;
}

static int decode(struct pd_http *h, const struct pd_field *field, struct pd_raw *raw,
                  struct pd_trouble *trouble)
{
    const enum coding coding = coding_of(field, raw->body, raw->n);
    if (coding == CODING_NONE)
        return PD_OK;
    const int status = unpack(h, coding, raw, trouble);
    const bool failed = status < 0 && trouble->why != PD_SKIP_TOO_LARGE;
    if ((failed || h->decoded.n == 0) && looks_plain(raw->body, raw->n))
        return PD_OK; /* a text that happens to begin like compressed data */
    if (failed && trouble->why == PD_SKIP_CORRUPT)
        *trouble = (struct pd_trouble){PD_SKIP_CODING, "content coding cannot be undone"};
    if (status < 0)
        return status;
    pd_bytes_reserve(&h->decoded, h->decoded.n + PAD);
    raw->body = h->decoded.v;
    raw->n = h->decoded.n;
    return PD_OK;
}

/* ---- response ---- */

enum { TYPE, TRANSFER, CODING, NFIELDS };

/*
 * Read the wanted fields of the header at s. Interim responses (1xx) before it are passed. Returns
 * the bytes up to the body; 0 when the header has no end.
 */
static size_t read_header(const unsigned char *s, size_t n, struct pd_arena *arena,
                          struct pd_field field[NFIELDS])
{
    for (size_t at = 0;;) {
        const size_t header = pd_fields_end(s + at, n - at);
        if (header == 0)
            return 0;
        const unsigned char *blank = memchr(s + at, ' ', header);
        const bool interim =
            blank && blank[1] == '1' && begins_with(s + at + header, n - at - header, "HTTP/");
        if (!interim)
            pd_fields_read(s + at, header, field, NFIELDS, arena);
        at += header;
        if (!interim)
            return at;
    }
}

int pd_http_read(struct pd_http *h, const unsigned char *s, size_t n, struct pd_arena *arena,
                 struct pd_raw *raw, struct pd_trouble *trouble)
{
    struct pd_field field[NFIELDS] = {
        [TYPE] = {.name = "Content-Type"},
        [TRANSFER] = {.name = "Transfer-Encoding"},
        [CODING] = {.name = "Content-Encoding"},
    };
    if (!begins_with(s, n, "HTTP/")) {
        *trouble = (struct pd_trouble){PD_SKIP_HEADER, "response does not begin with HTTP/"};
        return PD_EFORMAT;
    }
    const size_t header = read_header(s, n, arena, field);
    if (header == 0) {
        *trouble = (struct pd_trouble){PD_SKIP_HEADER, "HTTP header has no end"};
        return PD_EFORMAT;
    }
    if (!pd_media_of(&field[TYPE], &raw->media))
        return PD_END;
    const struct pd_field charset = pd_field_parameter(&field[TYPE], "charset");
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    raw->body = s + header;
    raw->n = n - header;
    if (pd_field_lists(&field[TRANSFER], "chunked") && unchunk(raw->body, raw->n, &h->chunks)) {
        raw->body = h->chunks.v;
        raw->n = h->chunks.n;
    }
    return field[CODING].n > 0 && raw->n > 0 ? decode(h, &field[CODING], raw, trouble) : PD_OK;
}

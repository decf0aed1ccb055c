/* charset.c - see include/pardup/document/charset.h */
#include "pardup/document/charset.h"

#include <errno.h>
#include <iconv.h>
#include <stdbool.h>
#include <uchardet/uchardet.h>

#include "pardup/document/charset_big5.h"
#include "pardup/document/charset_label.h"
#include "pardup/document/utf8.h"

enum {
    SAMPLE = 4096,    /* bytes shown to uchardet */
    SAMPLE_LEAD = 64, /* of which before the first byte >= 0x80 */
    ICONV_ROOM = 64,  /* bytes: more than one call of iconv() holds back */
    BYTE_TO_UTF8 = 3, /* bytes of UTF-8 a windows-1252 byte takes at most */
    PIECE = 1 << 16   /* bytes decoded per reservation */
};

/* What is being decoded, and where to. */
struct decoder {
    const unsigned char *s;
    size_t n;
    struct pd_bytes *out;
    uint64_t replaced;
};

static void advance(struct decoder *d, size_t n)
{
    d->s += n;
    d->n -= n;
}

static void replace(struct decoder *d)
{
    pd_bytes_append(d->out, PD_REPLACEMENT_S, sizeof PD_REPLACEMENT_S - 1);
    d->replaced++;
}

static void append_character(struct pd_bytes *out, uint32_t c)
{
    pd_bytes_reserve(out, out->n + PD_UTF8_MOST);
    out->n += pd_utf8_put(out->v + out->n, c);
}

static void decode_windows_1252(struct decoder *d)
{
    while (d->n > 0) {
        const size_t piece = d->n < PIECE ? d->n : PIECE;
        pd_bytes_reserve(d->out, d->out->n + piece * BYTE_TO_UTF8);
        for (size_t k = 0; k < piece;) {
            const size_t ascii = pd_ascii_span(d->s + k, piece - k);
            pd_bytes_append(d->out, d->s + k, ascii);
            for (k += ascii; k < piece && d->s[k] >= 0x80; k++) {
                const unsigned char c = d->s[k];
                append_character(d->out, c < 0xA0 ? pd_windows_1252[c - 0x80] : c);
            }
        }
        advance(d, piece);
    }
}

/* The character iconv() does not know at d->s, 0 when browsers do not know it either. */
static uint32_t missing_character(const struct decoder *d, enum pd_charset_kind kind)
{
    const unsigned char c = d->s[0];
    if (kind == PD_CHARSET_SINGLE && c >= 0x80 && c < 0xA0)
        return c; /* gaps of the windows-125x sets are controls */
    return kind == PD_CHARSET_BIG5 && d->n > 1 ? pd_big5_missing(c, d->s[1]) : 0;
}

/* iconv() stopped before a sequence that means nothing: pass over what browsers pass over. */
static void skip_broken(struct decoder *d, enum pd_charset_kind kind)
{
    const bool lead =
        (kind == PD_CHARSET_DOUBLE || kind == PD_CHARSET_BIG5) && d->s[0] > 0x80 && d->s[0] < 0xFF;
    const uint32_t known = missing_character(d, kind);
    size_t bad = 1;
    if (kind == PD_CHARSET_UTF16 || (kind == PD_CHARSET_BIG5 && known))
        bad = 2;
    else if (lead && d->n > 1 && d->s[1] >= 0x80)
        bad = 2; /* but an ASCII byte behind a lead byte is kept */
    if (known)
        append_character(d->out, known);
    else
        replace(d);
    advance(d, bad < d->n ? bad : d->n);
}

/* One call of iconv(), in == NULL: write what it has held back. Returns 0 or errno. */
static int step(iconv_t cd, struct decoder *d, bool flush)
{
    pd_bytes_reserve(d->out, d->out->n + d->n + d->n / 2 + ICONV_ROOM);
    char *in = (char *)d->s, *out = (char *)d->out->v + d->out->n;
    size_t left = d->n, room = d->out->cap - d->out->n;
    const size_t status = iconv(cd, flush ? NULL : &in, &left, &out, &room);
    const int reason = errno;
    d->out->n = d->out->cap - room;
    if (!flush)
        advance(d, d->n - left);
    return status == (size_t)-1 ? reason : 0;
}

static bool decode_by_iconv(struct decoder *d, const struct pd_charset *charset)
{
    iconv_t cd = iconv_open("UTF-8", charset->iconv);
    if (cd == (iconv_t)-1)
        return false;
    while (d->n > 0) {
        const int reason = step(cd, d, false);
        if (reason == EILSEQ) {
            if (charset->kind != PD_CHARSET_STATEFUL) /* what was held back comes first */
                step(cd, d, true);
            skip_broken(d, charset->kind);
        } else if (reason == EINVAL) { /* the text ends inside a character */
            replace(d);
            d->n = 0;
        }
    }
    step(cd, d, true);
    iconv_close(cd);
    return true;
}

/* False when this machine cannot. */
static bool decode(struct decoder *d, const struct pd_charset *charset)
{
    switch (charset->kind) {
    case PD_CHARSET_UTF8:
        d->replaced += pd_utf8_mend(d->s, d->n, d->out);
        return true;
    case PD_CHARSET_WINDOWS_1252:
        decode_windows_1252(d);
        return true;
    default:
        return decode_by_iconv(d, charset);
    }
}

/* Are the bytes UTF-8 as they are? */
static bool is_utf8_already(const struct pd_charset *charset, const unsigned char *s, size_t n)
{
    switch (charset ? charset->kind : PD_CHARSET_UTF8) {
    case PD_CHARSET_UTF8:
        return pd_utf8_valid(s, n) == n;
    case PD_CHARSET_STATEFUL:
    case PD_CHARSET_UTF16:
        return false;
    default:
        return pd_ascii_span(s, n) == n;
    }
}

static const struct pd_charset *windows_1252(void) { return pd_charset_find("windows-1252", 12); }

/*
 * Only quotes, dashes, no-break spaces ... on which all windows-125x sets agree? Then a guess has
 * nothing to go by, and takes a millisecond.
 */
static bool only_punctuation(const unsigned char *s, size_t n)
{
    static const char shared[] = "\x82\x84\x85\x86\x87\x89\x8B\x91\x92\x93\x94\x95\x96\x97\x99"
                                 "\x9B\xA0\xA6\xA7\xA9\xAB\xAC\xAD\xAE\xB0\xB1\xB5\xB6\xB7\xBB";
    for (size_t k = 0; k < n; k++) {
        if (s[k] >= 0x80 && strchr(shared, (char)s[k]) == NULL)
            return false;
    }
    return true;
}

static const struct pd_charset *detect(const unsigned char *s, size_t n)
{
    const struct pd_charset *charset = NULL;
    uchardet_t detector = uchardet_new();
    if (detector && uchardet_handle_data(detector, (const char *)s, n) == 0) {
        uchardet_data_end(detector);
        const char *name = uchardet_get_charset(detector);
        charset = pd_charset_find(name, strlen(name));
    }
    if (detector)
        uchardet_delete(detector);
    return charset ? charset : windows_1252();
}

/* By the first sample that has a letter beyond ASCII. */
static const struct pd_charset *guess(const unsigned char *s, size_t n)
{
    for (;;) {
        const size_t ascii = pd_ascii_span(s, n);
        if (ascii == n)
            return windows_1252();
        const size_t skip = ascii > SAMPLE_LEAD ? ascii - SAMPLE_LEAD : 0;
        s += skip;
        n -= skip;
        const size_t sample = n < SAMPLE ? n : SAMPLE;
        if (!only_punctuation(s, sample))
            return detect(s, sample);
        s += sample;
        n -= sample;
    }
}

/* A byte order mark's charset; *mark is its length. */
static const struct pd_charset *by_mark(const unsigned char *s, size_t n, size_t *mark)
{
    static const struct {
        const char *bytes, *label;
    } marks[] = {{"\xEF\xBB\xBF", "utf-8"}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"}};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        *mark = strlen(marks[k].bytes);
        if (n >= *mark && memcmp(s, marks[k].bytes, *mark) == 0)
            return pd_charset_find(marks[k].label, strlen(marks[k].label));
    }
    *mark = 0;
    return NULL;
}

void pd_charset_to_utf8(const struct pd_raw *raw, struct pd_bytes *buffer,
                        const unsigned char **text, size_t *n, uint64_t *replaced)
{
    size_t mark;
    const struct pd_charset *charset = by_mark(raw->body, raw->n, &mark);
    if (charset && charset->kind == PD_CHARSET_UTF8 && raw->media != PD_MEDIA_HTML)
        mark = 0;
    if (charset == NULL)
        charset = pd_charset_find(raw->charset, raw->charset_n);
    if (charset == NULL && raw->media == PD_MEDIA_HTML)
        charset = pd_charset_declared(raw->body, raw->n);

    struct decoder d = {raw->body + mark, raw->n - mark, buffer, 0};
    *text = d.s;
    *n = d.n;
    if (is_utf8_already(charset, d.s, d.n))
        return;
    buffer->n = 0;
    if (charset == NULL)
        charset = guess(d.s, d.n);
    if (!decode(&d, charset)) { /* known to browsers, not to this machine: as good as no label */
        if (is_utf8_already(NULL, d.s, d.n))
            return;
        charset = guess(d.s, d.n);
        if (!decode(&d, charset))
            decode(&d, windows_1252());
    }
    *text = buffer->v;
    *n = buffer->n;
    *replaced += d.replaced;
}

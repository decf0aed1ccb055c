/* charset.c - see src/document/charset.h */
#include "charset.h"

#include <stdbool.h>
#include <uchardet/uchardet.h>

#include "charset_decode.h"
#include "charset_label.h"
#include "pardup/document/utf8.h"

enum {
    PRESCAN = 1024,   /* bytes in which a page is to say its character set, */
    LATE = 1 << 16,   /* and in which it is looked for when without it the text is none */
    SAMPLE = 4096,    /* bytes shown to uchardet */
    SAMPLE_LEAD = 64, /* of which before the first byte >= 0x80 */
    NO_CHANCE = 8     /* characters that prove a label wrong: so many are no accident */
};

/* Are the bytes UTF-8 as they are? */
static bool is_utf8_already(const struct pd_charset *charset, const unsigned char *s, size_t n)
{
    switch (charset ? charset->kind : PD_CHARSET_UTF8) {
    case PD_CHARSET_UTF8:
        return pd_utf8_valid(s, n) == n;
    case PD_CHARSET_ISO_2022_JP:
    case PD_CHARSET_ICONV:
    case PD_CHARSET_UTF16LE:
    case PD_CHARSET_UTF16BE:
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

/* Characters beyond ASCII in UTF-8, up to `most` of them. */
static size_t count_beyond_ascii(const unsigned char *s, size_t n, size_t most)
{
    size_t found = 0;
    for (size_t k = 0; k < n && found < most; k++) {
        k += pd_ascii_span(s + k, n - k);
        found += k < n && s[k] >= 0xC0;
    }
    return found;
}

/* Declared as UTF-8, but most of what is not ASCII is none? */
static bool is_mostly_broken(const unsigned char *s, size_t n)
{
    size_t good = 0, broken = 0;
    for (size_t k = 0; k < n; k++, broken++) {
        const size_t valid = pd_utf8_valid(s + k, n - k);
        good += count_beyond_ascii(s + k, valid, valid);
        k += valid;
        if (k == n)
            break;
    }
    return broken >= good + NO_CHANCE;
}

/* Does the text say something else than its label? */
static bool is_lie(const struct pd_charset *charset, const unsigned char *s, size_t n)
{
    switch (charset->kind) {
    case PD_CHARSET_UTF8:
        return is_mostly_broken(s, n);
    case PD_CHARSET_ISO_2022_JP:
    case PD_CHARSET_ICONV:
    case PD_CHARSET_UTF16LE:
    case PD_CHARSET_UTF16BE:
        return false;
    default:
        return pd_utf8_valid(s, n) == n && count_beyond_ascii(s, n, NO_CHANCE) == NO_CHANCE;
    }
}

/* By `charset`, NULL: by a guess. A set unknown to this machine is as good as none. */
static void decode(const struct pd_charset *charset, const unsigned char *s, size_t n,
                   struct pd_bytes *out, uint64_t *replaced)
{
    if (charset && pd_charset_decode(charset, s, n, out, replaced))
        return;
    charset = pd_utf8_valid(s, n) == n ? pd_charset_find("utf-8", 5) : guess(s, n);
    if (!pd_charset_decode(charset, s, n, out, replaced))
        (void)!pd_charset_decode(windows_1252(), s, n, out, replaced);
}

/* What a page says of itself in its first bytes; NULL: nothing. */
static const struct pd_charset *said_inside(const struct pd_raw *raw, size_t most)
{
    if (raw->media != PD_MEDIA_HTML)
        return NULL;
    return pd_charset_declared(raw->body, raw->n < most ? raw->n : most);
}

void pd_charset_to_utf8(const struct pd_raw *raw, struct pd_bytes *buffer,
                        const unsigned char **text, size_t *n, uint64_t *replaced)
{
    size_t mark;
    const struct pd_charset *charset = by_mark(raw->body, raw->n, &mark);
    const bool marked = charset != NULL;
    if (marked && charset->kind == PD_CHARSET_UTF8 && raw->media != PD_MEDIA_HTML)
        mark = 0;
    if (!marked)
        charset = pd_charset_find(raw->charset, raw->charset_n);
    if (charset == NULL)
        charset = said_inside(raw, PRESCAN);

    *text = raw->body + mark;
    *n = raw->n - mark;
    if (is_utf8_already(charset, *text, *n))
        return;
    if (charset == NULL)
        charset = said_inside(raw, LATE);
    if (charset && !marked && is_lie(charset, *text, *n)) {
        if (is_utf8_already(NULL, *text, *n))
            return;
        charset = said_inside(raw, LATE); /* if that was the lie, it is told again */
        if (charset && is_lie(charset, *text, *n))
            charset = NULL;
    }
    buffer->n = 0;
    decode(charset, *text, *n, buffer, replaced);
    *text = buffer->v;
    *n = buffer->n;
}

/* charset.c - see src/document/charset/charset.h */
#include "charset.h"

#include <stdbool.h>
#include <uchardet/uchardet.h>

#include "charset_decode.h"
#include "charset_dos.h"
#include "charset_label.h"
#include "pardup/document/utf8.h"

#include "pardup/base/minmax.h"

enum {
    PRESCAN = 1024,  /* bytes at the start of a page in which its label is to stand */
    LATE = 1 << 16,  /* bytes in which the label is searched for when the text is not UTF-8 */
    SHOWN = 4096,    /* bytes shown to uchardet */
    SHOWN_LEAD = 64, /* bytes shown to uchardet before the first byte >= 0x80, at most */
    PROOF = 8        /* characters that prove a label wrong: eight are no accident */
};

/*
 * Whether a text of ASCII bytes alone means the same in the set as in ASCII. It does not where
 * escape sequences switch to other characters, or where a character has two bytes or more.
 */
static bool is_ascii_compatible(const struct pd_charset *charset)
{
    switch (charset->kind) {
    case PD_CHARSET_ISO_2022_JP:
    case PD_CHARSET_HZ:
    case PD_CHARSET_ICONV:
    case PD_CHARSET_UTF16LE:
    case PD_CHARSET_UTF16BE:
    case PD_CHARSET_UTF32LE:
    case PD_CHARSET_UTF32BE:
        return false;
    default:
        return true;
    }
}

/* Whether s[0, n) in `charset` (NULL: UTF-8) surely has the same bytes in UTF-8. */
static bool is_utf8_already(const struct pd_charset *charset, const unsigned char *s, size_t n)
{
    if (!charset || charset->kind == PD_CHARSET_UTF8)
        return pd_utf8_valid(s, n) == n;
    return is_ascii_compatible(charset) && pd_ascii_span(s, n) == n;
}

static const struct pd_charset *windows_1252(void) { return pd_charset_find("windows-1252", 12); }

/*
 * Whether all bytes beyond ASCII are signs on which the windows-125x sets agree: quotes, dashes,
 * no-break spaces and the like. A guess would then have nothing to go by, and take a millisecond.
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

/*
 * Does s[0, n), which uchardet takes for KOI8-R, have letters of KOI8-U beside others? KOI8-R has
 * lines of frames in their places, and the other letters are the same.
 */
static bool is_koi8_u(const unsigned char *s, size_t n)
{
    enum { LETTERS = 0xC0 }; /* the first letter that both sets have */
    for (size_t k = 1; k < n; k++) {
        const bool before = memchr("\xA4\xA6\xA7\xAD\xB4\xB6\xB7\xBD", s[k - 1], 8) != NULL;
        const bool here = memchr("\xA4\xA6\xA7\xAD\xB4\xB6\xB7\xBD", s[k], 8) != NULL;
        if ((before && s[k] >= LETTERS) || (here && s[k - 1] >= LETTERS))
            return true;
    }
    return false;
}

/* uchardet's guess at the set of s[0, n); NULL when uchardet has none. */
static const struct pd_charset *detect(const unsigned char *s, size_t n)
{
    static const char russian[] = "koi8-r", ukrainian[] = "koi8-u";
    const struct pd_charset *charset = NULL;
    uchardet_t detector = uchardet_new();
    if (detector && uchardet_handle_data(detector, (const char *)s, n) == 0) {
        uchardet_data_end(detector);
        const char *name = uchardet_get_charset(detector);
        charset = pd_charset_find(name, strlen(name));
        if (charset && charset == pd_charset_find(russian, sizeof russian - 1) && is_koi8_u(s, n))
            charset = pd_charset_find(ukrainian, sizeof ukrainian - 1);
    }
    if (detector)
        uchardet_delete(detector);
    return charset;
}

/* Does uchardet know code pages of DOS, or sets of several bytes, as this one? Then its guess stands. */
static bool is_known(const struct pd_charset *charset)
{
    return charset &&
           (strncmp(charset->name, "IBM", 3) == 0 ||
            (charset->kind != PD_CHARSET_SINGLE && charset->kind != PD_CHARSET_WINDOWS_1252 &&
             charset->kind != PD_CHARSET_UTF8));
}

/* Guess the set of s[0, n) from the first 4096 bytes that hold a letter beyond ASCII. */
static const struct pd_charset *guess(const unsigned char *s, size_t n)
{
    for (;;) {
        const size_t ascii = pd_ascii_span(s, n);
        if (ascii == n)
            return windows_1252();
        const size_t skip = ascii > SHOWN_LEAD ? ascii - SHOWN_LEAD : 0;
        s += skip;
        n -= skip;
        const size_t shown = pd_min_size(n, SHOWN);
        const bool letters = !only_punctuation(s, shown);
        const struct pd_charset *charset = letters ? detect(s, shown) : NULL;
        const char *dos = is_known(charset) ? NULL : pd_charset_dos(s, shown);
        if (dos)
            charset = pd_charset_find(dos, strlen(dos));
        if (letters || charset)
            return charset ? charset : windows_1252();
        s += shown;
        n -= shown;
    }
}

/* The set that a byte order mark names, and the length of the mark in *mark; NULL and 0 without. */
static const struct pd_charset *by_mark(const unsigned char *s, size_t n, size_t *mark)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *label;
    } marks[] = {{"\xEF\xBB\xBF", 3, "utf-8"},
                 {"\xFF\xFE\0", 4, "utf-32le"}, /* before UTF-16, whose mark it begins with */
                 {"\0\0\xFE\xFF", 4, "utf-32be"},
                 {"\xFF\xFE", 2, "utf-16le"},
                 {"\xFE\xFF", 2, "utf-16be"}};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        *mark = marks[k].n;
        if (n >= *mark && memcmp(s, marks[k].bytes, *mark) == 0)
            return pd_charset_find(marks[k].label, strlen(marks[k].label));
    }
    *mark = 0;
    return NULL;
}

/* The number of characters beyond ASCII in s[0, n), which is UTF-8; `limit` if there are more. */
static size_t count_beyond_ascii(const unsigned char *s, size_t n, size_t limit)
{
    size_t count = 0;
    for (size_t k = 0; k < n && count < limit; k++) {
        k += pd_ascii_span(s + k, n - k);
        count += k < n && s[k] >= 0xC0;
    }
    return count;
}

/*
 * Whether a text labelled UTF-8 has at least PROOF more broken sequences than whole characters
 * beyond ASCII.
 */
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
    return broken >= good + PROOF;
}

/* Characters of UTF-8 that prove another label wrong: one, if the label is ASCII. */
static size_t proof_against(const struct pd_raw *raw)
{
    static const char *const ascii[] = {"us-ascii", "ascii"};
    for (size_t k = 0; k < sizeof ascii / sizeof *ascii; k++)
        if (raw->charset_n == strlen(ascii[k]) &&
            strncasecmp(raw->charset, ascii[k], raw->charset_n) == 0)
            return 1;
    return PROOF;
}

/*
 * Whether the text contradicts its label: it is labelled UTF-8 and mostly broken, or it has another
 * label and is UTF-8 with at least `proof` characters beyond ASCII.
 */
static bool is_contradicted(const struct pd_charset *charset, const unsigned char *s, size_t n,
                            size_t proof)
{
    if (charset->kind == PD_CHARSET_UTF8)
        return is_mostly_broken(s, n);
    return is_ascii_compatible(charset) && pd_utf8_valid(s, n) == n &&
           count_beyond_ascii(s, n, proof) == proof;
}

/*
 * Decode s[0, n) by `charset`. When it is NULL, or iconv() on this machine does not know it, decode
 * as UTF-8 if the bytes are valid UTF-8, otherwise by a guess, and at last by windows-1252.
 */
static void decode(const struct pd_charset *charset, const unsigned char *s, size_t n,
                   struct pd_converted *to)
{
    if (charset && pd_charset_decode(charset, s, n, to))
        return;
    charset = pd_utf8_valid(s, n) == n ? pd_charset_find("utf-8", 5) : guess(s, n);
    if (!pd_charset_decode(charset, s, n, to))
        (void)!pd_charset_decode(windows_1252(), s, n, to);
}

static bool is_page(const struct pd_raw *raw)
{
    return raw->media == PD_MEDIA_HTML || raw->media == PD_MEDIA_XHTML;
}

/* The set that an HTML page names in its first `limit` bytes; NULL when it names none. */
static const struct pd_charset *declared_inside(const struct pd_raw *raw, size_t limit)
{
    if (!is_page(raw))
        return NULL;
    return pd_charset_declared(raw->body, pd_min_size(raw->n, limit));
}

/*
 * Whether text of escape sequences may have the label of this set, or NULL for none. UTF-8 is left
 * out: its label is often right, and a search in all such text takes time.
 */
static bool may_be_escaped(const struct pd_charset *charset)
{
    return !charset || (charset->kind != PD_CHARSET_UTF8 && is_ascii_compatible(charset));
}

/*
 * Whether s[0, n) is ISO-2022-JP: nothing but ASCII, with characters of two bytes between two
 * escape sequences.
 */
static bool is_iso_2022_jp(const unsigned char *s, size_t n)
{
    const unsigned char *const end = s + n, *at = s;
    while ((at = memchr(at, 0x1B, (size_t)(end - at))) != NULL) {
        const size_t left = (size_t)(end - at);
        size_t k = 3;
        if (left > 3 && at[1] == '$' && (at[2] == 'B' || at[2] == '@')) {
            while (k < left && at[k] > ' ' && at[k] < 0x7F)
                k++;
            if (k > 3 && k % 2 == 1 && left - k >= 3 && at[k] == 0x1B && at[k + 1] == '(')
                return pd_ascii_span(s, n) == n;
        }
        at++;
    }
    return false;
}

/* Whether s[0, n) is ISO-2022-KR: nothing but ASCII, with Korean characters between SO and SI. */
static bool is_iso_2022_kr(const unsigned char *s, size_t n)
{
    static const char designation[] = "\x1B$)C";
    enum { SO = 0x0E };
    const unsigned char *at = memmem(s, n, designation, sizeof designation - 1);
    return at && memchr(at, SO, n - (size_t)(at - s)) && pd_ascii_span(s, n) == n;
}

/*
 * Whether s[0, n) is HZ: nothing but ASCII, with characters of two bytes between ~{ and ~}. Chinese
 * characters are at most 0x77 in their first byte, and four bytes at least must be some.
 */
static bool is_hz(const unsigned char *s, size_t n)
{
    enum { LEAST = 4, LEAD_LAST = 0x77 };
    const unsigned char *const end = s + n;
    for (const unsigned char *at = s; (at = memchr(at, '~', (size_t)(end - at))) != NULL; at++) {
        const size_t left = (size_t)(end - at);
        if (left < 2 || at[1] != '{')
            continue;
        size_t k = 2;
        while (k + 1 < left && at[k] > ' ' && at[k] <= LEAD_LAST && at[k + 1] > ' ' &&
               at[k + 1] < 0x7F)
            k += 2;
        if (k >= 2 + LEAST && left - k >= 2 && at[k] == '~' && at[k + 1] == '}')
            return pd_ascii_span(s, n) == n;
    }
    return false;
}

/* The set that the escape sequences of s[0, n) tell; NULL: none do. */
static const struct pd_charset *by_escapes(const unsigned char *s, size_t n)
{
    const bool escapes = memchr(s, 0x1B, n) != NULL;
    if (escapes && is_iso_2022_jp(s, n))
        return pd_charset_find("iso-2022-jp", strlen("iso-2022-jp"));
    if (escapes && is_iso_2022_kr(s, n))
        return pd_charset_find("iso-2022-kr", strlen("iso-2022-kr"));
    return is_hz(s, n) ? pd_charset_find("hz-gb-2312", strlen("hz-gb-2312")) : NULL;
}

void pd_charset_to_utf8(const struct pd_raw *raw, struct pd_bytes *buffer,
                        const unsigned char **text, size_t *n, uint64_t *replaced,
                        struct pd_trace *trace)
{
    size_t mark;
    const struct pd_charset *charset = by_mark(raw->body, raw->n, &mark);
    const bool marked = charset != NULL;
    if (marked && charset->kind == PD_CHARSET_UTF8 && !is_page(raw))
        mark = 0;
    if (!marked)
        charset = pd_charset_find(raw->charset, raw->charset_n);
    if (charset == NULL)
        charset = declared_inside(raw, PRESCAN);

    *text = raw->body + mark;
    *n = raw->n - mark;
    if (trace)
        trace->mark = mark;
    if (!marked && may_be_escaped(charset)) {
        const struct pd_charset *escaped = by_escapes(*text, *n);
        charset = escaped ? escaped : charset;
    }
    if (is_utf8_already(charset, *text, *n))
        return;
    if (charset == NULL)
        charset = declared_inside(raw, LATE);
    if (charset && !marked && is_contradicted(charset, *text, *n, proof_against(raw))) {
        if (is_utf8_already(NULL, *text, *n))
            return;
        charset = declared_inside(raw, LATE); /* may be the label just rejected */
        if (charset && is_contradicted(charset, *text, *n, PROOF))
            charset = NULL;
    }
    struct pd_converted to = {.out = buffer,
                              .origins = trace ? &trace->origins[PD_STEP_DECODED] : NULL};
    buffer->n = 0;
    decode(charset, *text, *n, &to);
    *replaced += to.replaced;
    if (trace)
        trace->made[PD_STEP_DECODED] = true;
    *text = buffer->v;
    *n = buffer->n;
}

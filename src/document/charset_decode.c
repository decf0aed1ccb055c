/* charset_decode.c - see src/document/charset_decode.h */
#include "charset_decode.h"

#include <errno.h>
#include <iconv.h>

#include "charset_index.h"
#include "pardup/document/utf8.h"

enum {
    ICONV_ROOM = 64,   /* bytes of spare room, more than one call of iconv() holds back */
    AT_ONCE = 1 << 16, /* bytes decoded per reservation of output */
    MOST_OUT = 6,      /* bytes of UTF-8 from a single byte, at most: U+FFFD twice */
    CODE_MOST = 4      /* bytes of one character, at most */
};

/* The bytes still to be decoded, and the text that they become. */
struct decoder {
    const unsigned char *s; /* next byte */
    size_t n;               /* bytes left */
    struct pd_bytes *out;   /* the text; the decoders of whole texts reserve room */
    uint64_t replaced;      /* broken sequences so far */
    const struct pd_charset_index *index,
        *second; /* the set's index, and another one for longer codes */
};

static void advance(struct decoder *d, size_t n)
{
    d->s += n;
    d->n -= n;
}

static void put(struct decoder *d, uint32_t c)
{
    d->out->n += pd_utf8_put(d->out->v + d->out->n, c);
}

static void replace(struct decoder *d)
{
    put(d, PD_REPLACEMENT);
    d->replaced++;
}

/*
 * Write character c, which the next `n` bytes stand for, and go on behind the bytes. With c 0 the
 * bytes are no character: U+FFFD is written, and reading goes on at the last byte if it is ASCII
 * and not the only byte. Fewer than `n` bytes may be left.
 */
static void finish(struct decoder *d, uint32_t c, size_t n)
{
    if (n > d->n)
        n = d->n;
    if (c)
        put(d, c);
    else
        replace(d);
    advance(d, c == 0 && n > 1 && d->s[n - 1] < 0x80 ? n - 1 : n);
}

static uint32_t look_up(const struct pd_charset_index *index, uint32_t pointer)
{
    return index && pointer < index->n ? index->chars[pointer] : 0;
}

static bool is_in(unsigned char c, unsigned from, unsigned to) { return c >= from && c <= to; }

/* --- one character that begins with a byte of 0x80 or above -------------------------------- */

static void windows_1252(struct decoder *d)
{
    const unsigned char c = d->s[0];
    finish(d, c < 0xA0 ? pd_windows_1252[c - 0x80] : c, 1);
}

static void single(struct decoder *d) { finish(d, d->index->chars[d->s[0] - 0x80], 1); }

/* A code of four bytes. The third and fourth byte decide whether the four belong together. */
static void gb18030_four(struct decoder *d)
{
    const unsigned char *s = d->s;
    if (d->n > 2 && (!is_in(s[2], 0x81, 0xFE) || (d->n > 3 && !is_in(s[3], '0', '9')))) {
        finish(d, 0, 1);
        return;
    }
    if (d->n < 4) { /* the text ends inside the code */
        replace(d);
        d->n = 0;
        return;
    }
    enum {
        BMP = 39420,          /* pointers below: characters up to U+FFFF, in the second index */
        PLANES = 189000,      /* pointer of U+10000 */
        PLANES_END = 1237576, /* pointer behind U+10FFFF */
        LATE = 7457           /* pointer of U+E7C7 */
    };
    const uint32_t pointer =
        ((s[0] - 0x81u) * 10 + s[1] - '0') * 1260 + (s[2] - 0x81u) * 10 + s[3] - '0';
    uint32_t c = 0;
    if (pointer == LATE)
        c = 0xE7C7;
    else if (pointer < BMP)
        c = look_up(d->second, pointer);
    else if (pointer >= PLANES && pointer < PLANES_END)
        c = 0x10000 + pointer - PLANES;
    if (c)
        put(d, c);
    else
        replace(d);
    advance(d, 4);
}

static void gb18030(struct decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || lead == 0xFF) {
        finish(d, lead == 0x80 ? 0x20AC : 0, 1);
    } else if (is_in(trail, '0', '9')) {
        gb18030_four(d);
    } else {
        const bool good = is_in(trail, 0x40, 0x7E) || is_in(trail, 0x80, 0xFE);
        const uint32_t pointer = (lead - 0x81u) * 190 + trail - (trail < 0x7F ? 0x40 : 0x41);
        finish(d, good ? look_up(d->index, pointer) : 0, 2);
    }
}

static void big5(struct decoder *d)
{
    /* codes of two characters each: a letter and a combining accent */
    static const struct {
        uint32_t pointer, first, second;
    } pairs[] = {
        {1133, 0xCA, 0x304}, {1135, 0xCA, 0x30C}, {1164, 0xEA, 0x304}, {1166, 0xEA, 0x30C}};
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || lead == 0xFF) {
        finish(d, 0, 1);
        return;
    }
    const bool good = is_in(trail, 0x40, 0x7E) || is_in(trail, 0xA1, 0xFE);
    const uint32_t pointer = (lead - 0x81u) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
    for (size_t k = 0; good && k < sizeof pairs / sizeof *pairs; k++) {
        if (pairs[k].pointer == pointer) {
            put(d, pairs[k].first);
            finish(d, pairs[k].second, 2);
            return;
        }
    }
    finish(d, good ? look_up(d->index, pointer) : 0, 2);
}

static void euc_kr(struct decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || lead == 0xFF)
        finish(d, 0, 1);
    else
        finish(d,
               is_in(trail, 0x41, 0xFE) ? look_up(d->index, (lead - 0x81u) * 190 + trail - 0x41)
                                        : 0,
               2);
}

static void shift_jis(struct decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || is_in(lead, 0xA1, 0xDF)) {
        finish(d, lead == 0x80 ? 0x80 : 0xFF61u + lead - 0xA1, 1);
    } else if (lead == 0xA0 || lead > 0xFC) {
        finish(d, 0, 1);
    } else {
        const bool good = is_in(trail, 0x40, 0x7E) || is_in(trail, 0x80, 0xFC);
        const uint32_t pointer =
            (lead - (lead < 0xA0 ? 0x81u : 0xC1u)) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41);
        finish(d, good ? look_up(d->index, pointer) : 0, 2);
    }
}

static uint32_t jis(const struct pd_charset_index *index, unsigned char lead, unsigned char trail)
{
    if (!is_in(lead, 0xA1, 0xFE) || !is_in(trail, 0xA1, 0xFE))
        return 0;
    return look_up(index, (lead - 0xA1u) * 94 + trail - 0xA1);
}

static void euc_jp(struct decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x8E && is_in(trail, 0xA1, 0xDF))
        finish(d, 0xFF61u + trail - 0xA1, 2);
    else if (lead == 0x8F && is_in(trail, 0xA1, 0xFE))
        finish(d, d->n > 2 ? jis(d->second, trail, d->s[2]) : 0, 3);
    else if (lead == 0x8E || lead == 0x8F || is_in(lead, 0xA1, 0xFE))
        finish(d, jis(d->index, lead, trail), 2);
    else
        finish(d, 0, 1);
}

/* --- whole texts ---------------------------------------------------------------------------- */

/*
 * Decode a text in a set in which a byte below 0x80 is ASCII where it begins a character.
 * `character` decodes one character that begins with another byte.
 */
static void decode_ascii_based(struct decoder *d, void (*character)(struct decoder *))
{
    while (d->n > 0) {
        const size_t left = d->n < AT_ONCE ? 0 : d->n - AT_ONCE;
        pd_bytes_reserve(d->out, d->out->n + (d->n - left + CODE_MOST) * MOST_OUT);
        while (d->n > left) {
            const size_t ascii = pd_ascii_span(d->s, d->n - left);
            memcpy(d->out->v + d->out->n, d->s, ascii);
            d->out->n += ascii;
            advance(d, ascii);
            while (d->n > left && d->s[0] >= 0x80)
                character(d);
        }
    }
}

static void decode_utf16(struct decoder *d, bool big)
{
    pd_bytes_reserve(d->out, d->out->n + d->n * 2 + CODE_MOST);
    uint32_t high = 0; /* a high surrogate that waits for its low one; 0: none */
    for (; d->n > 1; advance(d, 2)) {
        const uint32_t c =
            big ? (uint32_t)d->s[0] << 8 | d->s[1] : (uint32_t)d->s[1] << 8 | d->s[0];
        if (high && c >= 0xDC00 && c <= 0xDFFF) {
            put(d, 0x10000 + ((high - 0xD800) << 10) + c - 0xDC00);
            high = 0;
            continue;
        }
        if (high)
            replace(d);
        high = c >= 0xD800 && c <= 0xDBFF ? c : 0;
        if (c >= 0xDC00 && c <= 0xDFFF)
            replace(d);
        else if (!high)
            put(d, c);
    }
    if (high || d->n > 0)
        replace(d);
}

/* NUL is a character here; finish() would take it for a broken sequence. */
static void decode_nul(struct decoder *d)
{
    put(d, 0);
    advance(d, 1);
}

static void decode_utf32(struct decoder *d, bool big)
{
    enum { WIDTH = 4, LAST = 0x10FFFF };
    pd_bytes_reserve(d->out, d->out->n + d->n + CODE_MOST);
    for (; d->n >= WIDTH; advance(d, WIDTH)) {
        uint32_t c = 0;
        for (unsigned k = 0; k < WIDTH; k++)
            c |= (uint32_t)d->s[k] << (big ? 24 - 8 * k : 8 * k);
        if (c > LAST || (c >= 0xD800 && c <= 0xDFFF))
            replace(d);
        else
            put(d, c);
    }
    if (d->n > 0)
        replace(d);
}

/*
 * HZ (RFC 1843): between ~{ and ~} two bytes are a character of GB 2312. Outside, ~~ is a tilde,
 * and a tilde and a line feed are nothing. A line feed ends the characters of two bytes.
 */
static void decode_hz(struct decoder *d)
{
    bool pairs = false;
    pd_bytes_reserve(d->out, d->out->n + (d->n + 1) * MOST_OUT);
    while (d->n > 0) {
        const unsigned char lead = d->s[0], next = d->n > 1 ? d->s[1] : 0;
        if (lead == '~' && (next == '{' || next == '}' || next == '~' || next == '\n')) {
            if (next == '~')
                put(d, '~');
            pairs = next == '{' || (pairs && next == '~');
            advance(d, 2);
        } else if (pairs && lead != '\n') {
            const bool good = is_in(lead, 0x21, 0x7E) && is_in(next, 0x21, 0x7E);
            finish(d, good ? look_up(d->index, (lead - 1u) * 190 + next + 0x80 - 0x41) : 0, 2);
        } else if (lead == 0) {
            pairs = false;
            decode_nul(d);
        } else {
            pairs = false;
            finish(d, lead < 0x80 ? lead : 0, 1);
        }
    }
}

/*
 * The set that an escape sequence of ISO-2022-JP selects: ASCII, JIS X 0201 Roman, half-width
 * katakana, or JIS X 0208 in codes of two bytes. JIS_NONE: no known escape sequence.
 */
enum jis_set { JIS_ASCII, JIS_ROMAN, JIS_KATAKANA, JIS_PAIRS, JIS_NONE };

/* The set that the escape sequence at d->s selects. */
static enum jis_set jis_set_of(const struct decoder *d)
{
    if (d->n < 3)
        return JIS_NONE;
    if (d->s[1] == '(')
        return d->s[2] == 'B'   ? JIS_ASCII
               : d->s[2] == 'J' ? JIS_ROMAN
               : d->s[2] == 'I' ? JIS_KATAKANA
                                : JIS_NONE;
    return d->s[1] == '$' && (d->s[2] == '@' || d->s[2] == 'B') ? JIS_PAIRS : JIS_NONE;
}

/* The character that c is in `set`, which is not JIS_PAIRS; 0 when it is none. */
static uint32_t jis_single(enum jis_set set, unsigned char c)
{
    if (set == JIS_KATAKANA)
        return is_in(c, 0x21, 0x5F) ? 0xFF61u + c - 0x21 : 0;
    if (c >= 0x80 || c == 0x0E || c == 0x0F)
        return 0;
    return set == JIS_ROMAN && c == '\\' ? 0xA5 : set == JIS_ROMAN && c == '~' ? 0x203E : c;
}

static void decode_iso_2022_jp(struct decoder *d)
{
    enum { ESCAPE = 0x1B };
    enum jis_set set = JIS_ASCII;
    bool idle = false; /* the last bytes were an escape sequence */
    pd_bytes_reserve(d->out, d->out->n + (d->n + 1) * MOST_OUT);
    while (d->n > 0) {
        const unsigned char lead = d->s[0];
        if (lead == ESCAPE) {
            const enum jis_set next = jis_set_of(d);
            if (next == JIS_NONE || idle)
                replace(d);
            advance(d, next == JIS_NONE ? 1 : 3);
            idle = next != JIS_NONE;
            set = idle ? next : set;
            continue;
        }
        idle = false;
        if (set != JIS_PAIRS) {
            if (lead)
                finish(d, jis_single(set, lead), 1);
            else
                decode_nul(d);
        } else if (!is_in(lead, 0x21, 0x7E) || d->n < 2 || d->s[1] == ESCAPE) {
            finish(d, 0, 1);
        } else {
            const uint32_t c = jis(d->index, lead | 0x80, d->s[1] | 0x80);
            if (c && d->s[1] < 0x80)
                put(d, c);
            else
                replace(d);
            advance(d, 2);
        }
    }
}

/* Call iconv() once. With `flush` it writes what it has held back. Returns 0 or errno. */
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

static bool decode_by_iconv(struct decoder *d, const char *name)
{
    iconv_t cd = iconv_open("UTF-8", name);
    if (cd == (iconv_t)-1)
        return false;
    while (d->n > 0) {
        const int reason = step(cd, d, false);
        pd_bytes_reserve(d->out, d->out->n + MOST_OUT);
        if (reason == EILSEQ) {
            finish(d, 0, 1);
        } else if (reason == EINVAL) { /* the text ends inside a character */
            replace(d);
            d->n = 0;
        }
    }
    step(cd, d, true);
    iconv_close(cd);
    return true;
}

/* The decoders of one character, for the sets that decode_ascii_based() reads. */
static void (*const characters[])(struct decoder *) = {
    [PD_CHARSET_WINDOWS_1252] = windows_1252,
    [PD_CHARSET_SINGLE] = single,
    [PD_CHARSET_GB18030] = gb18030,
    [PD_CHARSET_BIG5] = big5,
    [PD_CHARSET_SHIFT_JIS] = shift_jis,
    [PD_CHARSET_EUC_JP] = euc_jp,
    [PD_CHARSET_EUC_KR] = euc_kr,
};

/* Find the indexes of a set. False when iconv() on this machine does not know the set. */
static bool set_indexes(struct decoder *d, const struct pd_charset *charset)
{
    switch (charset->kind) {
    case PD_CHARSET_SINGLE:
        d->index = pd_charset_single(charset);
        break;
    case PD_CHARSET_HZ:
        d->index = pd_charset_index(PD_CHARSET_INDEX_GB18030);
        break;
    case PD_CHARSET_GB18030:
        d->index = pd_charset_index(PD_CHARSET_INDEX_GB18030);
        d->second = pd_charset_index(PD_CHARSET_INDEX_GB18030_RANGES);
        break;
    case PD_CHARSET_BIG5:
        d->index = pd_charset_index(PD_CHARSET_INDEX_BIG5);
        break;
    case PD_CHARSET_EUC_JP:
        d->second = pd_charset_index(PD_CHARSET_INDEX_JIS0212);
        d->index = pd_charset_index(PD_CHARSET_INDEX_JIS0208);
        break;
    case PD_CHARSET_SHIFT_JIS:
    case PD_CHARSET_ISO_2022_JP:
        d->index = pd_charset_index(PD_CHARSET_INDEX_JIS0208);
        break;
    case PD_CHARSET_EUC_KR:
        d->index = pd_charset_index(PD_CHARSET_INDEX_EUC_KR);
        break;
    default:
        return true;
    }
    return d->index != NULL;
}

bool pd_charset_decode(const struct pd_charset *charset, const unsigned char *s, size_t n,
                       struct pd_bytes *out, uint64_t *replaced)
{
    struct decoder d = {.s = s, .n = n, .out = out};
    bool known = set_indexes(&d, charset);
    if (!known)
        return false;
    switch (charset->kind) {
    case PD_CHARSET_UTF8:
        d.replaced = pd_utf8_mend(s, n, out);
        break;
    case PD_CHARSET_UTF16LE:
    case PD_CHARSET_UTF16BE:
        decode_utf16(&d, charset->kind == PD_CHARSET_UTF16BE);
        break;
    case PD_CHARSET_UTF32LE:
    case PD_CHARSET_UTF32BE:
        decode_utf32(&d, charset->kind == PD_CHARSET_UTF32BE);
        break;
    case PD_CHARSET_HZ:
        decode_hz(&d);
        break;
    case PD_CHARSET_ISO_2022_JP:
        decode_iso_2022_jp(&d);
        break;
    case PD_CHARSET_ICONV:
        known = decode_by_iconv(&d, charset->name);
        break;
    default:
        decode_ascii_based(&d, characters[charset->kind]);
    }
    *replaced += d.replaced;
    return known;
}

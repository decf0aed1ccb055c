/* charset_whole.c - decoders of whole texts, see charset_decoder.h */
#include <errno.h>
#include <iconv.h>

#include "charset_decoder.h"

enum { ICONV_ROOM = 64 /* bytes of spare room, more than one call of iconv() holds back */ };

void pd_decode_utf16(struct pd_decoder *d, bool big)
{
    pd_bytes_reserve(d->out, d->out->n + d->n * 2 + PD_CODE_MOST);
    uint32_t high = 0; /* a high surrogate that waits for its low one; 0: none */
    for (; d->n > 1; pd_decoder_advance(d, 2)) {
        const uint32_t c =
            big ? (uint32_t)d->s[0] << 8 | d->s[1] : (uint32_t)d->s[1] << 8 | d->s[0];
        if (high && c >= 0xDC00 && c <= 0xDFFF) {
            pd_decoder_put(d, 0x10000 + ((high - 0xD800) << 10) + c - 0xDC00);
            high = 0;
            continue;
        }
        if (high)
            pd_decoder_replace(d);
        high = c >= 0xD800 && c <= 0xDBFF ? c : 0;
        if (c >= 0xDC00 && c <= 0xDFFF)
            pd_decoder_replace(d);
        else if (!high)
            pd_decoder_put(d, c);
    }
    if (high || d->n > 0)
        pd_decoder_replace(d);
}

/* NUL is a character here; pd_decoder_finish() would take it for a broken sequence. */
static void decode_nul(struct pd_decoder *d)
{
    pd_decoder_put(d, 0);
    pd_decoder_advance(d, 1);
}

void pd_decode_utf32(struct pd_decoder *d, bool big)
{
    enum { WIDTH = 4, LAST = 0x10FFFF };
    pd_bytes_reserve(d->out, d->out->n + d->n + PD_CODE_MOST);
    for (; d->n >= WIDTH; pd_decoder_advance(d, WIDTH)) {
        uint32_t c = 0;
        for (unsigned k = 0; k < WIDTH; k++)
            c |= (uint32_t)d->s[k] << (big ? 24 - 8 * k : 8 * k);
        if (c > LAST || (c >= 0xD800 && c <= 0xDFFF))
            pd_decoder_replace(d);
        else
            pd_decoder_put(d, c);
    }
    if (d->n > 0)
        pd_decoder_replace(d);
}

/*
 * HZ (RFC 1843): between ~{ and ~} two bytes are a character of GB 2312. Outside, ~~ is a tilde,
 * and a tilde and a line feed are nothing. A line feed ends the characters of two bytes.
 */
void pd_decode_hz(struct pd_decoder *d)
{
    bool pairs = false;
    pd_bytes_reserve(d->out, d->out->n + (d->n + 1) * PD_DECODED_MOST);
    while (d->n > 0) {
        const unsigned char lead = d->s[0], next = d->n > 1 ? d->s[1] : 0;
        if (lead == '~' && (next == '{' || next == '}' || next == '~' || next == '\n')) {
            if (next == '~')
                pd_decoder_put(d, '~');
            pairs = next == '{' || (pairs && next == '~');
            pd_decoder_advance(d, 2);
        } else if (pairs && lead != '\n') {
            const bool good =
                pd_decoder_is_in(lead, 0x21, 0x7E) && pd_decoder_is_in(next, 0x21, 0x7E);
            pd_decoder_finish(
                d, good ? pd_decoder_look_up(d->index, (lead - 1u) * 190 + next + 0x80 - 0x41) : 0,
                2);
        } else if (lead == 0) {
            pairs = false;
            decode_nul(d);
        } else {
            pairs = false;
            pd_decoder_finish(d, lead < 0x80 ? lead : 0, 1);
        }
    }
}

/*
 * The set that an escape sequence of ISO-2022-JP selects: ASCII, JIS X 0201 Roman, half-width
 * katakana, or JIS X 0208 in codes of two bytes. JIS_NONE: no known escape sequence.
 */
enum jis_set { JIS_ASCII, JIS_ROMAN, JIS_KATAKANA, JIS_PAIRS, JIS_NONE };

/* The set that the escape sequence at d->s selects. */
static enum jis_set jis_set_of(const struct pd_decoder *d)
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
        return pd_decoder_is_in(c, 0x21, 0x5F) ? 0xFF61u + c - 0x21 : 0;
    if (c >= 0x80 || c == 0x0E || c == 0x0F)
        return 0;
    return set == JIS_ROMAN && c == '\\' ? 0xA5 : set == JIS_ROMAN && c == '~' ? 0x203E : c;
}

void pd_decode_iso_2022_jp(struct pd_decoder *d)
{
    enum { ESCAPE = 0x1B };
    enum jis_set set = JIS_ASCII;
    bool idle = false; /* the last bytes were an escape sequence */
    pd_bytes_reserve(d->out, d->out->n + (d->n + 1) * PD_DECODED_MOST);
    while (d->n > 0) {
        const unsigned char lead = d->s[0];
        if (lead == ESCAPE) {
            const enum jis_set next = jis_set_of(d);
            if (next == JIS_NONE || idle)
                pd_decoder_replace(d);
            pd_decoder_advance(d, next == JIS_NONE ? 1 : 3);
            idle = next != JIS_NONE;
            set = idle ? next : set;
            continue;
        }
        idle = false;
        if (set != JIS_PAIRS) {
            if (lead)
                pd_decoder_finish(d, jis_single(set, lead), 1);
            else
                decode_nul(d);
        } else if (!pd_decoder_is_in(lead, 0x21, 0x7E) || d->n < 2 || d->s[1] == ESCAPE) {
            pd_decoder_finish(d, 0, 1);
        } else {
            const uint32_t c = pd_decoder_jis(d->index, lead | 0x80, d->s[1] | 0x80);
            if (c && d->s[1] < 0x80)
                pd_decoder_put(d, c);
            else
                pd_decoder_replace(d);
            pd_decoder_advance(d, 2);
        }
    }
}

/* Call iconv() once. With `flush` it writes what it has held back. Returns 0 or errno. */
static int step(iconv_t cd, struct pd_decoder *d, bool flush)
{
    pd_bytes_reserve(d->out, d->out->n + d->n + d->n / 2 + ICONV_ROOM);
    char *in = (char *)d->s, *out = (char *)d->out->v + d->out->n;
    size_t left = d->n, room = d->out->cap - d->out->n;
    const size_t status = iconv(cd, flush ? NULL : &in, &left, &out, &room);
    const int reason = errno;
    d->out->n = d->out->cap - room;
    if (!flush)
        pd_decoder_advance(d, d->n - left);
    return status == (size_t)-1 ? reason : 0;
}

bool pd_decode_by_iconv(struct pd_decoder *d, const char *name)
{
    iconv_t cd = iconv_open("UTF-8", name);
    if (cd == (iconv_t)-1)
        return false;
    while (d->n > 0) {
        const int reason = step(cd, d, false);
        pd_bytes_reserve(d->out, d->out->n + PD_DECODED_MOST);
        if (reason == EILSEQ) {
            pd_decoder_finish(d, 0, 1);
        } else if (reason == EINVAL) { /* the text ends inside a character */
            pd_decoder_replace(d);
            d->n = 0;
        }
    }
    step(cd, d, true);
    iconv_close(cd);
    return true;
}

/* charset_decode.c - see src/document/charset/charset_decode.h */
#include "charset_decode.h"

#include "charset_decoder.h"

enum { AT_ONCE = 1 << 16 /* bytes decoded per reservation of output */ };

/* --- one character that begins with a byte of 0x80 or above -------------------------------- */

static void windows_1252(struct pd_decoder *d)
{
    const unsigned char c = d->s[0];
    pd_decoder_finish(d, c < 0xA0 ? pd_windows_1252[c - 0x80] : c, 1);
}

static void single(struct pd_decoder *d)
{
    pd_decoder_finish(d, d->index->chars[d->s[0] - 0x80], 1);
}

/* A code of four bytes. The third and fourth byte decide whether the four belong together. */
static void gb18030_four(struct pd_decoder *d)
{
    const unsigned char *s = d->s;
    if (d->n > 2 &&
        (!pd_decoder_is_in(s[2], 0x81, 0xFE) || (d->n > 3 && !pd_decoder_is_in(s[3], '0', '9')))) {
        pd_decoder_finish(d, 0, 1);
        return;
    }
    if (d->n < 4) { /* the text ends inside the code */
        pd_decoder_replace(d);
        pd_decoder_advance(d, d->n);
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
        c = pd_decoder_look_up(d->second, pointer);
    else if (pointer >= PLANES && pointer < PLANES_END)
        c = 0x10000 + pointer - PLANES;
    if (c)
        pd_decoder_put(d, c);
    else
        pd_decoder_replace(d);
    pd_decoder_advance(d, 4);
}

static void gb18030(struct pd_decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || lead == 0xFF) {
        pd_decoder_finish(d, lead == 0x80 ? 0x20AC : 0, 1);
    } else if (pd_decoder_is_in(trail, '0', '9')) {
        gb18030_four(d);
    } else {
        const bool good =
            pd_decoder_is_in(trail, 0x40, 0x7E) || pd_decoder_is_in(trail, 0x80, 0xFE);
        const uint32_t pointer = (lead - 0x81u) * 190 + trail - (trail < 0x7F ? 0x40 : 0x41);
        pd_decoder_finish(d, good ? pd_decoder_look_up(d->index, pointer) : 0, 2);
    }
}

static void big5(struct pd_decoder *d)
{
    /* codes of two characters each: a letter and a combining accent */
    static const struct {
        uint32_t pointer, first, second;
    } pairs[] = {
        {1133, 0xCA, 0x304}, {1135, 0xCA, 0x30C}, {1164, 0xEA, 0x304}, {1166, 0xEA, 0x30C}};
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || lead == 0xFF) {
        pd_decoder_finish(d, 0, 1);
        return;
    }
    const bool good = pd_decoder_is_in(trail, 0x40, 0x7E) || pd_decoder_is_in(trail, 0xA1, 0xFE);
    const uint32_t pointer = (lead - 0x81u) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62);
    for (size_t k = 0; good && k < sizeof pairs / sizeof *pairs; k++) {
        if (pairs[k].pointer == pointer) {
            pd_decoder_put(d, pairs[k].first);
            pd_decoder_finish(d, pairs[k].second, 2);
            return;
        }
    }
    pd_decoder_finish(d, good ? pd_decoder_look_up(d->index, pointer) : 0, 2);
}

static void euc_kr(struct pd_decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || lead == 0xFF)
        pd_decoder_finish(d, 0, 1);
    else
        pd_decoder_finish(d,
                          pd_decoder_is_in(trail, 0x41, 0xFE)
                              ? pd_decoder_look_up(d->index, (lead - 0x81u) * 190 + trail - 0x41)
                              : 0,
                          2);
}

static void shift_jis(struct pd_decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x80 || pd_decoder_is_in(lead, 0xA1, 0xDF)) {
        pd_decoder_finish(d, lead == 0x80 ? 0x80 : 0xFF61u + lead - 0xA1, 1);
    } else if (lead == 0xA0 || lead > 0xFC) {
        pd_decoder_finish(d, 0, 1);
    } else {
        const bool good =
            pd_decoder_is_in(trail, 0x40, 0x7E) || pd_decoder_is_in(trail, 0x80, 0xFC);
        const uint32_t pointer =
            (lead - (lead < 0xA0 ? 0x81u : 0xC1u)) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41);
        pd_decoder_finish(d, good ? pd_decoder_look_up(d->index, pointer) : 0, 2);
    }
}

static void euc_jp(struct pd_decoder *d)
{
    const unsigned char lead = d->s[0], trail = d->n > 1 ? d->s[1] : 0;
    if (lead == 0x8E && pd_decoder_is_in(trail, 0xA1, 0xDF))
        pd_decoder_finish(d, 0xFF61u + trail - 0xA1, 2);
    else if (lead == 0x8F && pd_decoder_is_in(trail, 0xA1, 0xFE))
        pd_decoder_finish(d, d->n > 2 ? pd_decoder_jis(d->second, trail, d->s[2]) : 0, 3);
    else if (lead == 0x8E || lead == 0x8F || pd_decoder_is_in(lead, 0xA1, 0xFE))
        pd_decoder_finish(d, pd_decoder_jis(d->index, lead, trail), 2);
    else
        pd_decoder_finish(d, 0, 1);
}

/* --- whole texts ---------------------------------------------------------------------------- */

/*
 * Decode a text in a set in which a byte below 0x80 is ASCII where it begins a character.
 * `character` decodes one character that begins with another byte.
 */
static void decode_ascii_based(struct pd_decoder *d, void (*character)(struct pd_decoder *))
{
    while (d->n > 0) {
        const size_t left = d->n < AT_ONCE ? 0 : d->n - AT_ONCE;
        pd_bytes_reserve(d->out, d->out->n + (d->n - left + PD_CODE_MOST) * PD_DECODED_MOST);
        while (d->n > left) {
            const size_t ascii = pd_ascii_span(d->s, d->n - left);
            memcpy(d->out->v + d->out->n, d->s, ascii);
            d->out->n += ascii;
            pd_decoder_advance(d, ascii);
            pd_decoder_note(d, d->out->n - ascii, d->s - ascii);
            while (d->n > left && d->s[0] >= 0x80) {
                const size_t at = d->out->n;
                const unsigned char *const from = d->s;
                character(d);
                pd_decoder_note(d, at, from);
            }
        }
    }
}

static void decode_utf8(struct pd_decoder *d)
{
    while (d->n > 0) {
        const size_t good = pd_utf8_valid(d->s, d->n);
        pd_bytes_reserve(d->out, d->out->n + good + PD_CODE_MOST);
        pd_bytes_append(d->out, d->s, good);
        pd_decoder_advance(d, good);
        pd_decoder_note(d, d->out->n - good, d->s - good);
        if (d->n == 0)
            break;
        pd_decoder_replace(d);
        const size_t bad = pd_utf8_broken(d->s, d->n);
        pd_decoder_advance(d, bad);
        pd_decoder_note(d, d->out->n - (sizeof PD_REPLACEMENT_S - 1), d->s - bad);
    }
}

/* The decoders of one character, for the sets that decode_ascii_based() reads. */
static void (*const characters[])(struct pd_decoder *) = {
    [PD_CHARSET_WINDOWS_1252] = windows_1252,
    [PD_CHARSET_SINGLE] = single,
    [PD_CHARSET_GB18030] = gb18030,
    [PD_CHARSET_BIG5] = big5,
    [PD_CHARSET_SHIFT_JIS] = shift_jis,
    [PD_CHARSET_EUC_JP] = euc_jp,
    [PD_CHARSET_EUC_KR] = euc_kr,
};

/* Find the indexes of a set. False when iconv() on this machine does not know the set. */
static bool set_indexes(struct pd_decoder *d, const struct pd_charset *charset)
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
                       struct pd_converted *to)
{
    struct pd_decoder d = {.s = s, .n = n, .out = to->out, .begin = s, .origins = to->origins};
    bool known = set_indexes(&d, charset);
    if (!known)
        return false;
    switch (charset->kind) {
    case PD_CHARSET_UTF8:
        decode_utf8(&d);
        break;
    case PD_CHARSET_UTF16LE:
    case PD_CHARSET_UTF16BE:
        pd_decode_utf16(&d, charset->kind == PD_CHARSET_UTF16BE);
        break;
    case PD_CHARSET_UTF32LE:
    case PD_CHARSET_UTF32BE:
        pd_decode_utf32(&d, charset->kind == PD_CHARSET_UTF32BE);
        break;
    case PD_CHARSET_HZ:
        pd_decode_hz(&d);
        break;
    case PD_CHARSET_ISO_2022_JP:
        pd_decode_iso_2022_jp(&d);
        break;
    case PD_CHARSET_ICONV:
        known = pd_decode_by_iconv(&d, charset->name);
        break;
    default:
        decode_ascii_based(&d, characters[charset->kind]);
    }
    to->replaced += d.replaced;
    return known;
}

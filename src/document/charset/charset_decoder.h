/*
 * charset_decoder.h - what the decoders of character sets share.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_DECODER_H
#define PARDUP_DOCUMENT_CHARSET_DECODER_H

#include "charset_decode.h"
#include "charset_index.h"
#include "pardup/document/utf8.h"

enum {
    PD_DECODED_MOST = 6, /* bytes of UTF-8 from a single byte, at most: U+FFFD twice */
    PD_CODE_MOST = 4     /* bytes of one character, at most */
};

/* The bytes still to be decoded, and the text that they become. */
struct pd_decoder {
    const unsigned char *s; /* next byte */
    size_t n;               /* bytes left */
    struct pd_bytes *out;   /* the text; the decoders of whole texts reserve room */
    uint64_t replaced;      /* broken sequences so far */
    const struct pd_charset_index *index,
        *second;                /* the set's index, and another one for longer codes */
    const unsigned char *begin; /* the first byte */
    struct pd_origins *origins; /* of the text; NULL: not wanted */
};

static inline void pd_decoder_advance(struct pd_decoder *d, size_t n)
{
    d->s += n;
    d->n -= n;
}

/* Note that the text from byte `at` on was made of the bytes from `from` on. */
static inline void pd_decoder_note(struct pd_decoder *d, size_t at, const unsigned char *from)
{
    if (d->origins)
        pd_origins_add(d->origins, at, d->out->n - at, (size_t)(from - d->begin),
                       (size_t)(d->s - from));
}

static inline void pd_decoder_put(struct pd_decoder *d, uint32_t c)
{
    d->out->n += pd_utf8_put(d->out->v + d->out->n, c);
}

static inline void pd_decoder_replace(struct pd_decoder *d)
{
    pd_decoder_put(d, PD_REPLACEMENT);
    d->replaced++;
}

/*
 * Write character c, which the next `n` bytes stand for, and go on behind the bytes. With c 0 the
 * bytes are no character: U+FFFD is written, and reading goes on at the last byte if it is ASCII
 * and not the only byte. Fewer than `n` bytes may be left.
 */
static inline void pd_decoder_finish(struct pd_decoder *d, uint32_t c, size_t n)
{
    if (n > d->n)
        n = d->n;
    if (c)
        pd_decoder_put(d, c);
    else
        pd_decoder_replace(d);
    pd_decoder_advance(d, c == 0 && n > 1 && d->s[n - 1] < 0x80 ? n - 1 : n);
}

static inline uint32_t pd_decoder_look_up(const struct pd_charset_index *index, uint32_t pointer)
{
    return index && pointer < index->n ? index->chars[pointer] : 0;
}

static inline bool pd_decoder_is_in(unsigned char c, unsigned from, unsigned to)
{
    return c >= from && c <= to;
}

static inline uint32_t pd_decoder_jis(const struct pd_charset_index *index, unsigned char lead,
                                      unsigned char trail)
{
    if (!pd_decoder_is_in(lead, 0xA1, 0xFE) || !pd_decoder_is_in(trail, 0xA1, 0xFE))
        return 0;
    return pd_decoder_look_up(index, (lead - 0xA1u) * 94 + trail - 0xA1);
}

/* Decode texts in sets that are not based on ASCII, or whose bytes depend on those before. */
void pd_decode_utf16(struct pd_decoder *d, bool big);
void pd_decode_utf32(struct pd_decoder *d, bool big);
void pd_decode_hz(struct pd_decoder *d);
void pd_decode_iso_2022_jp(struct pd_decoder *d);

/* False when iconv() on this machine does not know the set `name`. */
bool pd_decode_by_iconv(struct pd_decoder *d, const char *name);

#endif

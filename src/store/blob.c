/*
 * store/blob.c - see include/pardup/store/blob.h
 *
 * A blob: varint number of sentences, then for each: varints begin - end of the one before, length,
 * number of words, bytes of its words; then all words. A word: two bytes for its number, low byte
 * first, and one that holds the gap before it and its length. Where only the number does not fit, as with
 * one word in eight (frequent words have small numbers), that byte tells its high bits, and gap and length follow;
 * else zeros and LONG, then varints number, gap and length.
 *
 * How many bytes a number needs cannot be predicted: a branch on it costs more than the bytes it saves.
 */
#include "pardup/store/blob.h"

#include <endian.h>
#include <string.h>

enum {
    NUMBERS = 1 << 16,
    LENGTHS = 32, /* last byte = gap * LENGTHS + length */
    GAPS = 7,
    LONG = GAPS * LENGTHS,
    HIGHS = (UINT8_MAX + 1) - LONG /* byte = LONG + number / NUMBERS */
};
enum { SHORT_WORD = 3, VARINT_MOST = 5, WORD_MOST = SHORT_WORD + 3 * VARINT_MOST };

static unsigned char *put(unsigned char *p, uint32_t x)
{
    for (; x >= 0x80; x >>= 7)
        *p++ = (unsigned char)(x | 0x80);
    *p++ = (unsigned char)x;
    return p;
}

static const unsigned char *get(const unsigned char *p, uint32_t *x)
{
    uint32_t sum = *p & 0x7F;
    for (unsigned shift = 7; *p++ & 0x80; shift += 7)
        sum |= (uint32_t)(*p & 0x7F) << shift;
    *x = sum;
    return p;
}

static unsigned char *put_long(unsigned char *p, uint32_t number, uint32_t gap, uint32_t length)
{
    p[0] = p[1] = 0;
    p[2] = LONG;
    return put(put(put(p + SHORT_WORD, number), gap), length);
}

static inline unsigned char *put_word(unsigned char *p, uint32_t number, uint32_t gap,
                                      uint32_t length)
{
    const uint32_t high = number / NUMBERS, last = gap * LENGTHS + length;
    if ((gap >= GAPS) | (length >= LENGTHS) | (high >= HIGHS))
        return put_long(p, number, gap, length);
    const uint32_t more = (high + HIGHS - 1) / HIGHS; /* 0 or 1; gcc makes a branch of high != 0 */
    const uint32_t highs = (LONG + high) & -more;
    const uint32_t bytes = htole32((number & (NUMBERS - 1)) | (highs | last << 8 * more) << 16);
    memcpy(p, &bytes, sizeof bytes);
    return p + SHORT_WORD + more;
}

static const unsigned char *get_word(const unsigned char *p, struct pd_token *t, uint32_t at)
{
    uint32_t gap = p[2] / LENGTHS, length = p[2] % LENGTHS;
    t->term = p[0] | (uint32_t)p[1] << 8;
    if (p[2] < LONG) {
        t->begin = at + gap;
        t->end = t->begin + length;
        return p + SHORT_WORD;
    }
    if (p[2] > LONG) {
        t->term += (p[2] - (uint32_t)LONG) * NUMBERS;
        t->begin = at + p[3] / LENGTHS;
        t->end = t->begin + p[3] % LENGTHS;
        return p + SHORT_WORD + 1;
    }
    p = get(get(get(p + SHORT_WORD, &t->term), &gap), &length);
    t->begin = at + gap;
    t->end = t->begin + length;
    return p;
}

static unsigned char *put_words(unsigned char *p, const struct pd_sentence *sent,
                                const struct pd_token *tokens)
{
    const struct pd_token *t = tokens + sent->word, *const behind = t + sent->nwords;
    for (uint32_t at = sent->begin; t < behind; t++) {
        const struct pd_token word = *t;
        p = put_word(p, word.term, word.begin - at, word.end - word.begin);
        at = word.end;
    }
    return p;
}

void pd_blob_encode(const struct pd_sentence *sentences, size_t n, const struct pd_token *tokens,
                    struct pd_bytes *to)
{
    const size_t nwords = n ? sentences[n - 1].word + sentences[n - 1].nwords : 0;
    const size_t table = VARINT_MOST * (1 + 4 * n), most = WORD_MOST * nwords;
    pd_bytes_reserve(to, to->n + table + most);
    unsigned char *const begin = to->v + to->n, *const words = begin + table;
    unsigned char *p = put(begin, (uint32_t)n), *w = words;
    uint32_t at = 0;
    for (size_t k = 0; k < n; k++) {
        const struct pd_sentence *sent = &sentences[k];
        unsigned char *const next = put_words(w, sent, tokens);
        p = put(put(p, sent->begin - at), sent->end - sent->begin);
        p = put(put(p, sent->nwords), (uint32_t)(next - w));
        at = sent->end;
        w = next;
    }
    memmove(p, words, (size_t)(w - words)); /* up to the table, whose length is known now */
    to->n += (size_t)(p - begin) + (size_t)(w - words);
}

/* Four numbers. Mostly each takes one byte. */
static inline const unsigned char *get_four(const unsigned char *p, uint32_t x[4])
{
    const uint32_t more = 0x80808080;
    uint32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    if (bytes & more)
        return get(get(get(get(p, &x[0]), &x[1]), &x[2]), &x[3]);
    for (int k = 0; k < 4; k++)
        x[k] = p[k];
    return p + 4;
}

void pd_blob_open(const unsigned char *blob, struct pd_stored *out)
{
    const unsigned char *p = blob;
    uint32_t n, at = 0, place = 0, nwords = 0;
    p = get(p, &n);
    pd_sentences_reserve(&out->sentences, n);
    pd_places_reserve(&out->places, (size_t)n + 1);
    out->sentences.n = n;
    for (uint32_t k = 0; k < n; k++) {
        struct pd_sentence *sent = &out->sentences.v[k];
        uint32_t x[4]; /* gap, length, words and their bytes */
        p = get_four(p, x);
        sent->begin = at + x[0];
        sent->end = at = sent->begin + x[1];
        sent->word = nwords;
        sent->nwords = x[2];
        out->places.v[k] = place;
        nwords += x[2];
        place += x[3];
    }
    out->places.v[n] = place;
    out->words = p;
    pd_tokens_reserve(&out->tokens, nwords);
    out->tokens.n = nwords;
}

static void decode_words(struct pd_stored *out, size_t k)
{
    const struct pd_sentence *sent = &out->sentences.v[k];
    const unsigned char *p = out->words + out->places.v[k];
    struct pd_token *t = out->tokens.v + sent->word, *const behind = t + sent->nwords;
    uint32_t at = sent->begin;
    for (; t < behind; at = t++->end)
        p = get_word(p, t, at);
    out->places.v[k] = PD_DECODED;
}

void pd_stored_numbers(struct pd_stored *out)
{
    const unsigned char *p = out->words;
    const size_t n = out->tokens.n;
    pd_numbers_reserve(&out->numbers, n + PD_NUMBERS_BEHIND);
    out->numbers.n = n;
    for (size_t k = 0; k < n; k++) {
        struct pd_token t;
        p = get_word(p, &t, 0);
        out->numbers.v[k] = t.term;
    }
    memset(out->numbers.v + n, 0, PD_NUMBERS_BEHIND * sizeof *out->numbers.v);
}

void pd_stored_sentence(struct pd_stored *out, size_t k)
{
    if (out->places.v[k] != PD_DECODED)
        decode_words(out, k);
}

void pd_stored_words(struct pd_stored *out, uint32_t from, uint32_t to)
{
    size_t lo = 0, hi = out->sentences.n;
    while (lo < hi) { /* the first sentence that ends behind `from` */
        const size_t mid = lo + (hi - lo) / 2;
        if (out->sentences.v[mid].word + out->sentences.v[mid].nwords <= from)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < out->sentences.n && out->sentences.v[lo].word < to; lo++)
        pd_stored_sentence(out, lo);
}

size_t pd_blob_decode(const unsigned char *blob, struct pd_stored *out)
{
    pd_blob_open(blob, out);
    for (size_t k = 0; k < out->sentences.n; k++)
        decode_words(out, k);
    return (size_t)(out->words - blob) + out->places.v[out->sentences.n];
}

void pd_stored_release(struct pd_stored *out)
{
    pd_sentences_release(&out->sentences);
    pd_tokens_release(&out->tokens);
    pd_places_release(&out->places);
    pd_numbers_release(&out->numbers);
}

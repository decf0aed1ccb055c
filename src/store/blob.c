/*
 * store/blob.c - see include/pardup/store/blob.h
 *
 * A blob: varint number of sentences, then for each: varint begin - end of the one before, varint
 * number of words, its words, varint end - end of the last word. A word: varint vocabulary number
 * (frequent words come early, so theirs are short), then one byte that holds the gap before it and
 * its length when both are small, as nearly always, or PLAIN followed by two varints.
 */
#include "pardup/store/blob.h"

enum {
    LENGTHS = 32, /* packed byte = gap * LENGTHS + length */
    GAPS = 7,
    PLAIN = GAPS * LENGTHS
};
enum { VARINT_MOST = 5, WORD_MOST = VARINT_MOST + 1 + 2 * VARINT_MOST };

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

static unsigned char *put_word(unsigned char *p, const struct pd_token *t, uint32_t at)
{
    const uint32_t gap = t->begin - at, length = t->end - t->begin;
    p = put(p, t->term);
    if (gap < GAPS && length < LENGTHS) {
        *p++ = (unsigned char)(gap * LENGTHS + length);
        return p;
    }
    *p++ = PLAIN;
    return put(put(p, gap), length);
}

static const unsigned char *get_word(const unsigned char *p, struct pd_token *t, uint32_t at)
{
    uint32_t gap, length;
    p = get(p, &t->term);
    if (*p < PLAIN) {
        gap = *p / LENGTHS;
        length = *p++ % LENGTHS;
    } else {
        p = get(get(p + 1, &gap), &length);
    }
    t->begin = at + gap;
    t->end = t->begin + length;
    return p;
}

void pd_blob_encode(const struct pd_sentence *sentences, size_t n, const struct pd_token *tokens,
                    struct pd_bytes *to)
{
    const size_t words = n ? sentences[n - 1].word + sentences[n - 1].nwords : 0;
    pd_bytes_reserve(to, to->n + VARINT_MOST + 3 * VARINT_MOST * n + WORD_MOST * words);
    unsigned char *p = put(to->v + to->n, (uint32_t)n);
    uint32_t at = 0;
    for (size_t k = 0; k < n; k++) {
        const struct pd_sentence *sent = &sentences[k];
        p = put(put(p, sent->begin - at), sent->nwords);
        at = sent->begin;
        for (uint32_t w = sent->word; w < sent->word + sent->nwords; w++) {
            p = put_word(p, &tokens[w], at);
            at = tokens[w].end;
        }
        p = put(p, sent->end - at);
        at = sent->end;
    }
    to->n = (size_t)(p - to->v);
}

size_t pd_blob_decode(const unsigned char *blob, struct pd_stored *out)
{
    const unsigned char *p = blob;
    uint32_t n, at = 0, tail;
    p = get(p, &n);
    out->tokens.n = 0;
    pd_sentences_reserve(&out->sentences, n);
    out->sentences.n = n;
    for (uint32_t i = 0; i < n; i++) {
        struct pd_sentence *sent = &out->sentences.v[i];
        uint32_t gap;
        p = get(get(p, &gap), &sent->nwords);
        sent->begin = at = at + gap;
        sent->word = (uint32_t)out->tokens.n;
        pd_tokens_reserve(&out->tokens, out->tokens.n + sent->nwords);
        for (uint32_t w = 0; w < sent->nwords; w++) {
            struct pd_token *t = &out->tokens.v[out->tokens.n++];
            p = get_word(p, t, at);
            at = t->end;
        }
        p = get(p, &tail);
        sent->end = at = at + tail;
    }
    return (size_t)(p - blob);
}

void pd_stored_release(struct pd_stored *out)
{
    pd_sentences_release(&out->sentences);
    pd_tokens_release(&out->tokens);
}

/*
 * store/blob.c - see include/pardup/store/blob.h
 *
 * A blob: varint number of sentences, then for each: varints begin - end of the one before, length,
 * number of words, bytes of its words; then all words. A word: varint number
 * (frequent words come early, so theirs are short), then one byte that holds the gap before it and
 * its length when both are small, as nearly always, or PLAIN followed by two varints.
 *
 * How long a word's number is cannot be predicted: such words are written and read eight bytes at a time,
 * without a branch on it.
 */
#include "pardup/store/blob.h"

#include <endian.h>
#include <string.h>

enum {
    LENGTHS = 32, /* packed byte = gap * LENGTHS + length */
    GAPS = 7,
    PLAIN = GAPS * LENGTHS
};
enum { VARINT_MOST = 5, WORD_MOST = VARINT_MOST + 1 + 2 * VARINT_MOST };

/* A number below SHORT_TERM and the byte behind it fit into the eight bytes that are moved. */
#define SHORT_TERM ((uint32_t)1 << 28)
#define GO_ON_BITS UINT64_C(0x80808080) /* of the bytes of such a number */

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

/* Of numbers below SHORT_TERM, by the zeros before their highest bit (31 for 0). */
static const struct {
    uint32_t go_on; /* the bits that say so in each byte but the last */
    uint32_t bytes;
} varints[32] = {[0 ... 10] = {0x808080, 4},
                 [11 ... 17] = {0x8080, 3},
                 [18 ... 24] = {0x80, 2},
                 [25 ... 31] = {0, 1}};

/* Seven bits a byte, and back. */
static uint32_t spread(uint32_t x)
{
    return (x & 0x7F) | (x & 0x3F80) << 1 | (x & 0x1FC000) << 2 | (x & 0xFE00000) << 3;
}

/* Of x's low 32 bits those that do not say that a number goes on: pairs of bytes, then the pair of these. */
static uint32_t gather(uint64_t x)
{
    const uint32_t bytes = (uint32_t)x & 0x7F7F7F7F;
    const uint32_t pairs = bytes - ((bytes & 0x7F007F00) >> 1);
    return (pairs & 0x3FFF) | pairs >> 16 << 14;
}

/* Writes up to five bytes where a word is short; returns behind those that count. */
static unsigned char *put_word(unsigned char *p, const struct pd_token *t, uint32_t at)
{
    const uint32_t gap = t->begin - at, length = t->end - t->begin;
    if (gap < GAPS && length < LENGTHS && t->term < SHORT_TERM) {
        const unsigned zeros = (unsigned)__builtin_clz(t->term | 1);
        const uint32_t number = htole32(spread(t->term) | varints[zeros].go_on);
        memcpy(p, &number, sizeof number);
        p += varints[zeros].bytes;
        *p++ = (unsigned char)(gap * LENGTHS + length);
        return p;
    }
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

/* The same, where eight bytes can be read. */
static const unsigned char *get_word_of_8(const unsigned char *p, struct pd_token *t, uint32_t at)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    bytes = le64toh(bytes);
    const uint64_t last = ~bytes & GO_ON_BITS; /* none: a longer number */
    const unsigned shift = last ? (unsigned)__builtin_ctzll(last) + 1 : 0;
    const uint32_t packed = bytes >> shift & 0xFF;
    if (shift == 0 || packed >= PLAIN)
        return get_word(p, t, at);
    t->term = gather(bytes & ((UINT64_C(1) << shift) - 1));
    t->begin = at + packed / LENGTHS;
    t->end = t->begin + packed % LENGTHS;
    return p + shift / 8 + 1;
}

static unsigned char *put_words(unsigned char *p, const struct pd_sentence *sent,
                                const struct pd_token *tokens)
{
    uint32_t at = sent->begin;
    for (uint32_t w = sent->word; w < sent->word + sent->nwords; w++) {
        p = put_word(p, &tokens[w], at);
        at = tokens[w].end;
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
        uint32_t gap, length, bytes;
        p = get(get(get(get(p, &gap), &length), &sent->nwords), &bytes);
        sent->begin = at + gap;
        sent->end = at = sent->begin + length;
        sent->word = nwords;
        out->places.v[k] = place;
        nwords += sent->nwords;
        place += bytes;
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
    const unsigned char *const end = out->words + out->places.v[out->sentences.n];
    struct pd_token *t = out->tokens.v + sent->word, *const behind = t + sent->nwords;
    uint32_t at = sent->begin;
    for (; t < behind && end - p >= (ptrdiff_t)sizeof(uint64_t); at = t++->end)
        p = get_word_of_8(p, t, at);
    for (; t < behind; at = t++->end)
        p = get_word(p, t, at);
    out->places.v[k] = PD_DECODED;
}

static const unsigned char *get_number(const unsigned char *p, uint32_t *number)
{
    struct pd_token t;
    p = get_word(p, &t, 0);
    *number = t.term;
    return p;
}

/* The same, where eight bytes can be read. */
static inline const unsigned char *get_number_of_8(const unsigned char *p, uint32_t *number)
{
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    bytes = le64toh(bytes);
    const uint64_t last = ~bytes & GO_ON_BITS;
    const unsigned end = last ? (unsigned)__builtin_ctzll(last) : 0; /* its last bit */
    if (end == 0 || (bytes >> end >> 1 & 0xFF) >= PLAIN)
        return get_number(p, number);
    *number = gather(bytes & (last ^ (last - 1)));
    return p + end / 8 + 2;
}

enum { READINGS = 4 };

/* A stretch of words whose numbers are being read, and where they go. */
struct reading {
    const unsigned char *p;
    uint32_t *to;
    size_t n;
};

/* Cut the document between sentences into stretches of about as many words. Returns the fewest. */
static size_t cut(const struct pd_stored *out, struct reading *r)
{
    const size_t nwords = out->tokens.n;
    size_t fewest = nwords, sentence = 0, word = 0;
    for (size_t k = 0; k < READINGS; k++) {
        r[k].p = out->words + out->places.v[sentence];
        r[k].to = out->numbers.v + word;
        r[k].n = word;
        while (word < (k + 1) * nwords / READINGS)
            word += out->sentences.v[sentence++].nwords;
        r[k].n = word - r[k].n;
        fewest = r[k].n < fewest ? r[k].n : fewest;
    }
    return fewest;
}

/*
 * Where a word begins is known only when the one before it has been read: hence some stretches at a time.
 */
void pd_stored_numbers(struct pd_stored *out)
{
    struct reading r[READINGS];
    const size_t n = out->tokens.n;
    const unsigned char *const end = out->words + out->places.v[out->sentences.n];
    size_t done = 0;
    pd_numbers_reserve(&out->numbers, n + PD_NUMBERS_BEHIND);
    out->numbers.n = n;
    memset(out->numbers.v + n, 0, PD_NUMBERS_BEHIND * sizeof *out->numbers.v);
    const size_t together = cut(out, r);
    for (; done < together && end - r[READINGS - 1].p >= (ptrdiff_t)sizeof(uint64_t); done++)
        for (size_t k = 0; k < READINGS; k++)
            r[k].p = get_number_of_8(r[k].p, &r[k].to[done]);
    for (size_t k = 0, at = done; k < READINGS; k++, at = done) {
        for (; at < r[k].n && end - r[k].p >= (ptrdiff_t)sizeof(uint64_t); at++)
            r[k].p = get_number_of_8(r[k].p, &r[k].to[at]);
        for (; at < r[k].n; at++)
            r[k].p = get_number(r[k].p, &r[k].to[at]);
    }
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

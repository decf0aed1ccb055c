/*
 * store/blob.c - see include/pardup/store/blob.h
 *
 * A blob is a varint, the number of sentences, then a row per sentence, then the long bounds, then
 * all words.
 *
 * The bounds of a sentence are four numbers: the gap between the sentence before and this one,
 * bytes; its length, bytes; its words; and the bytes of its packed words beyond three each. A row
 * has the bounds in three bytes, or LONG_BOUNDS if they do not fit, as for one sentence in fifty;
 * then the fringe in ten bytes, `frame`, `doubtful` and `linked` in the highest bits of `words`;
 * the last two are both set if it is stray. The long bounds of a sentence are four varints.
 *
 * A word takes three bytes: the low 16 bits of its number, low byte first, and a byte for gap and
 * length, gap * LENGTHS + length. The gap is the bytes between the word before and this one.
 * If only the number does not fit, the third byte is LONG plus its high bits, and a fourth byte has
 * gap and length. This is the case for one word in eight, as frequent words have small numbers.
 * Otherwise the bytes are 0, 0, LONG and then the varints number, gap and length.
 *
 * No number has less than two bytes: whether one byte is enough cannot be predicted, and a branch
 * on it costs more than the bytes it saves.
 */
#include "pardup/store/blob.h"

#include <endian.h>
#include <string.h>

#include "pardup/base/search.h"

enum {
    NUMBERS = 1 << 16,     /* word numbers that fit into two bytes */
    LENGTHS = 32,          /* lengths that fit into the byte of gap and length */
    GAPS = 7,              /* gaps that fit into the byte of gap and length */
    LONG = GAPS * LENGTHS, /* third byte from here on: the word is longer than three bytes */
    HIGHS = (UINT8_MAX + 1) - LONG /* high bits of a number that fit: number / NUMBERS < HIGHS */
};
/* Bytes of a short word, of the longest varint and of the longest word. */
enum { SHORT_WORD = 3, VARINT_MOST = 5, WORD_MOST = SHORT_WORD + 3 * VARINT_MOST };
/* Bytes of the bounds in a row, of the fringe, and of a row. */
enum { BOUNDS = 3, FRINGE = sizeof(uint64_t) + 2, ROW = BOUNDS + FRINGE };
/* Bits of the four numbers of the bounds in a row, the first lowest. */
enum { GAP_BITS = 3, LENGTH_BITS = 9, NWORDS_BITS = 7, MORE_BITS = 5 };
enum { LONG_BOUNDS = (1 << 8 * BOUNDS) - 1 }; /* in place of bounds: they are long */

_Static_assert(GAP_BITS + LENGTH_BITS + NWORDS_BITS + MORE_BITS == 8 * BOUNDS, "all bits");

/* The bounds of a sentence. */
struct bounds {
    uint32_t gap;    /* bytes between the sentence before and this one */
    uint32_t length; /* bytes */
    uint32_t nwords; /* words */
    uint32_t more;   /* bytes of its packed words beyond SHORT_WORD each */
};

/* Write x as a varint. Returns the byte after it. */
static unsigned char *put_varint(unsigned char *p, uint32_t x)
{
    for (; x >= 0x80; x >>= 7)
        *p++ = (unsigned char)(x | 0x80);
    *p++ = (unsigned char)x;
    return p;
}

/* Read a varint. Returns the byte after it. */
static const unsigned char *get_varint(const unsigned char *p, uint32_t *x)
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
    return put_varint(put_varint(put_varint(p + SHORT_WORD, number), gap), length);
}

static inline unsigned char *put_word(unsigned char *p, uint32_t number, uint32_t gap,
                                      uint32_t length)
{
    const uint32_t high = number / NUMBERS, last = gap * LENGTHS + length;
    if ((gap >= GAPS) | (length >= LENGTHS) | (high >= HIGHS))
        return put_long(p, number, gap, length);
    const uint32_t more = (high + HIGHS - 1) / HIGHS; /* 0 or 1; for high != 0 gcc makes a branch */
    const uint32_t highs = (LONG + high) & -more;
    const uint32_t bytes = htole32((number & (NUMBERS - 1)) | (highs | last << 8 * more) << 16);
    memcpy(p, &bytes, sizeof bytes);
    return p + SHORT_WORD + more;
}

/* Read a word; `at` is the end of the word before it in the text. Returns the byte after it. */
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
    p = get_varint(get_varint(get_varint(p + SHORT_WORD, &t->term), &gap), &length);
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

/* The low bits of x. */
static uint32_t low(uint32_t x, unsigned bits) { return x & ((UINT32_C(1) << bits) - 1); }

/* The bounds as they lie in a row; LONG_BOUNDS if they do not fit. */
static uint32_t short_bounds(const struct bounds *x)
{
    const uint32_t beyond = x->gap >> GAP_BITS | x->length >> LENGTH_BITS |
                            x->nwords >> NWORDS_BITS | x->more >> MORE_BITS;
    return beyond ? LONG_BOUNDS
                  : x->gap | (x->length | (x->nwords | x->more << NWORDS_BITS) << LENGTH_BITS)
                                 << GAP_BITS;
}

static unsigned char *put_bounds(unsigned char *p, const struct bounds *x)
{
    return put_varint(put_varint(put_varint(put_varint(p, x->gap), x->length), x->nwords), x->more);
}

static const unsigned char *get_bounds(const unsigned char *p, struct bounds *x)
{
    return get_varint(get_varint(get_varint(get_varint(p, &x->gap), &x->length), &x->nwords),
                      &x->more);
}

static void put_fringe(unsigned char *p, const struct pd_fringe *fringe)
{
    const bool doubtful = fringe->doubtful || fringe->stray,
               linked = fringe->linked || fringe->stray;
    const uint64_t words = fringe->words | (uint64_t)fringe->frame << 63 |
                           (uint64_t)doubtful << 62 | (uint64_t)linked << 61;
    memcpy(p, &words, sizeof words);
    p[sizeof fringe->words] = fringe->first;
    p[sizeof fringe->words + 1] = fringe->last;
}

void pd_blob_encode(const struct pd_sentence *sentences, const struct pd_fringe *fringes, size_t n,
                    const struct pd_token *tokens, struct pd_bytes *to)
{
    const size_t nwords = n ? sentences[n - 1].word + sentences[n - 1].nwords : 0;
    const size_t table = n * ROW, longs_most = n * 4 * VARINT_MOST;
    const size_t most = WORD_MOST * nwords + longs_most;
    pd_bytes_reserve(to, to->n + VARINT_MOST + table + most + longs_most);
    unsigned char *row = put_varint(to->v + to->n, (uint32_t)n), *const words = row + table;
    unsigned char *const longs = words + most, *l = longs,
                         *w = words; /* long bounds lie there at first */
    uint32_t at = 0;
    for (size_t k = 0; k < n; k++, row += ROW) {
        const struct pd_sentence *sent = &sentences[k];
        unsigned char *const next = put_words(w, sent, tokens);
        const struct bounds x = {sent->begin - at, sent->end - sent->begin, sent->nwords,
                                 (uint32_t)(next - w) - SHORT_WORD * sent->nwords};
        const uint32_t e = short_bounds(&x), bytes = htole32(e);
        memcpy(row, &bytes, BOUNDS);
        put_fringe(row + BOUNDS, &fringes[k]);
        if (e == LONG_BOUNDS)
            l = put_bounds(l, &x);
        at = sent->end;
        w = next;
    }
    const size_t nlongs = (size_t)(l - longs);
    if (nlongs) { /* long bounds belong before the words */
        memmove(words + nlongs, words, (size_t)(w - words));
        memmove(words, longs, nlongs);
    }
    to->n = (size_t)(w - to->v) + nlongs;
}

/* Note the row of the next sentence that is kept. All before it had the rows 0, 1, and so on. */
static void note_row(struct pd_stored *out, size_t kept, size_t row)
{
    while (out->rows.n < kept)
        pd_offsets_push(&out->rows, (uint32_t)out->rows.n);
    pd_offsets_push(&out->rows, (uint32_t)row);
}

/* Is row k of the table that of a sentence in the frame? `words` is little-endian. */
static bool row_in_frame(const unsigned char *table, size_t k)
{
    return table[k * ROW + BOUNDS + sizeof(uint64_t) - 1] >> 7;
}

void pd_blob_open(const unsigned char *blob, enum pd_blob_part part, struct pd_stored *out)
{
    uint32_t n, at = 0, offset = 0, nwords = 0;
    size_t kept = 0;
    const unsigned char *const table = get_varint(blob, &n), *p = table + n * ROW;
    pd_sentences_reserve(&out->sentences, n);
    pd_offsets_reserve(&out->word_offsets, (size_t)n + 1);
    out->rows.n = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t e;
        memcpy(&e, table + k * ROW, sizeof e); /* a row is longer than e */
        e = low(le32toh(e), 8 * BOUNDS);
        struct bounds x = {low(e, GAP_BITS), low(e >> GAP_BITS, LENGTH_BITS),
                           low(e >> (GAP_BITS + LENGTH_BITS), NWORDS_BITS),
                           e >> (8 * BOUNDS - MORE_BITS)};
        if (e == LONG_BOUNDS)
            p = get_bounds(p, &x);
        const uint32_t begin = at + x.gap;
        at = begin + x.length;
        if (part == PD_BLOB_ALL || !row_in_frame(table, k)) {
            if (kept != k || out->rows.n)
                note_row(out, kept, k);
            out->sentences.v[kept] = (struct pd_sentence){begin, at, nwords, x.nwords};
            out->word_offsets.v[kept++] = offset;
            nwords += x.nwords;
        }
        offset += SHORT_WORD * x.nwords + x.more;
    }
    out->sentences.n = kept;
    out->words_n = offset;
    out->nrows = n;
    out->table = table;
    out->words = p;
    pd_tokens_reserve(&out->tokens, nwords);
    out->tokens.n = nwords;
}

static void decode_words(struct pd_stored *out, size_t k)
{
    const struct pd_sentence *sent = &out->sentences.v[k];
    const unsigned char *p = out->words + out->word_offsets.v[k];
    struct pd_token *t = out->tokens.v + sent->word, *const behind = t + sent->nwords;
    uint32_t at = sent->begin;
    for (; t < behind; at = t++->end)
        p = get_word(p, t, at);
    out->word_offsets.v[k] = PD_DECODED;
}

void pd_stored_numbers(struct pd_stored *out)
{
    const unsigned char *p = out->words;
    const size_t n = out->tokens.n, nsentences = out->sentences.n;
    const bool all = nsentences == out->nrows;
    pd_word_numbers_reserve(&out->numbers, n + PD_NUMBERS_BEHIND);
    out->numbers.n = n;
    for (size_t k = 0, s = 0; k < n; s++) {
        if (!all)
            p = out->words + out->word_offsets.v[s];
        for (const size_t end = all ? n : k + out->sentences.v[s].nwords; k < end; k++) {
            struct pd_token t;
            p = get_word(p, &t, 0);
            out->numbers.v[k] = t.term;
        }
    }
    memset(out->numbers.v + n, 0, PD_NUMBERS_BEHIND * sizeof *out->numbers.v);
}

struct pd_fringe pd_stored_fringe(const struct pd_stored *out, size_t k)
{
    if (out->fringes)
        return out->fringes[k];
    const size_t row = out->rows.n ? out->rows.v[k] : k;
    const unsigned char *const p = out->table + row * ROW + BOUNDS;
    struct pd_fringe fringe = {.first = p[sizeof fringe.words], .last = p[sizeof fringe.words + 1]};
    memcpy(&fringe.words, p, sizeof fringe.words);
    fringe.frame = fringe.words >> 63;
    const bool doubtful = fringe.words >> 62 & 1, linked = fringe.words >> 61 & 1;
    fringe.stray = doubtful && linked;
    fringe.doubtful = doubtful && !linked;
    fringe.linked = linked && !doubtful;
    fringe.words &= PD_FRINGE_WORDS;
    return fringe;
}

void pd_stored_words(struct pd_stored *out, uint32_t from, uint32_t to)
{
    /* Find the first sentence that ends behind `from`. base/search.h is for keys of 64 bits. */
    size_t lo = 0, hi = out->sentences.n;
    PD_BISECT(lo, hi, mid, out->sentences.v[mid].word + out->sentences.v[mid].nwords <= from);
    for (; lo < out->sentences.n && out->sentences.v[lo].word < to; lo++)
        if (out->word_offsets.v[lo] != PD_DECODED)
            decode_words(out, lo);
}

size_t pd_blob_decode(const unsigned char *blob, enum pd_blob_part part, struct pd_stored *out)
{
    pd_blob_open(blob, part, out);
    for (size_t k = 0; k < out->sentences.n; k++)
        decode_words(out, k);
    return (size_t)(out->words - blob) + out->words_n;
}

void pd_stored_release(struct pd_stored *out)
{
    pd_sentences_release(&out->sentences);
    pd_tokens_release(&out->tokens);
    PD_RELEASE(pd_offsets, &out->rows, &out->word_offsets);
    pd_word_numbers_release(&out->numbers);
}

/* tools/synth/words.c - see src/tools/synth/words.h */
#include "words.h"

#include <math.h>

#define MANDELBROT  2.7                           /* added to the ranks in Zipf's law */
#define RANK_MOST   ((double)(UINT64_C(1) << 40)) /* of a word: it has at most 5 syllables */
#define SHARE_ONE   65536.0                       /* a share of 1 in pd_synth_words.tail */
#define LENGTH_MOST 400                           /* words of a sentence */
#define LAST_LEAST  5 /* bytes of a last word: a shorter one may look like an abbreviation */

/* Words of a sentence at the 10th, 50th and 90th percentile. */
static const double length_10 = 6, length_50 = 12, length_90 = 27;

/*
 * Write the word of a rank; returns its length in bytes. The digits of the rank in bijective base
 * 256 are its syllables.
 */
static size_t spell(uint64_t rank, unsigned char *out)
{
    static const char consonants[] = "bcdfghklmnprstvw";
    static const char vowels[16][3] = {"a",  "e",  "i",  "o",  "u",  "y",  "ai", "au",
                                       "ea", "ee", "ei", "ie", "io", "oa", "oo", "ou"};
    static const char *const codas[16] = {"",  "",  "",  "",  "",  "n",  "n",  "r",
                                          "r", "s", "s", "t", "l", "nd", "st", "d"};
    const uint64_t bits = pd_mix(rank);
    unsigned char *p = out;
    for (uint64_t n = rank + 1; n > 0; n = (n - 1) >> 8) {
        const unsigned digit = (unsigned)(n - 1) & 0xFF;
        *p++ = (unsigned char)consonants[digit >> 4];
        for (const char *v = vowels[digit & 0xF]; *v; v++)
            *p++ = (unsigned char)*v;
    }
    /* One word in 32 gets an é. No syllable has an é, so the words stay different. */
    const char *coda = bits >> 59 == 0 ? "é" : codas[bits & 0xF];
    for (; *coda; coda++)
        *p++ = (unsigned char)*coda;
    return (size_t)(p - out);
}

void pd_synth_words_weigh(struct pd_synth_words *w, double *weight)
{
    double sum = 0;
    for (uint32_t k = 0; k < PD_SYNTH_HEAD; k++)
        sum += weight[k];
    for (uint32_t k = 0; k < PD_SYNTH_HEAD; k++)
        weight[k] *= PD_SYNTH_HEAD / sum;
    uint32_t *small = pd_realloc(NULL, 2 * PD_SYNTH_HEAD, sizeof *small);
    uint32_t *large = small + PD_SYNTH_HEAD, nsmall = 0, nlarge = 0;
    for (uint32_t k = 0; k < PD_SYNTH_HEAD; k++)
        *(weight[k] < 1 ? &small[nsmall++] : &large[nlarge++]) = k;
    while (nsmall > 0 && nlarge > 0) {
        const uint32_t s = small[--nsmall], l = large[--nlarge];
        w->alias[s] = (struct pd_synth_alias){(uint32_t)(weight[s] * UINT32_MAX), l};
        weight[l] -= 1 - weight[s];
        *(weight[l] < 1 ? &small[nsmall++] : &large[nlarge++]) = l;
    }
    while (nsmall > 0)
        large[nlarge++] = small[--nsmall];
    while (nlarge > 0) {
        const uint32_t l = large[--nlarge];
        w->alias[l] = (struct pd_synth_alias){UINT32_MAX, l};
    }
    free(small);
}

/* Choose PD_SYNTH_LENGTHS quantiles of the lengths of sentences. */
static void make_lengths(struct pd_synth_words *w)
{
    const double z = pd_synth_normal(0.9);
    for (int k = 0; k < PD_SYNTH_LENGTHS; k++) {
        const double x = pd_synth_normal((k + 0.5) / PD_SYNTH_LENGTHS);
        const double ratio = x < 0 ? length_50 / length_10 : length_90 / length_50;
        const double n = round(length_50 * exp(log(ratio) * x / z));
        w->lengths[k] = (uint16_t)(n < 1 ? 1 : n > LENGTH_MOST ? LENGTH_MOST : n);
    }
}

void pd_synth_words_init(struct pd_synth_words *w)
{
    double *weight = pd_realloc(NULL, PD_SYNTH_HEAD, sizeof *weight), sum = 0;
    w->head = pd_realloc(NULL, PD_SYNTH_HEAD, sizeof *w->head);
    w->alias = pd_realloc(NULL, PD_SYNTH_HEAD, sizeof *w->alias);
    for (uint32_t k = 0; k < PD_SYNTH_HEAD; k++) {
        w->head[k][0] = (unsigned char)spell(k, w->head[k] + 1);
        sum += weight[k] = 1 / (k + 1 + MANDELBROT);
    }
    /* The tail begins with the density of the last rank of the head, weight[PD_SYNTH_HEAD - 1]. */
    const double tail = weight[PD_SYNTH_HEAD - 1] * PD_SYNTH_HEAD / (PD_SYNTH_TAIL - 1);
    w->tail = (uint32_t)(SHARE_ONE * tail / (sum + tail));
    pd_synth_words_weigh(w, weight);
    make_lengths(w);
    free(weight);
}

void pd_synth_words_release(struct pd_synth_words *w)
{
    PD_FREE(w->head, w->alias);
    *w = (struct pd_synth_words){0};
}

/* Draw a word by frequency; returns its length in bytes. */
static size_t draw(const struct pd_synth_words *w, struct pd_synth_random *r, unsigned char *out)
{
    const uint64_t x = pd_synth_next(r);
    uint32_t k = (uint32_t)x & (PD_SYNTH_HEAD - 1);
    if ((x >> 15 & 0xFFFF) < w->tail) {
        const double u = 1 - pd_synth_unit(r);
        const double rank = PD_SYNTH_HEAD * pow(u, -1 / (PD_SYNTH_TAIL - 1));
        return spell((uint64_t)(rank < RANK_MOST ? rank : RANK_MOST), out);
    }
    if ((uint32_t)(x >> 32) >= w->alias[k].keep)
        k = w->alias[k].other;
    memcpy(out, w->head[k] + 1, PD_SYNTH_WORD - 1);
    return w->head[k][0];
}

size_t pd_synth_word(const struct pd_synth_words *w, struct pd_synth_random *r, size_t least,
                     unsigned char out[PD_SYNTH_WORD])
{
    size_t n;
    do
        n = draw(w, r, out);
    while (n < least);
    return n;
}

static unsigned char upper(unsigned char c)
{
    return c >= 'a' && c <= 'z' ? (unsigned char)(c - 'a' + 'A') : c;
}

/* The text between two words; `chance` is a random number of 10 bits. */
static const char *text_between(unsigned chance)
{
    if (chance >= 76)
        return " ";
    if (chance >= 14)
        return ", ";
    static const char *const rare[14] = {"; ",  "; ",  "; ",  " — ",      " — ", " — ",      " — ",
                                         " & ", " & ", " & ", "\xC2\xA0", ": ",  "\xC2\xA0", ": "};
    return rare[chance];
}

void pd_synth_sentence_text(const struct pd_synth_words *w, uint64_t key, struct pd_bytes *out)
{
    enum {
        BETWEEN_MOST = 8 /* bytes between words */,
        NAMES = 24 /* one word in NAMES is a name */
    };
    struct pd_synth_random r = {key};
    const unsigned n = w->lengths[pd_synth_next(&r) % PD_SYNTH_LENGTHS];
    const uint64_t end = pd_synth_next(&r);
    pd_bytes_reserve(out, out->n + n * (PD_SYNTH_WORD + BETWEEN_MOST) + PD_SYNTH_WORD);
    unsigned char *p = out->v + out->n;
    for (unsigned k = 0; k < n; k++) {
        const uint64_t chance = pd_synth_next(&r);
        unsigned char *word = p;
        p += pd_synth_word(w, &r, k + 1 == n ? LAST_LEAST : 1, p);
        if (k == 0 || chance % NAMES == 0)
            *word = upper(*word);
        if (k + 1 < n)
            for (const char *c = text_between(chance >> 32 & 0x3FF); *c; c++)
                *p++ = (unsigned char)*c;
    }
    *p++ = (unsigned char)"................?!.............?"[end >> 59]; /* a mark of 32 */
    out->n = (size_t)(p - out->v);
}

void pd_synth_title(const struct pd_synth_words *w, struct pd_synth_random *r, unsigned n,
                    struct pd_bytes *out)
{
    for (unsigned k = 0; k < n; k++) {
        unsigned char word[PD_SYNTH_WORD];
        const size_t len = pd_synth_word(w, r, LAST_LEAST, word);
        word[0] = upper(word[0]);
        pd_bytes_append(out, " ", k > 0);
        pd_bytes_append(out, word, len);
    }
}

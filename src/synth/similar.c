/* synth/similar.c - see src/synth/similar.h */
#include "similar.h"

#include "pardup/base/sort.h"

#define SHORT_MOST 80     /* bytes: longer sentences are hardly ever the same by chance */
#define ALL_KEPT   200000 /* up to this number of documents all hashes are kept */

static bool is_word_byte(const unsigned char *s, size_t i)
{
    const unsigned char c = s[i];
    if (c >= 0x80) /* é is a letter; the no-break space and the dash are not */
        return c == 0xC3 || (c == 0xA9 && i > 0 && s[i - 1] == 0xC3);
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

void pd_synth_word_set(const unsigned char *s, size_t n, struct pd_synth_hashes *out)
{
    enum { WORD_MOST = 64 }; /* bytes of a word that count */
    const size_t first = out->n;
    for (size_t i = 0; i < n;) {
        unsigned char word[WORD_MOST];
        size_t len = 0;
        for (; i < n && is_word_byte(s, i); i++)
            if (len < WORD_MOST)
                word[len++] = s[i] < 0x80 ? s[i] | 0x20 : s[i];
        if (len > 0)
            pd_synth_hashes_push(out, pd_hash_bytes(word, len));
        else
            i++;
    }
    pd_sort_records(out->v + first, out->n - first, 1, 1);
    size_t kept = first;
    for (size_t k = first; k < out->n; k++)
        if (k == first || out->v[k] != out->v[k - 1])
            out->v[kept++] = out->v[k];
    out->n = kept;
}

double pd_synth_jaccard(struct pd_synth_set a, struct pd_synth_set b)
{
    const size_t sum = (size_t)(a.end - a.v) + (size_t)(b.end - b.v);
    size_t both = 0;
    while (a.v < a.end && b.v < b.end) {
        const uint64_t x = *a.v, y = *b.v;
        both += x == y;
        a.v += x <= y;
        b.v += y <= x;
    }
    return sum > both ? (double)both / (double)(sum - both) : 1;
}

size_t pd_synth_count_words(const unsigned char *s, size_t n)
{
    size_t words = 0;
    for (size_t i = 0; i < n; i++)
        words += is_word_byte(s, i) && (i == 0 || !is_word_byte(s, i - 1));
    return words;
}

/* ---- the same by chance ---- */

void pd_synth_chance_init(struct pd_synth_chance *c, uint64_t documents)
{
    c->own.n = 0;
    c->every = 1 + documents / ALL_KEPT;
}

void pd_synth_chance_add(struct pd_synth_chance *c, const struct pd_synth_content *content)
{
    struct pd_synth_hashes words = {0};
    for (size_t k = 0; k < content->sentences.n; k++) {
        const struct pd_synth_sentence *s = &content->sentences.v[k];
        const unsigned char *text = content->bytes.v + s->begin;
        if (s->copied || s->cut || s->end - s->begin > SHORT_MOST)
            continue;
        words.n = 0;
        pd_synth_word_set(text, s->end - s->begin, &words);
        const uint64_t hash = pd_hash_bytes(words.v, words.n * sizeof *words.v);
        if (hash % c->every == 0)
            pd_synth_hashes_push(&c->own, hash);
    }
    pd_synth_hashes_release(&words);
}

uint64_t pd_synth_chance_pairs(uint64_t *hashes, size_t n, uint64_t every)
{
    uint64_t pairs = 0, same = 0;
    pd_sort_records(hashes, n, 1, 1);
    for (size_t k = 1; k < n; k++) {
        same = hashes[k] == hashes[k - 1] ? same + 1 : 0;
        pairs += same;
    }
    return pairs * every;
}

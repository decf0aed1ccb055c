/* passage/grow.c - see include/pardup/passage/grow.h */
#include "pardup/passage/grow.h"

#include <stdbool.h>

#include "pardup/base/minmax.h"
#include "pardup/base/spelling.h"

enum {
    PROBE = 48,        /* letters of a that are looked at first */
    PROBE_EIGHTHS = 5, /* most edits of them */
    DROP = 20,         /* how far the score may fall */
    DROP_MORE = 60,    /* how much farther it may fall at most, if it was high */
    WIDTH = 2 * PD_GROW_BAND + 1,
    NONE = INT32_MIN / 2 /* the score of what is no alignment */
};

/* The letters of a word; at most PD_SPELLING_LETTERS. */
static uint32_t letters_of(uint64_t spelling)
{
    uint32_t n = 0;
    for (; spelling; spelling >>= PD_SPELLING_BITS)
        n++;
    return n;
}

/* Write the letters of words from the end outward, at least `most` of them, or all there are. */
static void write_letters(struct pd_letters *to, struct pd_beyond_words words, size_t most)
{
    to->n = 0;
    for (uint32_t k = 0; k < words.n && to->n < most; k++) {
        const uint64_t spelling = words.v[(ptrdiff_t)k * words.step];
        const uint32_t n = letters_of(spelling);
        for (uint32_t m = 0; m < n; m++) {
            const uint32_t at = words.step > 0 ? m : n - 1 - m;
            pd_letters_push(to, spelling >> PD_SPELLING_BITS * at & PD_SPELLING_CODES);
        }
    }
}

/* The words whose letters are all among the first n ones. */
static uint32_t words_in(struct pd_beyond_words words, uint32_t n)
{
    uint32_t k = 0;
    for (uint32_t letters; k < words.n; k++, n -= letters) {
        letters = letters_of(words.v[(ptrdiff_t)k * words.step]);
        if (letters > n)
            break;
    }
    return k;
}

/* Is a prefix of row b at most 5/8 n edits away from the first n letters of row a? */
static bool probe(const struct pd_letters *a, const struct pd_letters *b)
{
    const size_t shorter = pd_min_size(a->n, b->n);
    const uint32_t n = shorter < PROBE ? (uint32_t)shorter : PROBE;
    uint64_t equal[PD_SPELLING_CODES + 1] = {0}, plus = ~(uint64_t)0, minus = 0;
    if (n < PD_GROW_LEAST)
        return false;
    for (uint32_t k = 0; k < n; k++)
        equal[a->v[k]] |= (uint64_t)1 << k;
    uint32_t edits = n, least = n;
    for (size_t j = 0; j < b->n && j < 2 * PROBE; j++) {
        const uint64_t eq = equal[b->v[j]];
        const uint64_t diagonal = (((eq & plus) + plus) ^ plus) | eq | minus;
        uint64_t up = minus | ~(diagonal | plus), down = plus & diagonal;
        edits += up >> (n - 1) & 1;
        edits -= down >> (n - 1) & 1;
        least = pd_min_u32(least, edits);
        up = up << 1 | 1; /* a prefix of b begins with its first letter */
        down <<= 1;
        plus = down | ~(diagonal | up);
        minus = up & diagonal;
    }
    return 8 * least <= PROBE_EIGHTHS * n;
}

/* The place of the greatest score, in letters of both rows, and that score. */
struct place {
    int32_t score;
    uint32_t i, j;
};

/* Score all alignments within the band, until the score has dropped too far. */
static struct place align(const struct pd_letters *a, const struct pd_letters *b)
{
    /* scores of row i: row[k] is that of j = i + k - PD_GROW_BAND */
    int32_t row[WIDTH + 1];
    struct place best = {0, 0, 0};
    for (int k = 0; k <= WIDTH; k++) /* beyond the band lies one place that never is an alignment */
        row[k] = k < PD_GROW_BAND || k == WIDTH ? NONE : PD_GROW_BAND - k;
    for (uint32_t i = 1; i <= a->n; i++) {
        int32_t most = NONE, before = NONE;
        for (int k = 0; k < WIDTH; k++) {
            const int64_t j = (int64_t)i + k - PD_GROW_BAND;
            int32_t score = row[k + 1] - 1; /* the letter of a stands alone */
            if (j > 0 && j <= (int64_t)b->n) {
                const int32_t both = row[k] + (a->v[i - 1] == b->v[j - 1] ? 1 : -1);
                score = score > both ? score : both;
                score = score > before - 1 ? score : before - 1;
            }
            score = j < 0 || j > (int64_t)b->n ? NONE : score;
            before = row[k] = score;
            most = most > score ? most : score;
            if (score > best.score)
                best = (struct place){score, i, (uint32_t)j};
        }
        const int32_t half = best.score / 2;
        if (most < best.score - DROP - (half < DROP_MORE ? half : DROP_MORE))
            break;
    }
    return best;
}

struct pd_growth pd_grow(struct pd_growing *g, struct pd_beyond_words a, struct pd_beyond_words b)
{
    const struct pd_growth none = {0, 0};
    const struct pd_beyond_words words[2] = {a, b};
    for (int side = 0; side < 2; side++)
        write_letters(&g->letters[side], words[side], 2 * PROBE);
    if (!probe(&g->letters[0], &g->letters[1]))
        return none;
    for (int side = 0; side < 2; side++)
        write_letters(&g->letters[side], words[side], SIZE_MAX);
    const struct place end = align(&g->letters[0], &g->letters[1]);
    const struct pd_growth growth = {words_in(a, end.i), words_in(b, end.j)};
    return end.score < PD_GROW_LEAST || !growth.a || !growth.b ? none : growth;
}

void pd_growing_release(struct pd_growing *g)
{
    for (int side = 0; side < 2; side++)
        pd_letters_release(&g->letters[side]);
}

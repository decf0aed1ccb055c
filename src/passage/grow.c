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
    LANES = 32,        /* cells that are scored at once; the band has 25 on each second diagonal */
    AHEAD = 128,       /* letters that are written at once */
    SCALE = 64,        /* of scores: what is below tells the cells of a row apart */
    NONE = INT32_MIN / 2 /* the score of what is no alignment */
};

/* The letters of a word; at most PD_SPELLING_LETTERS. No letter is 0. */
static uint32_t letters_of(uint64_t spelling)
{
    const int bits = spelling ? 64 - __builtin_clzll(spelling) : 0;
    return (uint32_t)(bits + PD_SPELLING_BITS - 1) / PD_SPELLING_BITS;
}

/*
 * Letters of words, from the end outward. Letter k is first[step * k]. Places before letter 0 and
 * behind the last letter are `none`, which is in no other row.
 */
struct row {
    int32_t *first;
    int step;
    int32_t none;
    struct pd_beyond_words words;
    uint32_t next; /* word that is not yet written */
    uint32_t n;    /* letters that are written */
};

/* step: 1 or -1, so that two rows can be read against each other. */
static struct row begin_row(struct pd_letters *room, struct pd_beyond_words words, int step)
{
    const size_t most = (size_t)words.n * PD_SPELLING_LETTERS + 2 * AHEAD + 3 * LANES;
    pd_letters_reserve(room, most);
    struct row r = {
        room->v + (step > 0 ? LANES : most - LANES - 1), step, step > 0 ? -1 : 0, words, 0, 0};
    for (int k = 1; k <= LANES; k++)
        r.first[-k * step] = r.none;
    return r;
}

/* Write at least `most` letters, or all letters, and then `none`. */
static void write_letters(struct row *r, uint32_t most)
{
    for (; r->next < r->words.n && r->n < most; r->next++) {
        const uint64_t spelling = r->words.v[(ptrdiff_t)r->next * r->words.step];
        const uint32_t n = letters_of(spelling);
        for (uint32_t m = 0; m < n; m++) {
            const uint32_t at = r->words.step > 0 ? m : n - 1 - m;
            r->first[(ptrdiff_t)r->n++ * r->step] =
                (int32_t)(spelling >> PD_SPELLING_BITS * at & PD_SPELLING_CODES);
        }
    }
    for (uint32_t k = r->n; k < most; k++)
        r->first[(ptrdiff_t)k * r->step] = r->none;
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
static bool probe(const struct row *a, const struct row *b)
{
    const uint32_t n = pd_min_u32(pd_min_u32(a->n, b->n), PROBE);
    uint64_t equal[PD_SPELLING_CODES + 1] = {0}, plus = ~(uint64_t)0, minus = 0;
    if (n < PD_GROW_LEAST)
        return false;
    for (uint32_t k = 0; k < n; k++)
        equal[a->first[(ptrdiff_t)k * a->step]] |= (uint64_t)1 << k;
    /* A prefix of b that is longer than n by more than the edits allowed is farther away. */
    const uint32_t allowed = PROBE_EIGHTHS * n / 8, most = pd_min_u32(b->n, n + allowed);
    uint32_t edits = n;
    for (uint32_t j = 0; j < most && edits > allowed; j++) {
        const uint64_t eq = equal[b->first[(ptrdiff_t)j * b->step]];
        const uint64_t diagonal = (((eq & plus) + plus) ^ plus) | eq | minus;
        uint64_t up = minus | ~(diagonal | plus), down = plus & diagonal;
        edits += up >> (n - 1) & 1;
        edits -= down >> (n - 1) & 1;
        up = up << 1 | 1; /* a prefix of b begins with its first letter */
        down <<= 1;
        plus = down | ~(diagonal | up);
        minus = up & diagonal;
    }
    return edits <= allowed;
}

/* The place of the greatest score, in letters of both rows, and that score. */
struct place {
    int32_t score;
    uint32_t i, j;
};

/*
 * Score the cells of one diagonal i + j from the two diagonals before. Cell k has a letter more
 * of a than cell k - 1, and a letter less of b.
 *   to      the diagonal two before; receives the scores
 *   before  the diagonal before: [k] lacks the last letter of a, [k + 1] the last letter of b
 *   cells   of the band
 *   most    greatest score of the rows of these cells, times SCALE, with the place in its row
 *   key     of cell 0
 */
static inline __attribute__((always_inline)) void
score_diagonal(int32_t *restrict to, const int32_t *restrict before, int cells,
               const int32_t *restrict a, const int32_t *restrict b, int32_t *restrict most,
               int key)
{
    for (int k = 0; k < LANES; k++) {
        const int32_t both = to[k] + (a[k] == b[k] ? SCALE : -SCALE);
        const int32_t longer = before[k] > before[k + 1] ? before[k] : before[k + 1];
        int32_t score = both > longer - SCALE ? both : longer - SCALE;
        score = k < cells ? score : NONE;
        to[k] = score;
        score += key + 2 * k;
        most[k] = most[k] > score ? most[k] : score;
    }
}

/*
 * Score all alignments within the band, until the score has dropped too far. They are scored by
 * diagonals, whose cells do not depend on each other. Row i is whole with the diagonal
 * i + j = 2 i + PD_GROW_BAND.
 */
static inline __attribute__((always_inline)) struct place score_all(struct pd_letters *rows,
                                                                    struct row *a, struct row *b)
{
    /* even[k]: i - j = 2 k - PD_GROW_BAND; odd[k]: i - j = 2 k - PD_GROW_BAND - 1, odd[0] is none */
    int32_t even[LANES + 1], odd[LANES + 2];
    struct place best = {0, 0, 0};
    const int first = 1 - PD_GROW_BAND / 2; /* its diagonals are the first ones */
    pd_letters_reserve(rows, (size_t)a->words.n * PD_SPELLING_LETTERS + 2 * AHEAD + 3 * LANES);
    int32_t *const most = rows->v + LANES; /* of each row, times SCALE, and its place in the row */
    for (int k = -LANES; k < LANES; k++)
        most[k] = NONE;
    for (int k = 0; k <= LANES; k++)
        even[k] = odd[k] = NONE;
    odd[LANES + 1] = NONE;
    even[PD_GROW_BAND / 2] = 0;
    uint32_t ready = 0;
    for (int i = first;; i++) {
        if (i >= (int)ready) {
            for (uint32_t k = ready + LANES; k < ready + AHEAD + LANES; k++)
                most[k] = NONE;
            ready += AHEAD;
            write_letters(a, ready + LANES);
            write_letters(b, ready + LANES);
        }
        if (i > (int)a->n || i > (int)b->n + PD_GROW_BAND)
            break;
        score_diagonal(odd + 1, even, PD_GROW_BAND, a->first + i - 1,
                       b->first - (i + PD_GROW_BAND - 2), most + i, 1);
        score_diagonal(even, odd, PD_GROW_BAND + 1, a->first + i - 1,
                       b->first - (i + PD_GROW_BAND - 1), most + i, 0);
        if (i < 1)
            continue;
        const int32_t score = most[i] >> 6;
        if (score > best.score)
            best = (struct place){score, (uint32_t)i,
                                  (uint32_t)(i + PD_GROW_BAND - (most[i] & (SCALE - 1)))};
        const int32_t half = best.score / 2;
        if (score < best.score - DROP - (half < DROP_MORE ? half : DROP_MORE))
            break;
    }
    return best;
}

#ifdef __SSE2__
__attribute__((target("avx2"))) static struct place align_wide(struct pd_letters *rows,
                                                               struct row *a, struct row *b)
{
    return score_all(rows, a, b);
}
#endif

static struct place align(struct pd_letters *rows, struct row *a, struct row *b)
{
#ifdef __SSE2__
    if (__builtin_cpu_supports("avx2"))
        return align_wide(rows, a, b);
#endif
    return score_all(rows, a, b);
}

struct pd_growth pd_grow(struct pd_growing *g, struct pd_beyond_words a, struct pd_beyond_words b)
{
    const struct pd_growth none = {0, 0};
    struct row x = begin_row(&g->letters[0], a, 1), y = begin_row(&g->letters[1], b, -1);
    write_letters(&x, PROBE);
    write_letters(&y, PROBE + PROBE_EIGHTHS * PROBE / 8);
    if (!probe(&x, &y))
        return none;
    const struct place end = align(&g->rows, &x, &y);
    const struct pd_growth growth = {words_in(a, end.i), words_in(b, end.j)};
    return end.score < PD_GROW_LEAST || !growth.a || !growth.b ? none : growth;
}

void pd_growing_release(struct pd_growing *g)
{
    for (int side = 0; side < 2; side++)
        pd_letters_release(&g->letters[side]);
    pd_letters_release(&g->rows);
}

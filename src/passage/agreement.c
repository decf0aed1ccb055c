/* passage/agreement.c - see include/pardup/passage/agreement.h */
#include "pardup/passage/agreement.h"

#include <string.h>

#include "pardup/base/minmax.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "sequence.h"
#include "sequence_match.h"

enum {
    COLUMNS = PD_BITS,           /* pairs of words that are compared at once */
    CELLS_COUNTED = 4 * COLUMNS, /* pairs that are compared while one step of the edits is made */
    CELLS_NOTED = COLUMNS,       /* the same, if partners are wanted, too */
    IN_A = 0,
    IN_B = 1,     /* sides of a sorted word */
    WORD_U64S = 2 /* u64s of a sorted word: its term; its side and place */
};

/* ---- equal words at both ends ---- */

/* Note that n words from a on match n words from b on, if partners are wanted. */
static void note(struct pd_agreement *g, const uint64_t *a, const uint64_t *b, uint64_t n)
{
    if (!g->at)
        return;
    const size_t i = (size_t)(a - g->first_a), j = (size_t)(b - g->first_b);
    for (size_t k = 0; k < n; k++)
        g->at[j + k] = (uint32_t)(i + k + 1);
}

/* Leave out the equal words at the begin and the end of both. Returns how many there were. */
static uint64_t strip(struct pd_agreement *g, struct pd_spoken *a, struct pd_spoken *b)
{
    const uint32_t least = pd_min_u32(a->n, b->n);
    uint32_t begin = 0, end = 0;
    if (least == 0) /* without words, there may be no memory */
        return 0;
    while (begin < least && a->terms[begin] == b->terms[begin])
        begin++;
    while (end < least - begin && a->terms[a->n - 1 - end] == b->terms[b->n - 1 - end])
        end++;
    note(g, a->terms, b->terms, begin);
    note(g, a->terms + a->n - end, b->terms + b->n - end, end);
    a->terms += begin;
    b->terms += begin;
    a->n -= begin + end;
    b->n -= begin + end;
    return (uint64_t)begin + end;
}

/* ---- few edits ---- */

/* Where in g->trace the diagonals after d edits begin: d + 1 of them, from -d to d. */
static size_t traced(size_t d) { return d * (d + 1) / 2; }

/* Keep how far the diagonals reach after d edits. */
static void trace(struct pd_agreement *g, const uint64_t *v, int64_t d)
{
    pd_word_codes_reserve(&g->trace, traced((size_t)d + 1));
    uint32_t *to = g->trace.v + traced((size_t)d);
    for (int64_t k = -d; k <= d; k += 2)
        *to++ = (uint32_t)v[k];
    g->trace.n = traced((size_t)d + 1);
}

/* Go back over the d edits that make a of b, and note the words between them. */
static void go_back(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b, int64_t d)
{
    int64_t x = a.n, y = b.n;
    for (; d > 0; d--) {
        const uint32_t *const v = g->trace.v + traced((size_t)d - 1); /* from diagonal -d + 1 on */
        const int64_t k = x - y, at = (k + d) / 2; /* v[at] is diagonal k + 1, v[at - 1] k - 1 */
        const bool down = k == -d || (k != d && v[at - 1] < v[at]);
        const int64_t to_x = down ? v[at] : v[at - 1], to_y = to_x - (down ? k + 1 : k - 1);
        const int64_t from_x = down ? to_x : to_x + 1, from_y = from_x - k;
        note(g, a.terms + from_x, b.terms + from_y, (uint64_t)(x - from_x));
        x = to_x;
        y = to_y;
    }
    note(g, a.terms, b.terms, (uint64_t)x);
}

/*
 * The least number of insertions and deletions that make a of b, if it is at most `most`; otherwise
 * UINT64_MAX. g->ahead has for each diagonal x - y how many words of a the farthest way reaches.
 */
static uint64_t edits(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b, uint32_t most)
{
    pd_u64s_reserve(&g->ahead, 2 * (size_t)most + 3);
    uint64_t *const v = g->ahead.v + most + 1; /* index 0 is diagonal 0 */
    v[1] = 0;
    for (int64_t d = 0; d <= (int64_t)most; d++) {
        for (int64_t k = -d; k <= d; k += 2) {
            uint64_t x = k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;
            int64_t y = (int64_t)x - k;
            while (x < a.n && y < (int64_t)b.n && a.terms[x] == b.terms[y]) {
                x++;
                y++;
            }
            v[k] = x;
            if (x >= a.n && y >= (int64_t)b.n) {
                if (g->at)
                    go_back(g, a, b, d);
                return (uint64_t)d;
            }
        }
        if (g->at)
            trace(g, v, d);
    }
    return UINT64_MAX;
}

/* ---- pivots ---- */

/* Sort the words of both by term, side and place, into g->sorted. */
static void sort_words(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b)
{
    pd_u64s_reserve(&g->sorted, WORD_U64S * ((size_t)a.n + b.n));
    uint64_t *to = g->sorted.v;
    for (uint32_t i = 0; i < a.n; i++, to += WORD_U64S) {
        to[0] = a.terms[i];
        to[1] = pd_ij(IN_A, i);
    }
    for (uint32_t j = 0; j < b.n; j++, to += WORD_U64S) {
        to[0] = b.terms[j];
        to[1] = pd_ij(IN_B, j);
    }
    g->sorted.n = (size_t)(to - g->sorted.v);
    pd_sort_records(g->sorted.v, g->sorted.n / WORD_U64S, WORD_U64S, WORD_U64S);
}

/* The end of the words of g->sorted that are equal to word `at`; *b: the first of them in b. */
static size_t equal_words(const struct pd_agreement *g, size_t at, size_t *b)
{
    const uint64_t *const v = g->sorted.v, term = v[WORD_U64S * at];
    const size_t n = g->sorted.n / WORD_U64S;
    size_t end = at;
    while (end < n && v[WORD_U64S * end] == term && v[WORD_U64S * end + 1] >> 32 == IN_A)
        end++;
    *b = end;
    while (end < n && v[WORD_U64S * end] == term)
        end++;
    return end;
}

static uint32_t place(const struct pd_agreement *g, size_t word)
{
    return (uint32_t)g->sorted.v[WORD_U64S * word + 1];
}

/*
 * Push the words that stand once in a and once in b to g->pivots, in order of their places in a.
 * Returns how many.
 */
static size_t list_pivots(struct pd_agreement *g)
{
    const size_t n = g->sorted.n / WORD_U64S, before = g->pivots.n;
    for (size_t at = 0, in_b, end; at < n; at = end) {
        end = equal_words(g, at, &in_b);
        if (in_b == at + 1 && end == in_b + 1)
            pd_u64s_push(&g->pivots, pd_ij(place(g, at), place(g, in_b)));
    }
    if (g->pivots.n > before)
        pd_sort_records(g->pivots.v + before, g->pivots.n - before, 1, 1);
    return g->pivots.n - before;
}

/* How many of the n pivots whose indices are in `tops` have a lower place in b than `place_b`. */
static size_t pile_of(const uint64_t *pivots, const uint64_t *tops, size_t n, uint32_t place_b)
{
    size_t lo = 0, hi = n;
    PD_BISECT(lo, hi, mid, (uint32_t)pivots[tops[mid]] < place_b);
    return lo;
}

/*
 * Keep of the last n pivots a longest chain that ascends in b. Each pivot in turn goes to the
 * first pile whose top is not before it in b, and remembers the top of the pile before. The chain
 * leads back from the top of the last pile. Returns its length.
 */
static size_t chain_pivots(struct pd_agreement *g, size_t n)
{
    if (!n)
        return 0;
    uint64_t *const pivots = g->pivots.v + (g->pivots.n - n);
    size_t piles = 0;
    pd_u64s_reserve(&g->bits, 2 * n);
    uint64_t *const tops = g->bits.v, *const before = tops + n;
    for (size_t k = 0; k < n; k++) {
        const size_t pile = pile_of(pivots, tops, piles, (uint32_t)pivots[k]);
        before[k] = pile ? tops[pile - 1] : 0;
        tops[pile] = k;
        piles += pile == piles;
    }
    for (size_t left = piles, k = tops[piles - 1]; left > 0; left--, k = before[k])
        tops[left - 1] = k;
    for (size_t k = 0; k < piles; k++)
        pivots[k] = pivots[tops[k]];
    g->pivots.n -= n - piles;
    return piles;
}

static uint64_t agreed(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                       unsigned depth);

static struct pd_spoken part(struct pd_spoken of, uint32_t from, uint32_t to)
{
    return (struct pd_spoken){of.terms + from, to - from};
}

/* agreed() of the stretches between pivots, and the pivots. Returns 0 if there is no pivot. */
static uint64_t divide_at_pivots(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                                 unsigned depth)
{
    const size_t first = g->pivots.n;
    sort_words(g, a, b);
    const size_t n = chain_pivots(g, list_pivots(g));
    uint32_t i = 0, j = 0;
    uint64_t sum = n;
    for (size_t k = 0; k < n && !g->stopped; k++) {
        const uint64_t pivot = g->pivots.v[first + k];
        const uint32_t at_a = (uint32_t)(pivot >> 32), at_b = (uint32_t)pivot;
        note(g, a.terms + at_a, b.terms + at_b, 1);
        sum += agreed(g, part(a, i, at_a), part(b, j, at_b), depth + 1);
        i = at_a + 1;
        j = at_b + 1;
    }
    if (n)
        sum += agreed(g, part(a, i, a.n), part(b, j, b.n), depth + 1);
    g->pivots.n = first;
    return sum;
}

static uint64_t divide(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                       unsigned depth)
{
    const uint32_t i = a.n / 2, j = b.n / 2;
    const uint64_t sum = depth < PD_AGREEMENT_DEPTH ? divide_at_pivots(g, a, b, depth) : 0;
    if (sum > 0 || pd_agreement_stops(g))
        return sum;
    return agreed(g, part(a, 0, i), part(b, 0, j), depth + 1) +
           agreed(g, part(a, i, a.n), part(b, j, b.n), depth + 1);
}

/*
 * The most edits to look for. If all pairs of words can be compared instead, the search takes no
 * longer than that comparison, which is slower if partners are wanted.
 */
static uint32_t most_edits(const struct pd_agreement *g, uint64_t cells, bool exact)
{
    const uint64_t cells_of_step = g->at ? CELLS_NOTED : CELLS_COUNTED;
    uint32_t most = PD_AGREEMENT_EDITS;
    while (exact && most * most * cells_of_step > cells)
        most /= 2;
    return most;
}

/* All pairs of words. */
static uint64_t compare_all(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b)
{
    if (g->at)
        return pd_match_sequence(g, a, b);
    return a.n < b.n ? pd_common_sequence(g, b, a) : pd_common_sequence(g, a, b);
}

static uint64_t agreed(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                       unsigned depth)
{
    const uint64_t ends = strip(g, &a, &b);
    const uint64_t cells = (uint64_t)a.n * b.n;
    if (cells == 0 || g->stopped)
        return ends;
    const uint32_t longer = pd_max_u32(a.n, b.n), shorter = pd_min_u32(a.n, b.n);
    const bool exact = cells <= g->exact_cells;
    if (!g->at && (cells <= PD_FEW_PAIRS || (exact && shorter <= COLUMNS)))
        return ends + compare_all(g, a, b);
    const uint32_t most = most_edits(g, cells, exact);
    if (longer - shorter <= most) { /* no fewer edits make them equal */
        const uint64_t d = edits(g, a, b, most);
        if (d != UINT64_MAX)
            return ends + ((uint64_t)a.n + b.n - d) / 2;
    }
    if (exact)
        return ends + compare_all(g, a, b);
    return ends + (pd_agreement_stops(g) ? 0 : divide(g, a, b, depth));
}

uint64_t pd_agreement_match(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                            uint32_t *at)
{
    g->pivots.n = 0;
    g->stopped = false;
    g->at = at;
    g->first_a = a.terms;
    g->first_b = b.terms;
    if (at && b.n) /* memset may not be given NULL */
        memset(at, 0, b.n * sizeof *at);
    return agreed(g, a, b, 0);
}

uint64_t pd_agreement_words(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b)
{
    return pd_agreement_match(g, a, b, NULL);
}

void pd_agreed_set(struct pd_row *row, struct pd_agreed words, uint32_t edge_words)
{
    const uint32_t in_a = words.in_a + edge_words, in_b = words.in_b + edge_words;
    row->words = pd_ij(in_a, in_b);
    row->agreement = words.in_both == pd_max_u32(words.in_a, words.in_b)
                         ? 1
                         : (double)(words.in_both + edge_words) / (double)pd_max_u32(in_a, in_b);
}

void pd_agreement_release(struct pd_agreement *g)
{
    PD_RELEASE(pd_u64s, &g->sorted, &g->bits);
    pd_word_codes_release(&g->slots);
    pd_u64s_release(&g->terms);
    pd_word_codes_release(&g->numbers);
    PD_RELEASE(pd_u64s, &g->vectors, &g->words);
    pd_word_codes_release(&g->places);
    PD_RELEASE(pd_u64s, &g->ahead, &g->pivots);
    PD_RELEASE(pd_word_codes, &g->trace, &g->turned, &g->lengths);
    pd_u64s_release(&g->rows);
}

/* passage/agreement.c - see include/pardup/passage/agreement.h */
#include "pardup/passage/agreement.h"

#include <string.h>

#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"

enum {
    BITS = 64,         /* columns in a u64 of a vector */
    FEW_PAIRS = 256,   /* most pairs of words that are compared one by one */
    FILTER_SPARSE = 4, /* a filter has at least 2^3 bits for each word */
    STEPS = 1 << 24,   /* u64s of vectors between two questions whether to stop */
    IN_A = 0,
    IN_B = 1,      /* sides of a sorted word */
    WORD_U64S = 2, /* u64s of a sorted word: its term; its side and place */
    SLOT_U64S =
        2 /* u64s of a slot of the table: a term; what is known of it, 0: the slot is free */
};

#define DENSE UINT32_MAX /* in place of how many places: see make_dense() */

static bool stops(struct pd_agreement *g)
{
    if (!g->stopped && g->stopping && g->stopping())
        g->stopped = true;
    return g->stopped;
}

/* ---- equal words at both ends ---- */

/* Leave out the equal words at the begin and the end of both. Returns how many there were. */
static uint64_t strip(struct pd_spoken *a, struct pd_spoken *b)
{
    const uint32_t least = pd_min_u32(a->n, b->n);
    uint32_t begin = 0, end = 0;
    while (begin < least && a->terms[begin] == b->terms[begin])
        begin++;
    while (end < least - begin && a->terms[a->n - 1 - end] == b->terms[b->n - 1 - end])
        end++;
    a->terms += begin;
    b->terms += begin;
    a->n -= begin + end;
    b->n -= begin + end;
    return (uint64_t)begin + end;
}

/* ---- few edits ---- */

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
            if (x >= a.n && y >= (int64_t)b.n)
                return (uint64_t)d;
        }
    }
    return UINT64_MAX;
}

/* ---- all pairs of words ---- */

/*
 * One step of Hyyro: the columns whose zeros are the longest common subsequence so far take a word
 * that stands in b where `match` has ones.
 */
static inline uint64_t step(uint64_t columns, uint64_t match, uint64_t *carry)
{
    uint64_t sum;
    const bool over = __builtin_add_overflow(columns, columns & match, &sum);
    *carry = over | __builtin_add_overflow(sum, *carry, &sum);
    return sum | (columns & ~match);
}

static uint64_t zeros(const uint64_t *columns, uint32_t n)
{
    uint64_t ones = 0;
    for (uint32_t k = 0; k < n; k += BITS) {
        const uint32_t left = n - k;
        const uint64_t mask = left < BITS ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
        ones += (uint64_t)__builtin_popcountll(columns[k / BITS] & mask);
    }
    return n - ones;
}

/* The longest common subsequence, for at most BITS words of b, each compared with all of a. */
static uint64_t compare_few(struct pd_spoken a, struct pd_spoken b)
{
    uint64_t columns = UINT64_MAX;
    for (uint32_t i = 0; i < a.n; i++) {
        uint64_t match = 0, carry = 0;
        for (uint32_t j = 0; j < b.n; j++)
            match |= (uint64_t)(a.terms[i] == b.terms[j]) << j;
        columns = step(columns, match, &carry);
    }
    return zeros(&columns, b.n);
}

/* ---- all pairs of words, by a table of the words of b ---- */

/* The words of b by term. Slots are searched from a hash of the term on. */
struct table {
    uint64_t *slots;
    unsigned shift; /* of the hash, so that a slot is left */
    size_t mask;    /* slots, which are a power of two, less one */
};

/* Make the table, without words, with room for n > 0 words. */
static struct table make_table(struct pd_agreement *g, uint32_t n)
{
    const unsigned bits = (unsigned)(BITS + 1 - __builtin_clzll(n)); /* at most half is full */
    const size_t slots = (size_t)1 << bits;
    pd_u64s_reserve(&g->table, SLOT_U64S * slots);
    memset(g->table.v, 0, SLOT_U64S * slots * sizeof *g->table.v);
    return (struct table){g->table.v, BITS - bits, slots - 1};
}

/* The slot of the term, or the free slot where it belongs. */
static inline uint64_t *find_slot(const struct table *t, uint64_t term)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u; /* 2^64 divided by the golden ratio */
    size_t k = (size_t)(term * odd >> t->shift);
    while (t->slots[SLOT_U64S * k + 1] != 0 && t->slots[SLOT_U64S * k] != term)
        k = (k + 1) & t->mask;
    return &t->slots[SLOT_U64S * k];
}

/*
 * The longest common subsequence, for at most BITS words of b. A slot has the bits of its places.
 */
static uint64_t compare_one_vector(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b)
{
    const struct table table = make_table(g, b.n);
    uint64_t columns = UINT64_MAX;
    for (uint32_t j = 0; j < b.n; j++) {
        uint64_t *slot = find_slot(&table, b.terms[j]);
        slot[0] = b.terms[j];
        slot[1] |= (uint64_t)1 << j;
    }
    for (uint32_t i = 0; i < a.n; i++) {
        uint64_t carry = 0;
        columns = step(columns, find_slot(&table, a.terms[i])[1], &carry);
    }
    return zeros(&columns, b.n);
}

/* Set the bits of `match` at a place of b and the places that follow it in g->places. */
static void set_bits(const struct pd_agreement *g, uint32_t place1, uint64_t *match)
{
    for (uint32_t j = place1; j > 0; j = (uint32_t)g->places.v[j - 1])
        match[(j - 1) / BITS] |= (uint64_t)1 << (j - 1) % BITS;
}

/*
 * Make the vector of a word that stands in b more than `width` times, once, since it takes longer
 * than a comparison. Its slot gets pd_ij(DENSE, where the vector begins in g->dense).
 */
static void make_dense(struct pd_agreement *g, size_t width, uint64_t *slot)
{
    const size_t at = g->dense.n;
    pd_u64s_reserve(&g->dense, at + width);
    g->dense.n += width;
    memset(g->dense.v + at, 0, width * sizeof *g->dense.v);
    set_bits(g, (uint32_t)slot[1], g->dense.v + at);
    slot[1] = pd_ij(DENSE, (uint32_t)at);
}

/*
 * Make the table of the words of b. A slot has pd_ij(how many places, the first place + 1), and
 * g->places has the next place + 1 for each place, or 0. Frequent words have vectors instead.
 */
static struct table list_places(struct pd_agreement *g, size_t width, struct pd_spoken b)
{
    const struct table table = make_table(g, b.n);
    uint64_t *frequent[BITS]; /* slots of words with more than `width` places: fewer than BITS */
    unsigned n = 0;
    pd_u64s_reserve(&g->places, b.n);
    for (uint32_t j = b.n; j > 0; j--) {
        uint64_t *slot = find_slot(&table, b.terms[j - 1]);
        const uint64_t places = (slot[1] >> 32) + 1;
        slot[0] = b.terms[j - 1];
        g->places.v[j - 1] = (uint32_t)slot[1];
        slot[1] = pd_ij((uint32_t)places, j);
        if (places == width + 1)
            frequent[n++] = slot;
    }
    g->dense.n = 0;
    for (unsigned k = 0; k < n; k++)
        make_dense(g, width, frequent[k]);
    return table;
}

/* Take a word that stands in b where `match` has ones. */
static void take_dense(uint64_t *columns, const uint64_t *match, size_t width)
{
    uint64_t carry = 0;
    for (size_t k = 0; k < width; k++)
        columns[k] = step(columns[k], match[k], &carry);
}

/* Carry into the columns from u64 k on, up to u64 `end`. Most often the first one takes it up. */
static inline void take_carry(uint64_t *columns, size_t k, size_t end, uint64_t *carry)
{
    for (; *carry && k < end; k++)
        columns[k] = step(columns[k], 0, carry);
}

/*
 * Take a word that stands at a place of b and the places that follow it. A u64 without a place
 * changes only if a carry comes into it.
 */
static void take_places(uint64_t *columns, const uint64_t *places, uint32_t place1, size_t width)
{
    uint64_t carry = 0;
    size_t k = 0;
    for (uint32_t j = place1; j > 0; k++) {
        const size_t at = (j - 1) / BITS;
        uint64_t match = 0;
        take_carry(columns, k, at, &carry);
        for (k = at; j > 0 && (j - 1) / BITS == at; j = (uint32_t)places[j - 1])
            match |= (uint64_t)1 << (j - 1) % BITS;
        columns[at] = step(columns[at], match, &carry);
    }
    take_carry(columns, k, width, &carry);
}

/* The longest common subsequence. */
static uint64_t compare_all(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b)
{
    const size_t width = ((size_t)b.n + BITS - 1) / BITS;
    const struct table table = list_places(g, width, b);
    size_t done = 0; /* u64s since the last question whether to stop */
    pd_u64s_reserve(&g->bits, width);
    uint64_t *const columns = g->bits.v;
    memset(columns, 0xFF, width * sizeof *columns);
    for (uint32_t i = 0; i < a.n; i++) {
        const uint64_t places = find_slot(&table, a.terms[i])[1];
        const uint32_t first = (uint32_t)places; /* or where the vector begins */
        if (places >> 32 == DENSE)
            take_dense(columns, g->dense.v + first, width);
        else
            take_places(columns, g->places.v, first, width);
        if ((done += width) >= STEPS) {
            done = 0;
            if (stops(g))
                return 0;
        }
    }
    return zeros(columns, b.n);
}

/* ---- words of both ---- */

/* The bit of a filter that a term falls on. */
static inline uint64_t bit_of(uint64_t term, unsigned shift)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u; /* 2^64 divided by the golden ratio */
    return term * odd >> shift;
}

/*
 * The words of `of` that can stand in `other`, by one bit for each term: all words that stand in
 * it, and few others. Writes them to `to`, which has room for all words of `of`.
 */
static struct pd_spoken keep_common(struct pd_agreement *g, struct pd_spoken of,
                                    struct pd_spoken other, uint64_t *to)
{
    const unsigned bits = (unsigned)(BITS + FILTER_SPARSE - __builtin_clzll(other.n | BITS));
    const unsigned shift = BITS - bits;
    const size_t u64s = ((size_t)1 << bits) / BITS;
    pd_u64s_reserve(&g->filter, u64s);
    uint64_t *const filter = g->filter.v;
    memset(filter, 0, u64s * sizeof *filter);
    for (uint32_t k = 0; k < other.n; k++) {
        const uint64_t bit = bit_of(other.terms[k], shift);
        filter[bit / BITS] |= (uint64_t)1 << bit % BITS;
    }
    uint32_t n = 0;
    for (uint32_t k = 0; k < of.n; k++) {
        const uint64_t bit = bit_of(of.terms[k], shift);
        to[n] = of.terms[k];
        n += filter[bit / BITS] >> bit % BITS & 1;
    }
    return (struct pd_spoken){to, n};
}

/* The longest common subsequence. Words that stand in one text only are left out first. */
static uint64_t compare_common(struct pd_agreement *g, struct pd_spoken longer,
                               struct pd_spoken shorter)
{
    pd_u64s_reserve(&g->common, (size_t)longer.n + shorter.n);
    const struct pd_spoken a = keep_common(g, longer, shorter, g->common.v);
    if (a.n == 0)
        return 0;
    const struct pd_spoken b = keep_common(g, shorter, a, g->common.v + a.n);
    if (b.n == 0)
        return 0;
    const struct pd_spoken rows = a.n < b.n ? b : a, columns = a.n < b.n ? a : b;
    return columns.n <= BITS ? compare_one_vector(g, rows, columns) : compare_all(g, rows, columns);
}

/* ---- anchors ---- */

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
 * Push the words that stand once in a and once in b to g->anchors, in order of their places in a.
 * Returns how many.
 */
static size_t list_anchors(struct pd_agreement *g)
{
    const size_t n = g->sorted.n / WORD_U64S, before = g->anchors.n;
    for (size_t at = 0, in_b, end; at < n; at = end) {
        end = equal_words(g, at, &in_b);
        if (in_b == at + 1 && end == in_b + 1)
            pd_u64s_push(&g->anchors, pd_ij(place(g, at), place(g, in_b)));
    }
    if (g->anchors.n > before)
        pd_sort_records(g->anchors.v + before, g->anchors.n - before, 1, 1);
    return g->anchors.n - before;
}

/* How many of the n anchors whose indices are in `tops` have a lower place in b than `place_b`. */
static size_t pile_of(const uint64_t *anchors, const uint64_t *tops, size_t n, uint32_t place_b)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if ((uint32_t)anchors[tops[mid]] < place_b)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*
 * Keep of the last n anchors a longest chain that ascends in b. Each anchor in turn goes to the
 * first pile whose top is not before it in b, and remembers the top of the pile before. The chain
 * leads back from the top of the last pile. Returns its length.
 */
static size_t chain_anchors(struct pd_agreement *g, size_t n)
{
    if (!n)
        return 0;
    uint64_t *const anchors = g->anchors.v + (g->anchors.n - n);
    size_t piles = 0;
    pd_u64s_reserve(&g->bits, 2 * n);
    uint64_t *const tops = g->bits.v, *const before = tops + n;
    for (size_t k = 0; k < n; k++) {
        const size_t pile = pile_of(anchors, tops, piles, (uint32_t)anchors[k]);
        before[k] = pile ? tops[pile - 1] : 0;
        tops[pile] = k;
        piles += pile == piles;
    }
    for (size_t left = piles, k = tops[piles - 1]; left > 0; left--, k = before[k])
        tops[left - 1] = k;
    for (size_t k = 0; k < piles; k++)
        anchors[k] = anchors[tops[k]];
    g->anchors.n -= n - piles;
    return piles;
}

static uint64_t agreed(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                       unsigned depth);

static struct pd_spoken part(struct pd_spoken of, uint32_t from, uint32_t to)
{
    return (struct pd_spoken){of.terms + from, to - from};
}

/* agreed() of the stretches between anchors, and the anchors. Returns 0 if there is no anchor. */
static uint64_t divide_at_anchors(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                                  unsigned depth)
{
    const size_t first = g->anchors.n;
    sort_words(g, a, b);
    const size_t n = chain_anchors(g, list_anchors(g));
    uint32_t i = 0, j = 0;
    uint64_t sum = n;
    for (size_t k = 0; k < n && !g->stopped; k++) {
        const uint64_t anchor = g->anchors.v[first + k];
        const uint32_t at_a = (uint32_t)(anchor >> 32), at_b = (uint32_t)anchor;
        sum += agreed(g, part(a, i, at_a), part(b, j, at_b), depth + 1);
        i = at_a + 1;
        j = at_b + 1;
    }
    if (n)
        sum += agreed(g, part(a, i, a.n), part(b, j, b.n), depth + 1);
    g->anchors.n = first;
    return sum;
}

static uint64_t divide(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                       unsigned depth)
{
    const uint32_t i = a.n / 2, j = b.n / 2;
    const uint64_t sum = depth < PD_AGREEMENT_DEPTH ? divide_at_anchors(g, a, b, depth) : 0;
    if (sum > 0 || stops(g))
        return sum;
    return agreed(g, part(a, 0, i), part(b, 0, j), depth + 1) +
           agreed(g, part(a, i, a.n), part(b, j, b.n), depth + 1);
}

/*
 * The most edits to look for. If all pairs of words can be compared instead, the search takes no
 * longer than that comparison.
 */
static uint32_t most_edits(uint64_t cells, bool exact)
{
    uint32_t most = PD_AGREEMENT_EDITS;
    while (exact && (uint64_t)most * most * BITS * 4 > cells)
        most /= 2;
    return most;
}

static uint64_t agreed(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b,
                       unsigned depth)
{
    const uint64_t ends = strip(&a, &b);
    const uint64_t cells = (uint64_t)a.n * b.n;
    if (cells == 0 || g->stopped)
        return ends;
    const struct pd_spoken longer = a.n < b.n ? b : a, shorter = a.n < b.n ? a : b;
    const bool exact = cells <= g->exact_cells;
    if (cells <= FEW_PAIRS)
        return ends + compare_few(longer, shorter);
    if (shorter.n <= BITS && exact)
        return ends + compare_one_vector(g, longer, shorter);
    const uint32_t most = most_edits(cells, exact);
    if (longer.n - shorter.n <= most) { /* no fewer edits make them equal */
        const uint64_t d = edits(g, a, b, most);
        if (d != UINT64_MAX)
            return ends + ((uint64_t)a.n + b.n - d) / 2;
    }
    if (exact)
        return ends + compare_common(g, longer, shorter);
    return ends + (stops(g) ? 0 : divide(g, a, b, depth));
}

uint64_t pd_agreement_words(struct pd_agreement *g, struct pd_spoken a, struct pd_spoken b)
{
    g->anchors.n = 0;
    g->stopped = false;
    return agreed(g, a, b, 0);
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
    pd_u64s_release(&g->sorted);
    pd_u64s_release(&g->bits);
    pd_u64s_release(&g->places);
    pd_u64s_release(&g->dense);
    pd_u64s_release(&g->table);
    pd_u64s_release(&g->filter);
    pd_u64s_release(&g->common);
    pd_u64s_release(&g->ahead);
    pd_u64s_release(&g->anchors);
}

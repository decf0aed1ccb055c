/* passage/sequence.c - see sequence.h */
#include "sequence.h"

#include <string.h>

#include "pardup/base/minmax.h"

enum {
    BITS = PD_BITS,
    NARROW = 32,    /* most u64s of vectors that every word of b gets */
    GUESS = 8,      /* at first, all but one in so many words of b are taken to agree */
    SPARSE = 3,     /* the table has at least 2^3 slots for each word */
    STEPS = 1 << 24 /* u64s of vectors between two questions whether to stop */
};

#define DENSE UINT32_MAX /* in place of how many places: see make_dense() */

bool pd_agreement_stops(struct pd_agreement *g)
{
    if (!g->stopped && g->stopping && g->stopping())
        g->stopped = true;
    return g->stopped;
}

/* ---- few words ---- */

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

/* ---- words by number ---- */

/* The different words of a sequence. Slots are searched from a hash of the term on. */
struct table {
    uint32_t *slots; /* the number of a word; 0: the slot is free */
    uint64_t *terms; /* the term of each number; of number 0, the term searched for */
    unsigned shift;  /* of the hash, so that a slot is left */
    size_t mask;     /* slots, which are a power of two, less one */
    uint32_t n;      /* the last number */
};

/* Make the table, without words, with room for n > 0 words. */
static struct table make_table(struct pd_agreement *g, uint32_t n)
{
    const unsigned bits = (unsigned)(BITS + SPARSE - __builtin_clzll(n));
    const size_t slots = (size_t)1 << bits;
    pd_word_codes_reserve(&g->slots, slots);
    pd_u64s_reserve(&g->terms, (size_t)n + 1);
    memset(g->slots.v, 0, slots * sizeof *g->slots.v);
    return (struct table){g->slots.v, g->terms.v, BITS - bits, slots - 1, 0};
}

/*
 * The slot of the term, or the free slot where it belongs. Most often it is the first slot that is
 * looked at, and whether this is free cannot be foretold. Free slots have number 0. Number 0 gets
 * the term first, so that one branch asks for both.
 */
static inline uint32_t *find_slot(const struct table *t, uint64_t term)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u; /* 2^64 divided by the golden ratio */
    size_t k = (size_t)(term * odd >> t->shift);
    t->terms[0] = term;
    while (t->terms[t->slots[k]] != term)
        k = (k + 1) & t->mask;
    return &t->slots[k];
}

/*
 * Write the number of each word of a sequence to `to`. Words that are new get the next numbers,
 * without a branch, as nobody can foretell which words are new.
 */
static void number_all(struct table *t, struct pd_spoken of, uint32_t *to)
{
    for (uint32_t k = 0; k < of.n; k++) {
        uint32_t *const slot = find_slot(t, of.terms[k]);
        const uint32_t fresh = *slot == 0;
        t->n += fresh;
        to[k] = *slot |= t->n & -fresh;
        t->terms[to[k]] = of.terms[k];
    }
}

/*
 * Write the numbers of the words of a sequence that have one to `v` and, unless `at` is NULL, their
 * places. Returns how many.
 */
static inline uint32_t number_known(const struct table *t, struct pd_spoken of, uint32_t *v,
                                    uint32_t *at)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < of.n; k++) {
        v[n] = *find_slot(t, of.terms[k]);
        if (at)
            at[n] = k;
        n += v[n] != 0;
    }
    return n;
}

/* Give n words their new numbers, and keep the words that have one. Returns how many. */
static uint32_t keep_known(const uint32_t *known, uint32_t n, uint32_t *v, uint32_t *at)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        v[kept] = known[v[k]];
        if (at)
            at[kept] = k;
        kept += v[kept] != 0;
    }
    return kept;
}

uint32_t pd_number_common(struct pd_agreement *g, struct pd_spoken longer, struct pd_spoken shorter,
                          struct pd_numbered *a, struct pd_numbered *b)
{
    struct table table = make_table(g, shorter.n);
    const size_t all = (size_t)longer.n + 1 + shorter.n;
    pd_word_codes_reserve(&g->numbers, g->at ? 2 * all : all);
    *a = (struct pd_numbered){.v = g->numbers.v};
    *b = (struct pd_numbered){.v = g->numbers.v + longer.n + 1};
    if (g->at) { /* places are wanted */
        a->at = g->numbers.v + all;
        b->at = a->at + longer.n + 1;
    }
    number_all(&table, shorter, b->v);
    a->n = g->at ? number_known(&table, longer, a->v, a->at)
                 : number_known(&table, longer, a->v, NULL);
    uint32_t *const known = g->slots.v; /* the numbers instead; the table is done with */
    uint32_t n = 0;
    memset(known, 0, ((size_t)table.n + 1) * sizeof *known);
    for (uint32_t k = 0; k < a->n; k++)
        known[a->v[k]] = 1;
    for (uint32_t k = 1; k <= table.n; k++) {
        n += known[k];
        known[k] *= n;
    }
    for (uint32_t k = 0; k < a->n; k++)
        a->v[k] = known[a->v[k]];
    b->n = keep_known(known, shorter.n, b->v, b->at);
    return n;
}

/* ---- all pairs of words ---- */

/* Make a vector of `width` u64s of each of the n different words of b, and of none. */
static void make_vectors(struct pd_agreement *g, size_t width, struct pd_numbered b, uint32_t n)
{
    const size_t u64s = width * ((size_t)n + 1);
    pd_u64s_reserve(&g->vectors, u64s);
    memset(g->vectors.v, 0, u64s * sizeof *g->vectors.v);
    for (uint32_t j = 0; j < b.n; j++)
        g->vectors.v[width * b.v[j] + j / BITS] |= (uint64_t)1 << j % BITS;
}

/*
 * The longest common subsequence, if it has at least `least` words; otherwise some shorter common
 * subsequence. One that comes through row i and column j has at most j + a.n - i words, and at most
 * i + b.n - j. So only the columns from i - (a.n - least) to i + (b.n - least) are looked at, and
 * what shares a u64 with them. Columns before them stay, and columns behind them are still ones,
 * through which a carry passes without a change. `rows` gets what is looked at, unless it is NULL.
 */
static inline uint64_t compare_near(struct pd_agreement *g, size_t width, struct pd_numbered a,
                                    struct pd_numbered b, uint32_t least, uint64_t *rows)
{
    uint64_t columns[NARROW];
    memset(columns, 0xFF, sizeof columns);
    for (uint32_t i = 0; i < a.n; i++) {
        const uint64_t *const match = g->vectors.v + width * a.v[i];
        const size_t end = pd_min_u32(b.n - 1, i + b.n - least) / BITS;
        uint64_t carry = 0;
        for (size_t k = (i - pd_min_u32(i, a.n - least)) / BITS; k <= end; k++) {
            columns[k] = step(columns[k], match[k], &carry);
            if (rows)
                rows[width * i + k] = columns[k];
        }
    }
    return zeros(columns, b.n);
}

/*
 * The longest common subsequence, for at most NARROW u64s of words of b, which are n different.
 * What is found under a guess that was too high is the guess of the second and last time.
 */
static inline uint64_t compare_narrow(struct pd_agreement *g, struct pd_numbered a,
                                      struct pd_numbered b, uint32_t n, uint64_t *rows)
{
    const size_t width = ((size_t)b.n + BITS - 1) / BITS;
    uint64_t least = pd_min_u32(a.n, b.n - b.n / GUESS);
    make_vectors(g, width, b, n);
    for (;;) {
        const uint64_t found = compare_near(g, width, a, b, (uint32_t)least, rows);
        if (found >= least)
            return found;
        least = found;
    }
}

/* Set the bits of `match` at a place of b and the places that follow it in g->places. */
static void set_bits(const struct pd_agreement *g, uint32_t place1, uint64_t *match)
{
    for (uint32_t j = place1; j > 0; j = g->places.v[j - 1])
        match[(j - 1) / BITS] |= (uint64_t)1 << (j - 1) % BITS;
}

/*
 * Make the vector of a word that stands in b more than `width` times, once, since it takes longer
 * than a comparison. The word gets pd_ij(DENSE, where the vector begins in g->vectors).
 */
static void make_dense(struct pd_agreement *g, size_t width, uint64_t *word)
{
    const size_t at = g->vectors.n;
    pd_u64s_reserve(&g->vectors, at + width);
    g->vectors.n += width;
    memset(g->vectors.v + at, 0, width * sizeof *g->vectors.v);
    set_bits(g, (uint32_t)*word, g->vectors.v + at);
    *word = pd_ij(DENSE, (uint32_t)at);
}

/*
 * List the places of the n different words of b. g->words has pd_ij(how many places, the first
 * place + 1) for each, and g->places has the next place + 1 for each place, or 0. Frequent words
 * have vectors instead.
 */
static void list_places(struct pd_agreement *g, size_t width, struct pd_numbered b, uint32_t n)
{
    uint64_t *frequent[BITS]; /* words with more than `width` places: fewer than BITS */
    unsigned nfrequent = 0;
    pd_u64s_reserve(&g->words, (size_t)n + 1);
    pd_word_codes_reserve(&g->places, b.n);
    memset(g->words.v, 0, ((size_t)n + 1) * sizeof *g->words.v);
    for (uint32_t j = b.n; j > 0; j--) {
        uint64_t *word = &g->words.v[b.v[j - 1]];
        const uint64_t places = (*word >> 32) + 1;
        g->places.v[j - 1] = (uint32_t)*word;
        *word = pd_ij((uint32_t)places, j);
        if (places == width + 1)
            frequent[nfrequent++] = word;
    }
    g->vectors.n = 0;
    for (unsigned k = 0; k < nfrequent; k++)
        make_dense(g, width, frequent[k]);
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
static void take_places(uint64_t *columns, const uint32_t *places, uint32_t place1, size_t width)
{
    uint64_t carry = 0;
    size_t k = 0;
    for (uint32_t j = place1; j > 0; k++) {
        const size_t at = (j - 1) / BITS;
        uint64_t match = 0;
        take_carry(columns, k, at, &carry);
        for (k = at; j > 0 && (j - 1) / BITS == at; j = places[j - 1])
            match |= (uint64_t)1 << (j - 1) % BITS;
        columns[at] = step(columns[at], match, &carry);
    }
    take_carry(columns, k, width, &carry);
}

/* The same for any number of words of b. The last columns are in g->bits. */
static bool compare_wide(struct pd_agreement *g, struct pd_numbered a, struct pd_numbered b,
                         uint32_t n, uint64_t *rows)
{
    const size_t width = ((size_t)b.n + BITS - 1) / BITS;
    size_t done = 0; /* u64s since the last question whether to stop */
    list_places(g, width, b, n);
    pd_u64s_reserve(&g->bits, width);
    uint64_t *const columns = g->bits.v;
    memset(columns, 0xFF, width * sizeof *columns);
    for (uint32_t i = 0; i < a.n; i++) {
        const uint64_t places = g->words.v[a.v[i]];
        const uint32_t first = (uint32_t)places; /* or where the vector begins */
        if (places >> 32 == DENSE)
            take_dense(columns, g->vectors.v + first, width);
        else
            take_places(columns, g->places.v, first, width);
        if (rows)
            memcpy(rows + width * i, columns, width * sizeof *columns);
        if ((done += width) >= STEPS) {
            done = 0;
            if (pd_agreement_stops(g))
                return false;
        }
    }
    return true;
}

bool pd_sequence_columns(struct pd_agreement *g, struct pd_numbered a, struct pd_numbered b,
                         uint32_t n)
{
    return compare_wide(g, a, b, n, NULL);
}

bool pd_sequence_rows(struct pd_agreement *g, struct pd_numbered a, struct pd_numbered b,
                      uint32_t n, uint64_t *rows)
{
    if (b.n > NARROW * BITS || n > 2 * (uint64_t)a.n)
        return compare_wide(g, a, b, n, rows);
    compare_narrow(g, a, b, n, rows);
    return true;
}

uint64_t pd_common_sequence(struct pd_agreement *g, struct pd_spoken longer,
                            struct pd_spoken shorter)
{
    struct pd_numbered a, b;
    if ((uint64_t)longer.n * shorter.n <= PD_FEW_PAIRS)
        return compare_few(longer, shorter);
    const uint32_t n = pd_number_common(g, longer, shorter, &a, &b);
    const struct pd_numbered rows = a.n < b.n ? b : a, columns = a.n < b.n ? a : b;
    if (columns.n == 0)
        return 0;
    if (columns.n <= NARROW * BITS)
        return compare_narrow(g, rows, columns, n, NULL);
    return compare_wide(g, rows, columns, n, NULL) ? zeros(g->bits.v, columns.n) : 0;
}

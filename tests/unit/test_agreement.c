/* The words that agree, against the quadratic table and against the definition in plain loops. */
#include "pardup/passage/agreement.h"

#include <stdlib.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { WORDS_MOST = 4000 };

struct text {
    uint64_t terms[WORDS_MOST];
    uint32_t n;
};
static struct text a, b;

static void make_text(struct text *t, uint32_t n, uint32_t vocabulary, uint64_t *seed)
{
    t->n = n;
    for (uint32_t k = 0; k < n; k++)
        t->terms[k] = pd_mix(1 + pd_random_below(seed, vocabulary));
}

/* Make b a copy of a in which one word of `rate` is left out, replaced or followed by another. */
static void edit(uint32_t rate, uint32_t vocabulary, uint64_t *seed)
{
    b.n = 0;
    for (uint32_t k = 0; k < a.n && b.n + 2 < WORDS_MOST; k++) {
        const uint32_t what = pd_random_below(seed, 3 * rate);
        if (what != 0)
            b.terms[b.n++] = what == 1 ? pd_mix(1 + pd_random_below(seed, vocabulary)) : a.terms[k];
        if (what == 2)
            b.terms[b.n++] = pd_mix(1 + pd_random_below(seed, vocabulary));
    }
}

/* The longest common subsequence by the table of all pairs. */
static uint64_t table(const uint64_t *x, uint32_t n, const uint64_t *y, uint32_t m)
{
    uint32_t *row = calloc((size_t)m + 1, sizeof *row);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0, before = 0; j < m; j++) {
            const uint32_t above = row[j + 1];
            row[j + 1] = x[i] == y[j] ? before + 1 : above > row[j] ? above : row[j];
            before = above;
        }
    const uint64_t length = row[m];
    free(row);
    return length;
}

static uint32_t count(const uint64_t *x, uint32_t n, uint64_t term, uint32_t *last)
{
    uint32_t times = 0;
    for (uint32_t k = 0; k < n; k++)
        if (x[k] == term) {
            times++;
            *last = k;
        }
    return times;
}

/* List the chain of pivots, at[0][k] in x and at[1][k] in y. */
static uint32_t chain(const uint64_t *x, uint32_t n, const uint64_t *y, uint32_t m,
                      uint32_t at[2][WORDS_MOST])
{
    static uint32_t in_x[WORDS_MOST], in_y[WORDS_MOST], pile[WORDS_MOST], before[WORDS_MOST];
    static uint32_t top[WORDS_MOST];
    uint32_t pivots = 0, piles = 0, j = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (count(x, n, x[i], &in_x[pivots]) != 1 || count(y, m, x[i], &j) != 1)
            continue;
        uint32_t p = 0;
        while (p < piles && in_y[top[p]] < j)
            p++;
        in_x[pivots] = i;
        in_y[pivots] = j;
        pile[pivots] = p;
        before[pivots] = p ? top[p - 1] : 0;
        top[p] = pivots++;
        piles += p == piles;
    }
    for (uint32_t k = piles ? top[piles - 1] : 0, left = piles; left > 0; k = before[k]) {
        left--;
        CU_ASSERT_EQUAL(pile[k], left);
        at[0][left] = in_x[k];
        at[1][left] = in_y[k];
    }
    return piles;
}

/* The definition in agreement.h. */
static uint64_t defined(const uint64_t *x, uint32_t n, const uint64_t *y, uint32_t m,
                        uint64_t exact_cells)
{
    uint64_t sum = 0;
    for (; n && m && *x == *y; x++, y++, n--, m--)
        sum++;
    for (; n && m && x[n - 1] == y[m - 1]; n--, m--)
        sum++;
    const uint64_t longest = table(x, n, y, m);
    if ((uint64_t)n * m <= exact_cells || n + m - 2 * longest <= PD_AGREEMENT_EDITS)
        return sum + longest;
    uint32_t(*at)[WORDS_MOST] = calloc(2, sizeof *at), i = 0, j = 0;
    const uint32_t pivots = chain(x, n, y, m, at);
    for (uint32_t k = 0; k < pivots; k++) {
        sum += 1 + defined(x + i, at[0][k] - i, y + j, at[1][k] - j, exact_cells);
        i = at[0][k] + 1;
        j = at[1][k] + 1;
    }
    free(at);
    if (pivots)
        return sum + defined(x + i, n - i, y + j, m - j, exact_cells);
    return sum + defined(x, n / 2, y, m / 2, exact_cells) +
           defined(x + n / 2, n - n / 2, y + m / 2, m - m / 2, exact_cells);
}

static uint64_t words(struct pd_agreement *g)
{
    return pd_agreement_words(g, (struct pd_spoken){a.terms, a.n},
                              (struct pd_spoken){b.terms, b.n});
}

/* Copies with edits and unlike texts, from no word to a few hundred, of few and of many words. */
static void test_against_table(void)
{
    struct pd_agreement g = {.exact_cells = PD_AGREEMENT_CELLS};
    uint64_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        const uint32_t vocabulary = 1 + pd_random_below(&seed, round % 2 ? 10 : 1000);
        make_text(&a, pd_random_below(&seed, round % 10 ? 100 : 600), vocabulary, &seed);
        if (round % 4)
            edit(1 + pd_random_below(&seed, 50), vocabulary, &seed);
        else
            make_text(&b, pd_random_below(&seed, 200), vocabulary, &seed);
        CU_ASSERT_EQUAL(words(&g), table(a.terms, a.n, b.terms, b.n));
    }
    pd_agreement_release(&g);
}

/* Thousands of words, alike and unlike, so that vectors of all words would be wide. */
static void test_long(void)
{
    struct pd_agreement g = {.exact_cells = PD_AGREEMENT_CELLS};
    uint64_t seed = 4;
    for (int round = 0; round < 4; round++) {
        const uint32_t vocabulary = round % 2 ? 20 : 2000;
        make_text(&a, 2500 + pd_random_below(&seed, 500), vocabulary, &seed);
        if (round % 4 > 1)
            edit(1 + pd_random_below(&seed, 4), vocabulary, &seed);
        else
            make_text(&b, 2500 + pd_random_below(&seed, 500), vocabulary, &seed);
        CU_ASSERT_EQUAL(words(&g), table(a.terms, a.n, b.terms, b.n));
    }
    pd_agreement_release(&g);
}

/* Append a word n times. */
static void repeat(struct text *t, uint32_t n, uint64_t term)
{
    for (uint32_t k = 0; k < n; k++)
        t->terms[t->n++] = term;
}

/*
 * What both have stands at the begin of one and at the end of the other, so that no column farther
 * from the diagonal matters, and none less far. The rest is a word in the middle of it, again.
 */
static void test_farthest_columns(void)
{
    struct pd_agreement g = {.exact_cells = PD_AGREEMENT_CELLS};
    for (uint32_t n = 20; n < 200; n++) {
        struct text *const first = n % 2 ? &a : &b, *const last = n % 2 ? &b : &a;
        a.n = b.n = 0;
        for (uint32_t k = 0; k < 7 * n; k++)
            first->terms[first->n++] = pd_mix(1 + k);
        repeat(last, n % 3 ? n : n + 1, pd_mix(3 * n));
        memcpy(last->terms + last->n, first->terms, first->n * sizeof *first->terms);
        last->n += first->n;
        repeat(first, n, pd_mix(3 * n));
        CU_ASSERT_EQUAL(words(&g), table(a.terms, a.n, b.terms, b.n));
        CU_ASSERT_EQUAL(words(&g), 7 * n);
    }
    pd_agreement_release(&g);
}

/* With few exact pairs of words the number is the lower bound of the definition. */
static void test_against_definition(void)
{
    static const uint64_t cells[] = {1, 100, 5000, 100000};
    struct pd_agreement g = {0};
    uint64_t seed = 2;
    uint32_t lower = 0; /* rounds in which the number was below the exact one */
    for (int round = 0; round < 40; round++) {
        const uint32_t vocabulary = 1 + pd_random_below(&seed, round % 2 ? 3 : 20000);
        make_text(&a, 1000 + pd_random_below(&seed, 1000), vocabulary, &seed);
        if (round % 4 > 1)
            edit(1 + pd_random_below(&seed, 3), vocabulary, &seed);
        else
            make_text(&b, 1000 + pd_random_below(&seed, 1000), vocabulary, &seed);
        g.exact_cells = cells[round / 2 % 4];
        const uint64_t got = words(&g), longest = table(a.terms, a.n, b.terms, b.n);
        CU_ASSERT_EQUAL(got, defined(a.terms, a.n, b.terms, b.n, g.exact_cells));
        CU_ASSERT(got <= longest);
        lower += got < longest;
    }
    CU_ASSERT(lower > 5);
    pd_agreement_release(&g);
}

static int asked; /* how often stop_now was called */
static int stop_now(void)
{
    asked++;
    return 1;
}

static void test_stops(void)
{
    struct pd_agreement g = {.exact_cells = 1, .stopping = stop_now};
    uint64_t seed = 3;
    make_text(&a, WORDS_MOST, 5, &seed);
    make_text(&b, WORDS_MOST, 5, &seed);
    words(&g);
    CU_ASSERT(g.stopped);
    CU_ASSERT_EQUAL(asked, 1);
    g.stopping = NULL;
    words(&g);
    CU_ASSERT(!g.stopped);
    pd_agreement_release(&g);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_against_table),      PD_TEST(test_long),  PD_TEST(test_farthest_columns),
        PD_TEST(test_against_definition), PD_TEST(test_stops), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/agreement", tests);
}

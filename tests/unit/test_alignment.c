/* The alignment of words: its length against a full table, its number against the agreement. */
#include "pardup/passage/alignment.h"

#include <stdlib.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { WORDS_MOST = 40000, OTHER = 1000000 }; /* words from OTHER on are in one text only */

struct text {
    uint64_t terms[WORDS_MOST];
    uint32_t n;
};
static struct text a, b;
static struct pd_alignment alignment;
static struct pd_agreement agreement;
static uint64_t seed = 7;

static uint32_t below(uint32_t n) { return pd_random_below(&seed, n); }

static void make_text(struct text *t, uint32_t n, uint32_t vocabulary)
{
    t->n = n;
    for (uint32_t k = 0; k < n; k++)
        t->terms[k] = below(vocabulary);
}

/*
 * Make b a copy of a in which one word of `rate` is left out, or has up to `most` others before it.
 */
static void edit(uint32_t rate, uint32_t most)
{
    b.n = 0;
    for (uint32_t k = 0; k < a.n && b.n + most < WORDS_MOST; k++) {
        const uint32_t what = below(rate);
        for (uint32_t n = what == 1 ? 1 + below(most) : 0; n > 0; n--)
            b.terms[b.n++] = below(2) ? OTHER + k : a.terms[below(a.n)];
        if (what)
            b.terms[b.n++] = a.terms[k];
    }
}

/* The longest common subsequence by the table of all pairs. */
static uint64_t table(const struct text *x, const struct text *y)
{
    uint32_t *row = calloc((size_t)y->n + 1, sizeof *row);
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t j = 0, before = 0; j < y->n; j++) {
            const uint32_t above = row[j + 1];
            row[j + 1] = x->terms[i] == y->terms[j] ? before + 1 : above > row[j] ? above : row[j];
            before = above;
        }
    const uint64_t length = row[y->n];
    free(row);
    return length;
}

/*
 * Align a and b with the bound of exact pairs. Check that runs cover both texts and alternate, that
 * matches are equal words, and that their number is that of pd_agreement_words(). Returns how
 * many.
 */
static uint64_t checked(uint64_t exact_cells)
{
    const struct pd_spoken of[2] = {{a.terms, a.n}, {b.terms, b.n}};
    uint32_t i = 0, j = 0;
    uint64_t equal = 0;
    alignment.agreement.exact_cells = agreement.exact_cells = exact_cells;
    const uint64_t n = pd_align(&alignment, of[0], of[1]);
    for (size_t k = 0; k < alignment.runs.n; k++) {
        const struct pd_aligned_run *r = &alignment.runs.v[k];
        CU_ASSERT(r->a == i && r->b == j && r->na + r->nb > 0);
        CU_ASSERT(k == 0 || r->equal != r[-1].equal);
        CU_ASSERT(!r->equal || r->na == r->nb);
        CU_ASSERT(!r->equal || memcmp(a.terms + i, b.terms + j, r->na * sizeof *a.terms) == 0);
        for (uint32_t w = 0; w < r->nb; w++)
            CU_ASSERT_EQUAL(alignment.at.v[j + w], r->equal ? i + w + 1 : 0);
        equal += r->equal ? r->na : 0;
        i += r->na;
        j += r->nb;
    }
    CU_ASSERT(i == a.n && j == b.n);
    CU_ASSERT_EQUAL(equal, n);
    CU_ASSERT_EQUAL(n, pd_agreement_words(&agreement, of[0], of[1]));
    return n;
}

static void swap(void)
{
    static struct text t;
    t = a;
    a = b;
    b = t;
}

/* Short texts, alike and unlike, of few and of many words. */
static void test_short(void)
{
    for (int round = 0; round < 6000; round++) {
        const uint32_t vocabulary = 1 + below(round % 2 ? 10 : 100);
        make_text(&a, below(round % 10 ? 60 : 400), vocabulary);
        if (round % 4 == 0 || a.n == 0)
            make_text(&b, below(200), vocabulary);
        else
            edit(2 + below(50), 1 + below(30));
        CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), table(&a, &b));
    }
}

/* Thousands of words: too many rows to keep, and too many edits to follow. */
static void test_long(void)
{
    for (int round = 0; round < 8; round++) {
        const uint32_t vocabulary = round % 2 ? 20 : 3000;
        make_text(&a, 2500 + below(1500), vocabulary);
        if (round % 4 > 1)
            edit(2 + below(4), 10);
        else
            make_text(&b, 2500 + below(3000), vocabulary);
        CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), table(&a, &b));
    }
}

/* With few exact pairs of words the number is the lower bound that the agreement has. */
static void test_bounded(void)
{
    static const uint64_t cells[] = {1, 100, 5000, 100000};
    uint32_t lower = 0; /* rounds in which the number was below the exact one */
    for (int round = 0; round < 80; round++) {
        const uint32_t vocabulary = 1 + below(round % 2 ? 3 : 20000);
        make_text(&a, 1000 + below(1000), vocabulary);
        if (round % 4 > 1)
            edit(2 + below(3), 5);
        else
            make_text(&b, 1000 + below(1000), vocabulary);
        const uint64_t longest = table(&a, &b), n = checked(cells[round / 2 % 4]);
        CU_ASSERT(n <= longest);
        lower += n < longest;
    }
    CU_ASSERT(lower > 5);
}

/* Append n words of a vocabulary to both texts, from word `from` on. */
static void append(struct text *t, uint32_t n, uint32_t from, uint32_t vocabulary)
{
    for (uint32_t k = 0; k < n; k++)
        t->terms[t->n++] = from + k % vocabulary;
}

/* Texts that repeat a few words, texts with moved parts, one word against many, and no words. */
static void test_adversarial(void)
{
    for (uint32_t period = 1; period < 2000; period = 3 * period + 1)
        for (uint32_t other = 1; other < 2000; other = 2 * other + 1) {
            a.n = b.n = 0;
            append(&a, 1900, 0, period);
            append(&b, 2100, 0, other);
            CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), table(&a, &b));
        }
    a.n = b.n = 0; /* the second half of one is the first half of the other */
    append(&a, 3000, 0, 3000);
    append(&a, 2990, 5000, 3000);
    append(&b, 2990, 5000, 3000);
    append(&b, 3000, 0, 3000);
    CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), 3000);
    b.n = 0;
    CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), 0);
    append(&b, 1, 2999, 1);
    CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), 1);
    swap();
    CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), 1);
    a.n = 0;
    CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), 0);
    b.n = 0;
    CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), 0);
    CU_ASSERT_EQUAL(alignment.runs.n, 0);
    CU_ASSERT_EQUAL(pd_align(&alignment, (struct pd_spoken){NULL, 0}, (struct pd_spoken){NULL, 0}),
                    0);
}

/* Copies of many words with many edits, which are farther apart than any window. */
static void test_far(void)
{
    uint32_t common = 0;
    make_text(&a, WORDS_MOST / 2, 500);
    edit(300, 600);
    for (uint32_t k = 0; k < a.n;
         k += 1000) /* a lower bound for any alignment: most of a is in b */
        common += 900;
    CU_ASSERT(checked(PD_AGREEMENT_CELLS) > common);
    b = a;
    CU_ASSERT_EQUAL(checked(PD_AGREEMENT_CELLS), a.n);
    CU_ASSERT_EQUAL(alignment.runs.n, 1);
}

/* One number for one letter. */
static void spell(struct text *t, const char *words)
{
    for (t->n = 0; words[t->n]; t->n++)
        t->terms[t->n] = (unsigned char)words[t->n];
}

/*
 * How many runs of equal words two texts have, whose words are letters, with `more` equal words
 * behind them, and another word at the end of each.
 */
static uint32_t runs_with(const char *x, const char *y, uint32_t more)
{
    uint32_t n = 0;
    spell(&a, x);
    spell(&b, y);
    append(&a, more, 1000, more);
    append(&b, more, 1000, more);
    append(&a, 1, OTHER, 1);
    append(&b, 1, OTHER + 1, 1);
    checked(PD_AGREEMENT_CELLS);
    for (size_t k = 0; k < alignment.runs.n; k++)
        n += alignment.runs.v[k].equal;
    return n;
}

static uint32_t runs_of(const char *x, const char *y) { return runs_with(x, y, 0); }

/* Words that could be matched at either end of a stretch are matched where they continue a run. */
static void test_few_runs(void)
{
    CU_ASSERT_EQUAL(runs_of("abcdef", "abcdxyabcdef"), 1);
    CU_ASSERT_EQUAL(runs_of("abcdefgh", "abcdxycdefgh"), 2);
    CU_ASSERT_EQUAL(runs_of("abcdxycdefgh", "abcdefgh"), 2);
    CU_ASSERT_EQUAL(runs_of("1abc2abc3", "4abc5"), 1);
    CU_ASSERT_EQUAL(runs_of("1ab2ab3abx", "4abab5abx"), 3);
    CU_ASSERT_EQUAL(runs_of("xyzabcq1", "xyz2abc3abcq4"), 2);
    CU_ASSERT_EQUAL(runs_of("xyzq1", "xyz2q3zq4"), 2);
    CU_ASSERT_EQUAL(runs_with("1ab", "2axbyab", 100), 1); /* many words are aligned by edits */
    CU_ASSERT_EQUAL(runs_with("1abc", "2axbycbzabc", 100), 1);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_short),   PD_TEST(test_long),
                                        PD_TEST(test_bounded), PD_TEST(test_adversarial),
                                        PD_TEST(test_far),     PD_TEST(test_few_runs),
                                        CU_TEST_INFO_NULL};
    const int failed = pd_run_tests(argc, argv, "passage/alignment", tests);
    pd_alignment_release(&alignment);
    pd_agreement_release(&agreement);
    return failed;
}

/* The alignment of words against a full table of common subsequences. */
#include "app/show/diff.h"

#include "pd_cunit.h"
#include "pd_random.h"

enum { SMALL = 40, LONG = 20000 };

static struct pd_diff_runs runs;

static uint64_t seed = 7;
static uint64_t below(uint32_t n) { return pd_random_below(&seed, n); }

/* The equal words of the alignment, after a check that runs cover both texts and alternate. */
static uint32_t checked(const uint64_t *a, uint32_t na, const uint64_t *b, uint32_t nb)
{
    uint32_t i = 0, j = 0, equal = 0;
    pd_diff(a, na, b, nb, &runs);
    for (size_t k = 0; k < runs.n; k++) {
        const struct pd_diff_run *r = &runs.v[k];
        CU_ASSERT(r->a == i && r->b == j && r->na + r->nb > 0);
        CU_ASSERT(k == 0 || r->equal != runs.v[k - 1].equal);
        for (uint32_t w = 0; r->equal && w < r->na; w++)
            CU_ASSERT_EQUAL(a[r->a + w], b[r->b + w]);
        CU_ASSERT(!r->equal || r->na == r->nb);
        equal += r->equal ? r->na : 0;
        i += r->na;
        j += r->nb;
    }
    CU_ASSERT(i == na && j == nb);
    return equal;
}

static uint32_t longest(const uint64_t *a, uint32_t na, const uint64_t *b, uint32_t nb)
{
    static uint32_t table[SMALL + 1][SMALL + 1];
    for (uint32_t x = 0; x <= na; x++)
        for (uint32_t y = 0; y <= nb; y++)
            if (x == 0 || y == 0)
                table[x][y] = 0;
            else if (a[x - 1] == b[y - 1])
                table[x][y] = table[x - 1][y - 1] + 1;
            else
                table[x][y] = table[x - 1][y] > table[x][y - 1] ? table[x - 1][y] : table[x][y - 1];
    return table[na][nb];
}

static void test_small(void)
{
    uint64_t a[SMALL], b[SMALL];
    for (int round = 0; round < 2000; round++) {
        const uint32_t na = (uint32_t)below(SMALL + 1), nb = (uint32_t)below(SMALL + 1);
        const uint32_t words = 1 + (uint32_t)below(12);
        for (uint32_t k = 0; k < na; k++)
            a[k] = below(words);
        for (uint32_t k = 0; k < nb; k++)
            b[k] = below(words);
        CU_ASSERT_EQUAL(checked(a, na, b, nb), longest(a, na, b, nb));
    }
}

/* Texts of many windows: the second one lacks some words, has others, and has some changed. */
static void test_long(void)
{
    static uint64_t a[LONG], b[2 * LONG];
    uint32_t nb = 0, kept = 0;
    for (uint32_t k = 0; k < LONG; k++) {
        a[k] = k < 100 ? k : 100 + below(1000000);
        const uint64_t what = below(20);
        if (what == 0)
            continue;
        if (what == 1)
            for (uint64_t more = below(30); more > 0; more--)
                b[nb++] = 2000000 + below(1000000);
        b[nb++] = what == 2 ? 3000000 + below(1000000) : a[k];
        kept += what != 2;
    }
    const uint32_t equal = checked(a, LONG, b, nb);
    CU_ASSERT(equal >= kept - kept / 1000);
    CU_ASSERT_EQUAL(checked(a, LONG, a, LONG), LONG);
    CU_ASSERT_EQUAL(runs.n, 1);
}

/* A stretch that only one text has, in the middle of a text of several windows. */
static void test_gap(void)
{
    static uint64_t a[4 * PD_DIFF_WINDOW], b[5 * PD_DIFF_WINDOW];
    const uint32_t half = 2 * PD_DIFF_WINDOW, gap = PD_DIFF_WINDOW / 2, na = 2 * half;
    for (uint32_t k = 0; k < na; k++)
        a[k] = b[k < half ? k : k + gap] = k;
    for (uint32_t k = 0; k < gap; k++)
        b[half + k] = 100000 + k;
    CU_ASSERT_EQUAL(checked(a, na, b, na + gap), na);
    CU_ASSERT_EQUAL(checked(b, na + gap, a, na), na);
    CU_ASSERT_EQUAL(checked(a, na, b + half, gap), 0);
    CU_ASSERT_EQUAL(checked(a, 0, b, 0), 0);
    CU_ASSERT_EQUAL(runs.n, 0);
    pd_diff_runs_release(&runs);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_small), PD_TEST(test_long), PD_TEST(test_gap),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "app/diff", tests);
}

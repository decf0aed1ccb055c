/*
 * tests/unit/test_word_match.c - words in the same order in two sequences, against all
 * subsequences.
 */
#include "pardup/passage/word_match.h"

#include <stdlib.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { MOST = 60, ROUNDS = 3000, LONG = 20000 };

/* The length of a longest common subsequence. */
static uint32_t longest(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    static uint32_t cells[MOST + 1][MOST + 1];
    memset(cells, 0, sizeof cells);
    for (size_t i = na; i-- > 0;)
        for (size_t j = nb; j-- > 0;)
            cells[i][j] = a[i] == b[j]                        ? cells[i + 1][j + 1] + 1
                          : cells[i + 1][j] > cells[i][j + 1] ? cells[i + 1][j]
                                                              : cells[i][j + 1];
    return cells[0][0];
}

/* Check that the matches ascend and are equal words. Returns how many there are. */
static uint32_t check(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *at)
{
    uint32_t n = 0, last = 0;
    memset(at, 0xff, nb * sizeof *at);
    pd_word_match(a, na, b, nb, at);
    for (size_t j = 0; j < nb; j++) {
        if (at[j] == 0)
            continue;
        CU_ASSERT_TRUE(at[j] > last && at[j] <= na);
        if (at[j] > na)
            return 0;
        CU_ASSERT_EQUAL(a[at[j] - 1], b[j]);
        last = at[j];
        n++;
    }
    return n;
}

static void test_short(void)
{
    uint64_t seed = 3, a[MOST], b[MOST];
    uint32_t at[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        const size_t na = pd_random_below(&seed, MOST), nb = pd_random_below(&seed, MOST);
        const uint32_t words = 1 + pd_random_below(&seed, MOST);
        for (size_t k = 0; k < na; k++)
            a[k] = pd_random_below(&seed, words);
        for (size_t k = 0; k < nb; k++)
            b[k] = pd_random_below(&seed, words);
        CU_ASSERT_EQUAL(check(a, na, b, nb, at), longest(a, na, b, nb));
    }
}

/* b is a without some words, and with others between. Words of a are rare or frequent. */
static void test_long(void)
{
    uint64_t *a = malloc(LONG * sizeof *a), *b = malloc(2 * LONG * sizeof *b), seed = 5;
    uint32_t *at = malloc(2 * LONG * sizeof *at);
    for (uint32_t words = 10; words <= 1000000; words *= 100) {
        size_t nb = 0;
        uint32_t common = 0;
        for (size_t k = 0; k < LONG; k++) {
            a[k] = pd_random_below(&seed, words);
            if (pd_random_below(&seed, 50) == 0)
                b[nb++] = UINT64_MAX - k;
            if (pd_random_below(&seed, 50) != 0) {
                b[nb++] = a[k];
                common++;
            }
        }
        const uint32_t found = check(a, LONG, b, nb, at);
        if (words > LONG) /* rare words are anchors */
            CU_ASSERT_TRUE(found >= common - common / 1000);
    }
    CU_ASSERT_EQUAL(check(a, LONG, a, LONG, at), LONG);
    free(a);
    free(b);
    free(at);
}

/* Edits of many lengths: the words between them are matched, however often each word occurs. */
static void test_edits(void)
{
    uint64_t a[LONG / 10], b[LONG / 4], seed = 9;
    uint32_t at[LONG / 4];
    for (uint32_t longest_edit = 1; longest_edit <= 200; longest_edit += 20) {
        uint32_t common = 0;
        size_t nb = 0;
        for (size_t k = 0; k < LONG / 10; k++)
            a[k] = pd_random_below(&seed, 500);
        for (size_t k = 0, kept; k < LONG / 10; k += kept) {
            const size_t drop = pd_random_below(&seed, longest_edit);
            for (size_t put = pd_random_below(&seed, longest_edit / 2 + 1); put > 0; put--)
                b[nb++] = UINT64_MAX - put - k;
            k += drop;
            for (kept = 0; kept < longest_edit + 20 && k + kept < LONG / 10; kept++, common++)
                b[nb++] = a[k + kept];
        }
        CU_ASSERT_TRUE(check(a, LONG / 10, b, nb, at) >= common);
    }
}

static void test_nothing(void)
{
    const uint64_t a[] = {1, 2, 3}, b[] = {4, 5};
    uint32_t at[2];
    CU_ASSERT_EQUAL(check(a, 3, b, 2, at), 0);
    CU_ASSERT_EQUAL(check(a, 0, b, 2, at), 0);
    CU_ASSERT_EQUAL(check(a, 3, b, 0, at), 0);
    pd_word_match(NULL, 0, NULL, 0, NULL);
}

/*
 * 64 words are compared as the bits of numbers, 65 words in a table. One more word that is not in a
 * changes no match; words that differ at the ends keep all others in the comparison.
 */
static void test_narrow(void)
{
    enum { NARROW = 64, OTHER_A = 1000, OTHER_B, MORE_B };
    uint64_t seed = 11, a[NARROW], b[NARROW + 1];
    uint32_t at[NARROW], wide[NARROW + 1];
    for (int round = 0; round < ROUNDS; round++) {
        const size_t na = 1 + pd_random_below(&seed, NARROW - 1);
        const uint32_t words = 1 + pd_random_below(&seed, MOST);
        for (size_t k = 0; k < na; k++)
            a[k] = k + 1 == na ? OTHER_A : pd_random_below(&seed, words);
        for (size_t k = 0; k < NARROW; k++)
            b[k] = k + 1 == NARROW ? OTHER_B : pd_random_below(&seed, words);
        b[NARROW] = MORE_B;
        check(a, na, b, NARROW, at);
        check(a, na, b, NARROW + 1, wide);
        CU_ASSERT_EQUAL(memcmp(at, wide, sizeof at), 0);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_short),   PD_TEST(test_long),
                                        PD_TEST(test_edits),   PD_TEST(test_narrow),
                                        PD_TEST(test_nothing), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/word_match", tests);
}

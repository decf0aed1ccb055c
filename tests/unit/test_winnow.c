/* Winnowing: the choice of grams against its definition, and its guarantee for runs of equal words. */
#include "pardup/feature/winnow.h"

#include <string.h>

#include "pardup/base/hash.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { ROUNDS = 3000, WORDS = 60, TERMS = 5, SPREAD = 7 };

/* The hash of a gram, word by word. */
static uint64_t slow_hash(const uint64_t *terms, const uint32_t *words, size_t ngram)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < ngram; k++) {
        uint64_t weight = 1;
        for (size_t m = k + 1; m < ngram; m++)
            weight *= PD_WINNOW_BASE;
        sum += terms[words[k]] * weight;
    }
    return pd_mix(sum);
}

static void test_hashes(void)
{
    uint64_t seed = 1, terms[TERMS], hashes[WORDS];
    uint32_t words[WORDS];
    for (size_t k = 0; k < TERMS; k++)
        terms[k] = pd_random(&seed);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t ngram = 1 + pd_random_below(&seed, 6);
        const size_t nwords = ngram + pd_random_below(&seed, WORDS - 6);
        for (size_t k = 0; k < nwords; k++)
            words[k] = pd_random_below(&seed, TERMS);
        pd_winnow_hash(terms, words, nwords, ngram, hashes);
        for (size_t k = 0; k + ngram <= nwords; k++)
            CU_ASSERT_EQUAL_FATAL(hashes[k], slow_hash(terms, words + k, ngram));
        CU_ASSERT_EQUAL_FATAL(pd_winnow_hash_of(terms, words, nwords),
                              slow_hash(terms, words, nwords));
    }
}

/* Is gram k the last of the least ones in a window that has it? */
static bool slow_chosen(const uint64_t *hashes, size_t n, size_t window, size_t k)
{
    const size_t size = window < n ? window : n;
    for (size_t from = 0; from + size <= n; from++) {
        bool least = from <= k && k < from + size;
        for (size_t m = from; m < from + size && least; m++)
            least = hashes[m] > hashes[k] || (hashes[m] == hashes[k] && m <= k);
        if (least)
            return true;
    }
    return false;
}

static void test_choice(void)
{
    uint64_t seed = 2, hashes[WORDS];
    unsigned char chosen[WORDS + 1];
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = pd_random_below(&seed, WORDS + 1), window = 1 + pd_random_below(&seed, 8);
        for (size_t k = 0; k < n; k++)
            hashes[k] = pd_random_below(&seed, SPREAD); /* many are equal */
        memset(chosen, 1, sizeof chosen);
        pd_winnow_choose(hashes, n, window, chosen);
        for (size_t k = 0; k < n; k++)
            CU_ASSERT_EQUAL_FATAL(!chosen[k], slow_chosen(hashes, n, window, k));
        CU_ASSERT_EQUAL_FATAL(chosen[n], 1);
    }
}

/* Two documents share `window` grams in a row: one of them at least is chosen in both. */
static void test_guarantee(void)
{
    uint64_t seed = 3, a[WORDS], b[WORDS];
    for (int round = 0; round < ROUNDS; round++) {
        const size_t window = 1 + pd_random_below(&seed, 8);
        const size_t at_a = pd_random_below(&seed, WORDS - 8),
                     at_b = pd_random_below(&seed, WORDS - 8);
        unsigned char chosen_a[WORDS], chosen_b[WORDS];
        bool met = false;
        for (size_t k = 0; k < WORDS; k++) {
            a[k] = pd_random_below(&seed, SPREAD);
            b[k] = pd_random_below(&seed, SPREAD);
        }
        memset(chosen_a, 1, sizeof chosen_a);
        memset(chosen_b, 1, sizeof chosen_b);
        memcpy(b + at_b, a + at_a, window * sizeof *a);
        pd_winnow_choose(a, WORDS, window, chosen_a);
        pd_winnow_choose(b, WORDS, window, chosen_b);
        for (size_t k = 0; k < window; k++)
            met = met || (!chosen_a[at_a + k] && !chosen_b[at_b + k]);
        CU_ASSERT_FATAL(met);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_hashes), PD_TEST(test_choice),
                                        PD_TEST(test_guarantee), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "feature/winnow", tests);
}

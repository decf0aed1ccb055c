/* The radix sort against qsort, on keys that are random, alike, constant, sorted and reversed. */
#include "pardup/base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/hash.h"
#include "pardup/base/vec.h"
#include "pd_cunit.h"
#include "pd_random.h"

static unsigned compare_words;

static int by_words(const void *pa, const void *pb)
{
    const uint64_t *a = pa, *b = pb;
    for (unsigned k = 0; k < compare_words; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static void check_same(uint64_t *v, size_t n, unsigned words)
{
    const size_t bytes = n * words * sizeof *v;
    uint64_t *want = pd_realloc(NULL, bytes + 1, 1);
    memcpy(want, v, bytes);
    compare_words = words;
    qsort(want, n, words * sizeof *want, by_words);
    pd_sort_records(v, n, words, words);
    CU_ASSERT_EQUAL(memcmp(v, want, bytes), 0);
    free(want);
}

static void check(size_t n, unsigned words, uint64_t mask, uint64_t seed)
{
    uint64_t *v = pd_realloc(NULL, n * words + 1, sizeof *v);
    for (size_t k = 0; k < n * words; k++)
        v[k] = pd_random(&seed) & mask;
    check_same(v, n, words);
    free(v);
}

static void test_against_qsort(void)
{
    static const uint64_t masks[] = {~0ull, 0xFF, 0xFF00000000000000u, 3, 0, 0xF0000F, 1ull << 63};
    static const size_t sizes[] = {0, 1, 2, 3, 23, 24, 25, 26, 48, 49, 50, 255, 256, 1000, 20000};
    for (unsigned words = 1; words <= PD_SORT_MOST_U64S; words++)
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                check(sizes[s], words, masks[m], 7 * words + m);
}

/* About where the scratch is full, and where its parts are full again after a pass in place. */
static void test_scratch_is_full(void)
{
    for (unsigned words = 1; words <= PD_SORT_MOST_U64S; words++)
        for (size_t more = 0; more < 3; more++) {
            const size_t n = PD_SORT_SCRATCH / (words * sizeof(uint64_t)) - 1 + more;
            check(n, words, ~0ull, n);
            check(n, words, 0x100000001, n);
        }
    check((PD_SORT_SCRATCH / sizeof(uint64_t) + 1) * 3, 1, 0x8000000000000001u, 5);
    check((PD_SORT_SCRATCH / sizeof(uint64_t) + 1) * 3, 1, 0, 6);
}

/* In order, in reverse order, one value far commoner than others, one record unlike the others. */
static void test_orders(void)
{
    static const size_t sizes[] = {24, 25, 100, 3000, 70000};
    uint64_t seed = 4;
    for (unsigned words = 1; words <= PD_SORT_MOST_U64S; words++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int order = 0; order < 4; order++) {
                const size_t n = sizes[s];
                uint64_t *v = pd_realloc(NULL, n * words, sizeof *v);
                for (size_t k = 0; k < n; k++)
                    for (unsigned w = 0; w < words; w++) {
                        const uint64_t common = pd_random_below(&seed, 3) ? 77 : pd_random(&seed);
                        const uint64_t of[] = {k / 3 * w + k / 7, (n - k) / (w + 1), common,
                                               k == n / 2 ? UINT64_MAX : w};
                        v[k * words + w] = of[order];
                    }
                check_same(v, n, words);
                free(v);
            }
}

/* Only the key orders; the rest goes with it. */
static void test_rest_of_records(void)
{
    static const size_t sizes[] = {20, 200, 5000, 100000};
    uint64_t seed = 9;
    for (unsigned words = 2; words <= PD_SORT_MOST_U64S; words++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            const size_t n = sizes[s];
            uint64_t *v = pd_realloc(NULL, n * words, sizeof *v), wrong = 0, sum = 0;
            for (size_t k = 0; k < n; k++) {
                v[k * words] = pd_random_below(&seed, (uint32_t)n / 4);
                for (unsigned w = 1; w < words; w++)
                    v[k * words + w] = pd_mix(v[k * words] + w) ^ (w + 1 == words ? k : 0);
            }
            pd_sort_records(v, n, words, 1);
            for (size_t k = 0; k < n; k++) {
                for (unsigned w = 1; w + 1 < words; w++)
                    wrong += v[k * words + w] != pd_mix(v[k * words] + w);
                wrong += k && v[(k - 1) * words] > v[k * words];
                sum += v[(k + 1) * words - 1] ^ pd_mix(v[k * words] + words - 1);
            }
            CU_ASSERT_EQUAL(wrong, 0);
            CU_ASSERT_EQUAL(sum, (uint64_t)n * (n - 1) / 2); /* each record once */
            free(v);
        }
}

static void test_key_is_a_prefix(void)
{
    uint64_t v[3][2] = {{2, 9}, {1, 8}, {0, 7}};
    pd_sort_records(v, 3, 2, 1);
    for (uint64_t k = 0; k < 3; k++) {
        CU_ASSERT_EQUAL(v[k][0], k);
        CU_ASSERT_EQUAL(v[k][1], 7 + k); /* the rest of a record moves with its key */
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_against_qsort),   PD_TEST(test_scratch_is_full), PD_TEST(test_orders),
        PD_TEST(test_rest_of_records), PD_TEST(test_key_is_a_prefix), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/sort", tests);
}

/* The radix sort against qsort, on keys that are random, alike, constant and nearly sorted. */
#include "pardup/base/sort.h"

#include <stdlib.h>
#include <string.h>

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

static void check(size_t n, unsigned words, uint64_t mask, uint64_t seed)
{
    const size_t bytes = n * words * sizeof(uint64_t);
    uint64_t *got = pd_realloc(NULL, bytes + 1, 1), *want = pd_realloc(NULL, bytes + 1, 1);
    for (size_t k = 0; k < n * words; k++)
        got[k] = pd_random(&seed) & mask;
    memcpy(want, got, bytes);
    compare_words = words;
    qsort(want, n, words * sizeof *want, by_words);
    pd_sort_records(got, n, words, words);
    CU_ASSERT_EQUAL(memcmp(got, want, bytes), 0);
    free(got);
    free(want);
}

static void test_against_qsort(void)
{
    static const uint64_t masks[] = {~0ull, 0xFF, 0xFF00000000000000u, 3, 0, 0xF0000F};
    static const size_t sizes[] = {0, 1, 2, 23, 24, 25, 26, 1000, 20000};
    for (unsigned words = 1; words <= 5; words++)
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                check(sizes[s], words, masks[m], 7 * words + m);
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
    static const CU_TestInfo tests[] = {PD_TEST(test_against_qsort), PD_TEST(test_key_is_a_prefix),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/sort", tests);
}

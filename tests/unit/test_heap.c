/* The k largest numbers against sorting them all. */
#include "pardup/base/heap.h"

#include <stdlib.h>

#include "pd_cunit.h"
#include "pd_random.h"

static int ascending(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Offer n numbers below `range`; the heap has to keep the `limit` largest of them. */
static void keeps_largest(size_t n, size_t limit, uint64_t range, uint64_t seed)
{
    struct pd_heap heap = {.limit = limit};
    uint64_t all[512];
    for (size_t k = 0; k < n; k++)
        pd_heap_offer(&heap, all[k] = pd_random_below(&seed, (uint32_t)range));
    qsort(all, n, sizeof *all, ascending);
    const size_t kept = n < limit ? n : limit;
    CU_ASSERT_EQUAL(heap.kept.n, kept);
    if (kept)
        qsort(heap.kept.v, kept, sizeof *heap.kept.v, ascending);
    for (size_t k = 0; k < kept; k++)
        CU_ASSERT_EQUAL(heap.kept.v[k], all[n - kept + k]);
    for (uint64_t least = 0; least <= range; least += range / 5 + 1) {
        size_t count = 0;
        for (size_t k = n - kept; k < n; k++)
            count += all[k] >= least;
        CU_ASSERT_EQUAL(pd_heap_count(&heap, least), count);
    }
    pd_heap_release(&heap);
}

static void test_random(void)
{
    static const size_t sizes[] = {0, 1, 2, 3, 10, 100, 512};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t limit = 0; limit < 140; limit = 2 * limit + 1)
            for (uint64_t range = 1; range < 1u << 20; range *= 9)
                keeps_largest(sizes[i], limit, range, 1000 * i + limit);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/heap", tests);
}

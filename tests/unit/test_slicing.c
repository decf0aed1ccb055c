/* tests/unit/test_slicing.c - slices that fit, as few as must be, of about the same size. */
#include "run/stage/align/slicing.h"

#include "pardup/base/hash.h"
#include "pd_cunit.h"

enum { BINS = 1000 };

struct cut {
    size_t slices;
    uint64_t least, most, all; /* bytes */
};

static struct cut cut(const uint64_t *bins, uint64_t most)
{
    struct cut c = {.least = UINT64_MAX};
    for (size_t begin = 0, end; begin < BINS; begin = end) {
        uint64_t bytes = 0, sum = 0;
        end = pd_slice_end(bins, BINS, begin, most, &bytes);
        CU_ASSERT_TRUE_FATAL(begin < end && end <= BINS);
        for (size_t k = begin; k < end; k++)
            sum += bins[k];
        CU_ASSERT_EQUAL(bytes, sum);
        CU_ASSERT_TRUE(bytes <= most || end == begin + 1);
        c.slices++;
        c.all += bytes;
        c.least = bytes < c.least ? bytes : c.least;
        c.most = bytes > c.most ? bytes : c.most;
    }
    return c;
}

/* Sixty-nine of which sixty-four fit are two halves. */
static void test_halves(void)
{
    uint64_t bins[BINS];
    for (size_t k = 0; k < BINS; k++)
        bins[k] = 69;
    const struct cut c = cut(bins, pd_slice_even(bins, BINS, 64000));
    CU_ASSERT_EQUAL(c.slices, 2);
    CU_ASSERT_EQUAL(c.all, 69000);
    CU_ASSERT_TRUE(c.most - c.least <= 2 * 69);
}

static void test_random(void)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint64_t bins[BINS], all = 0, largest = 0;
        for (uint64_t k = 0; k < BINS; k++) {
            bins[k] = pd_mix(seed << 32 | k) % 1000;
            bins[k] = bins[k] < 300 ? 0 : bins[k];
            all += bins[k];
            largest = bins[k] > largest ? bins[k] : largest;
        }
        const uint64_t fits = 10 * largest + pd_mix(seed) % all,
                       even = pd_slice_even(bins, BINS, fits);
        const struct cut first = cut(bins, fits), c = cut(bins, even);
        const uint64_t needed = (all + fits - 1) / fits;
        CU_ASSERT_TRUE(even <= fits);
        CU_ASSERT_TRUE(c.slices <= first.slices);
        CU_ASSERT_TRUE(c.most <= all / needed + 1 + largest);
        CU_ASSERT_EQUAL(c.all, all);
    }
}

/* One bin that is more than fits, none at all, nothing in them. */
static void test_extremes(void)
{
    uint64_t bins[BINS] = {0};
    CU_ASSERT_EQUAL(cut(bins, pd_slice_even(bins, BINS, 10)).slices, 1);
    CU_ASSERT_EQUAL(cut(bins, pd_slice_even(bins, BINS, 0)).slices, 1);
    bins[500] = 100;
    const struct cut c = cut(bins, pd_slice_even(bins, BINS, 10));
    CU_ASSERT_EQUAL(c.slices, 3);
    CU_ASSERT_EQUAL(c.most, 100);
}

/* Replies of the next slice fill the room, unless the slice would be too short or too long. */
static void test_next(void)
{
    CU_ASSERT_EQUAL(pd_slice_next(100, 1000, 5000, 10, 4000), 500);
    CU_ASSERT_EQUAL(pd_slice_next(100, 1000, 50, 10, 4000), 10);
    CU_ASSERT_EQUAL(pd_slice_next(100, 1000, 50000, 10, 4000), 4000);
    CU_ASSERT_EQUAL(pd_slice_next(100, 0, 50, 10, 4000), 4000);
    CU_ASSERT_EQUAL(pd_slice_next(100, 1000, 50, 10, 7), 7);
    CU_ASSERT_EQUAL(pd_slice_next(UINT64_MAX, 1, UINT64_MAX, 10, 4000), 4000);
    CU_ASSERT_EQUAL(pd_slice_next(UINT64_MAX, UINT64_MAX, 60, 10, 4000), 60);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_halves), PD_TEST(test_random), PD_TEST(test_extremes),
        PD_TEST(test_next),   CU_TEST_INFO_NULL,
    };
    return pd_run_tests(argc, argv, "slicing", tests);
}

/* Rows of pairs, folded one behind the other, come back as they were. */
#include "pardup/passage/folded.h"

#include "pd_cunit.h"
#include "pd_random.h"

PD_VEC(pd_counts, size_t);

static uint32_t some(uint64_t *seed, int large)
{
    return large ? (uint32_t)pd_random(seed) : (uint32_t)pd_random_below(seed, 300);
}

static struct pd_row make_row(const struct pd_row *pair, uint64_t *seed)
{
    const int large = pd_random_below(seed, 4) == 0;
    struct pd_row row = *pair;
    row.starts = pd_ij(some(seed, large), some(seed, large));
    row.lengths = pd_ij(some(seed, large), some(seed, large));
    row.bytes_a = pd_ij(some(seed, large), some(seed, large));
    row.bytes_b = pd_ij(some(seed, large), some(seed, large));
    row.own_a = pd_ij(some(seed, large), some(seed, large));
    row.own_b = pd_ij(some(seed, large), some(seed, large));
    row.matched = some(seed, large);
    row.similarity = pd_random_below(seed, 2) ? 1 : 1 / (2.0 + some(seed, 0));
    const uint32_t words_a = some(seed, large);
    row.agreement = pd_random_below(seed, 2) ? 1 : 1 / (2.0 + some(seed, 0));
    row.words = pd_ij(words_a, row.agreement == 1 ? words_a : some(seed, large));
    return row;
}

static void add_pair(struct pd_rows *rows, struct pd_counts *counts, uint64_t *seed)
{
    const size_t n = 1 + pd_random_below(seed, 20);
    struct pd_row pair = {.a = pd_random(seed) >> pd_random_below(seed, 60)};
    pair.b = pair.a + 1 + pd_random_below(seed, 1000);
    pair.own = pd_ij(some(seed, 1), some(seed, 0));
    for (size_t k = 0; k < n; k++)
        pd_rows_push(rows, make_row(&pair, seed));
    pd_counts_push(counts, n);
}

static void test_rows_come_back(void)
{
    struct pd_rows want = {0}, got = {0};
    struct pd_counts counts = {0};
    struct pd_bytes bytes = {0};
    uint64_t seed = 3;
    size_t at = 0, row = 0;
    for (int pair = 0; pair < 2000; pair++)
        add_pair(&want, &counts, &seed);
    for (size_t k = 0; k < counts.n; row += counts.v[k++])
        pd_rows_fold(want.v + row, counts.v[k], &bytes);
    row = 0;
    for (size_t k = 0; k < counts.n; row += counts.v[k++]) {
        at += pd_rows_unfold(bytes.v + at, &got);
        CU_ASSERT_EQUAL_FATAL(got.n, row + counts.v[k]);
    }
    CU_ASSERT(memcmp(got.v, want.v, want.n * sizeof *got.v) == 0);
    CU_ASSERT_EQUAL(at, bytes.n);
    pd_rows_release(&want);
    pd_rows_release(&got);
    pd_counts_release(&counts);
    pd_bytes_release(&bytes);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {PD_TEST(test_rows_come_back), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/folded", tests);
}

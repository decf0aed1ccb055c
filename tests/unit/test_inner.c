/* Passages inside others are dropped, by definition and against all pairs compared. */
#include "pardup/passage/inner.h"

#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

static struct pd_row row(uint32_t begin_a, uint32_t end_a, uint32_t begin_b, uint32_t end_b)
{
    return (struct pd_row){.a = 1,
                           .b = 2,
                           .bytes_a = pd_ij(begin_a, end_a),
                           .bytes_b = pd_ij(begin_b, end_b),
                           .matched = 1};
}

static void test_by_hand(void)
{
    struct pd_row rows[] = {row(5, 9, 15, 19), row(0, 10, 10, 20), row(0, 10, 10, 20),
                            row(2, 12, 12, 22), row(5, 9, 30, 34)};
    struct pd_inner_keys keys = {0};
    CU_ASSERT_EQUAL(pd_inner_drop(rows, 5, &keys), 3);
    CU_ASSERT_EQUAL(rows[0].bytes_a, pd_ij(0, 10));  /* holds the first row; its twin is gone */
    CU_ASSERT_EQUAL(rows[1].bytes_a, pd_ij(2, 12));  /* overlaps only */
    CU_ASSERT_EQUAL(rows[2].bytes_b, pd_ij(30, 34)); /* inside in a, elsewhere in b */
    struct pd_row equal[] = {row(0, 10, 10, 20), row(0, 10, 10, 20), row(0, 10, 10, 20)};
    equal[1].matched = equal[2].matched = 7;
    equal[1].similarity = 0.5;
    CU_ASSERT_EQUAL(pd_inner_drop(equal, 3, &keys), 1);
    CU_ASSERT_EQUAL(equal[0].matched, 7);      /* most matched units */
    CU_ASSERT_EQUAL(equal[0].similarity, 0.5); /* and of these the first row */
    pd_inner_keys_release(&keys);
}

static int within(const struct pd_row *in, const struct pd_row *out)
{
    return in->bytes_a >> 32 >= out->bytes_a >> 32 &&
           (uint32_t)in->bytes_a <= (uint32_t)out->bytes_a &&
           in->bytes_b >> 32 >= out->bytes_b >> 32 &&
           (uint32_t)in->bytes_b <= (uint32_t)out->bytes_b;
}

static int same_place(const struct pd_row *x, const struct pd_row *y)
{
    return x->bytes_a == y->bytes_a && x->bytes_b == y->bytes_b;
}

static void test_against_all_pairs(void)
{
    enum { ROWS = 40 }; /* fewer than PD_INNER_REACH: then nothing is overlooked */
    struct pd_inner_keys keys = {0};
    uint64_t seed = 9;
    for (int round = 0; round < 500; round++) {
        struct pd_row rows[ROWS], want[ROWS];
        size_t n = 0;
        for (int k = 0; k < ROWS; k++) {
            const uint32_t a = pd_random_below(&seed, 20), b = pd_random_below(&seed, 20);
            rows[k] =
                row(a, a + 1 + pd_random_below(&seed, 8), b, b + 1 + pd_random_below(&seed, 8));
        }
        for (int k = 0; k < ROWS; k++) {
            int dropped = 0;
            for (int other = 0; other < ROWS; other++)
                dropped |= other != k && within(&rows[k], &rows[other]) &&
                           (!same_place(&rows[k], &rows[other]) || other < k);
            if (!dropped)
                want[n++] = rows[k];
        }
        CU_ASSERT_EQUAL(pd_inner_drop(rows, ROWS, &keys), n);
        CU_ASSERT_EQUAL(memcmp(rows, want, n * sizeof *rows), 0);
    }
    pd_inner_keys_release(&keys);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_by_hand), PD_TEST(test_against_all_pairs),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/inner", tests);
}

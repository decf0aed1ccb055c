/* Coverage counts sentences once; word edges stop where they should. */
#include "pardup/passage/pair.h"

#include "pardup/passage/edges.h"
#include "pd_cunit.h"

static struct pd_row row(uint32_t start_a, uint32_t length_a, uint32_t start_b, uint32_t length_b)
{
    return (struct pd_row){.a = 1,
                           .b = 2,
                           .starts = pd_ij(start_a, start_b),
                           .lengths = pd_ij(length_a, length_b),
                           .sentences = pd_ij(20, 10),
                           .matched = 4,
                           .similarity = 0.5};
}

static void test_coverage_is_of_the_union(void)
{
    const struct pd_row rows[] = {row(0, 5, 0, 4), row(3, 5, 0, 4), row(15, 2, 9, 1)};
    uint64_t scratch[3];
    const struct pd_pair p = pd_pair_of(rows, 3, scratch);
    CU_ASSERT_EQUAL(p.passages, 3);
    CU_ASSERT_EQUAL(p.matched, 12);
    CU_ASSERT_DOUBLE_EQUAL(p.score, 6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(p.coverage_a, 10 / 20.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(p.coverage_b, 5 / 10.0, 1e-12);
}

static uint32_t agree(uint32_t na, uint32_t near_a, uint32_t nb, uint32_t near_b)
{
    static const uint64_t a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 2, 3, 4, 5, 9};
    const struct pd_beyond x = {a, na, near_a}, y = {b, nb, near_b};
    return pd_edges_agree(&x, &y);
}

static void test_edges(void)
{
    CU_ASSERT_EQUAL(agree(6, 6, 6, 6), 5); /* the sixth words differ */
    CU_ASSERT_EQUAL(agree(3, 6, 6, 6), 3); /* document a ends */
    CU_ASSERT_EQUAL(agree(6, 2, 6, 2), 2); /* both have left their neighbour sentences */
    CU_ASSERT_EQUAL(agree(6, 2, 6, 4), 4); /* b has not */
    CU_ASSERT_EQUAL(agree(6, 0, 6, 0), 0); /* no neighbours */
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_coverage_is_of_the_union), PD_TEST(test_edges),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/pair", tests);
}

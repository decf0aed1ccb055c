/* Coverage counts own words once; thresholds of a pair; word edges stop where they should. */
#include "pardup/passage/pair.h"

#include <math.h>

#include "pardup/passage/edges.h"
#include "pd_cunit.h"

static struct pd_row row(uint32_t start_a, uint32_t length_a, uint32_t start_b, uint32_t length_b)
{
    return (struct pd_row){.a = 1,
                           .b = 2,
                           .own = pd_ij(20, 10),
                           .own_a = pd_ij(start_a, start_a + length_a),
                           .own_b = pd_ij(start_b, start_b + length_b),
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

static void test_coverage_in_any_order(void)
{
    const struct pd_row rows[] = {row(0, 5, 5, 4), row(3, 5, 0, 4), row(15, 2, 1, 1)};
    uint64_t scratch[3];
    const struct pd_pair p = pd_pair_of(rows, 3, scratch);
    CU_ASSERT_DOUBLE_EQUAL(p.coverage_a, 10 / 20.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(p.coverage_b, 8 / 10.0, 1e-12);
}

static void test_coverage_of_nothing(void)
{
    struct pd_row only = row(0, 5, 0, 0);
    uint64_t scratch[1];
    only.own = pd_ij(5, 0); /* it is not known how many words b has */
    const struct pd_pair p = pd_pair_of(&only, 1, scratch);
    CU_ASSERT_DOUBLE_EQUAL(p.coverage_a, 1, 0);
    CU_ASSERT(isnan(p.coverage_b));
}

static struct pd_passage passage(uint32_t matched, double similarity)
{
    return (struct pd_passage){.matched = matched, .similarity = similarity};
}

static void test_thresholds(void)
{
    const struct pd_passage v[] = {passage(4, 0.75), passage(2, 0.5)}; /* score 4, 6 matched */
    CU_ASSERT_TRUE(pd_pair_passes(v, 2, 0, 0));
    CU_ASSERT_TRUE(pd_pair_passes(v, 2, 4, 5));
    CU_ASSERT_FALSE(pd_pair_passes(v, 2, 4.000001, 5)); /* theta_d: at least */
    CU_ASSERT_FALSE(pd_pair_passes(v, 2, 4, 6));        /* delta: more than */
    CU_ASSERT_TRUE(pd_pair_passes(v, 1, 3, 3));
    CU_ASSERT_FALSE(pd_pair_passes(v, 0, 0, 0)); /* no passage, no pair */
}

static void test_score_is_added_up_in_order(void)
{
    const struct pd_passage up[] = {passage(1, 0.1), passage(1, 0.2), passage(1, 0.3)};
    const struct pd_passage down[] = {up[2], up[1], up[0]};
    CU_ASSERT_TRUE(pd_pair_passes(up, 3, 0.1 + 0.2 + 0.3, 2));
    CU_ASSERT_FALSE(pd_pair_passes(down, 3, 0.1 + 0.2 + 0.3, 2)); /* 0.6 and a little less */
}

static uint32_t agree(uint32_t na, uint32_t near_a, uint32_t nb, uint32_t near_b)
{
    static const struct pd_edge_word a[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}},
                                     b[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {9, 0}};
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
    static const CU_TestInfo tests[] = {PD_TEST(test_coverage_is_of_the_union),
                                        PD_TEST(test_coverage_in_any_order),
                                        PD_TEST(test_coverage_of_nothing),
                                        PD_TEST(test_thresholds),
                                        PD_TEST(test_score_is_added_up_in_order),
                                        PD_TEST(test_edges),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/pair", tests);
}

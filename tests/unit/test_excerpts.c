/* What holds for the excerpts of a dry run, by hand. */
#include "run/stage/collection/excerpts.h"

#include "pd_cunit.h"

static void test_enough(void)
{
    struct pd_excerpts all = {0}, cut = {.beginning = 100};
    const struct pd_piece piece = {.nstripes = 1, .from = 1000, .to = 1300};
    const struct pd_piece small = {.nstripes = 1, .from = 1000, .to = 1100};
    const struct pd_piece stripe = {.stripe = 1, .nstripes = 2, .from = 1000, .to = 1300};
    CU_ASSERT(!pd_excerpts_enough(&all, &piece, 1300));
    CU_ASSERT(!pd_excerpts_enough(&cut, &piece, 1099));
    CU_ASSERT(!pd_excerpts_enough(&cut, &small, 1100)); /* read whole */
    CU_ASSERT_EQUAL(cut.unread, 0);
    CU_ASSERT(pd_excerpts_enough(&cut, &piece, 1120));
    CU_ASSERT_EQUAL(cut.unread, 180);
    CU_ASSERT(pd_excerpts_enough(&cut, &stripe, 1120)); /* the first stripe has counted the rest */
    CU_ASSERT(pd_excerpts_enough(&cut, &piece, 1310));  /* read beyond its end */
    CU_ASSERT_EQUAL(cut.unread, 180);
}

static void test_find(void)
{
    struct pd_start starts[] = {{0, 500}, {2, 0}, {2, 700}};
    const struct pd_excerpts e = {.starts = starts, .n = 3};
    CU_ASSERT_EQUAL(pd_excerpts_find(&e, 0, 500), 0);
    CU_ASSERT_EQUAL(pd_excerpts_find(&e, 1, 9999), 0);
    CU_ASSERT_EQUAL(pd_excerpts_find(&e, 2, 0), 1);
    CU_ASSERT_EQUAL(pd_excerpts_find(&e, 2, 699), 1);
    CU_ASSERT_EQUAL(pd_excerpts_find(&e, 2, 700), 2);
    CU_ASSERT_EQUAL(pd_excerpts_find(&e, 9, 0), 2);
}

static void test_common(void)
{
    const struct pd_excerpts all = {0}, one = {.share = 0.1, .n = 1}, two = {.share = 0.1, .n = 2};
    CU_ASSERT(!pd_excerpts_common(&all, 1000, 0, 1, 300)); /* no dry run */
    CU_ASSERT(!pd_excerpts_common(&two, 1000, 0, 1, 0));   /* no limit */
    CU_ASSERT(!pd_excerpts_common(&two, 30, 0, 1, 300));   /* 300 in the whole, at most */
    CU_ASSERT(pd_excerpts_common(&two, 31, 0, 1, 300));
    CU_ASSERT(!pd_excerpts_common(&two, 31, 1, 1, 300)); /* all from one place */
    CU_ASSERT(pd_excerpts_common(&one, 31, 0, 0, 300));
    CU_ASSERT(!pd_excerpts_common(&two, 3, 0, 1, 2)); /* so few documents tell nothing */
    CU_ASSERT(pd_excerpts_common(&two, 4, 0, 1, 2));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_enough), PD_TEST(test_find),
                                        PD_TEST(test_common), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/excerpts", tests);
}

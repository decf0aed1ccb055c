/* The preset that a collection gets, by the kinds and the sizes of its documents. */
#include "run/preset.h"

#include "pd_cunit.h"

/* A collection of n documents, some of them pages, of 1,000 words each. */
static struct pd_totals totals(uint64_t n, uint64_t pages, uint64_t bytes_of_word)
{
    return (struct pd_totals){
        .documents = n, .pages = pages, .words = 1000 * n, .text_bytes = 1000 * n * bytes_of_word};
}

static void check(struct pd_totals t, double share, enum pd_preset preset)
{
    char why[PD_PRESET_WHY] = "";
    CU_ASSERT_EQUAL(pd_preset_for(&t, share, why), preset);
    CU_ASSERT(why[0] != 0);
}

static void test_kinds(void)
{
    check(totals(100, 51, 6), 1, PD_PRESET_WEB);
    check(totals(100, 50, 6), 1, PD_PRESET_TEXTS);
    check(totals(100, 0, 3), 1, PD_PRESET_CHARACTERS);
    check(totals(100, 100, 3), 1, PD_PRESET_WEB);
    check((struct pd_totals){.documents = 1}, 1, PD_PRESET_CHARACTERS); /* no word */
}

/* A few pages are compared like texts. Of an excerpt the size of the whole collection counts. */
static void test_sizes(void)
{
    check(totals(20, 20, 6), 1, PD_PRESET_TEXTS);
    check(totals(21, 21, 6), 1, PD_PRESET_WEB);
    check(totals(20, 20, 6), 0.5, PD_PRESET_WEB);
    check(totals(1000000, 0, 6), 1, PD_PRESET_TEXTS);
    check(totals(1000001, 0, 6), 1, PD_PRESET_WEB);
    check(totals(1000, 0, 6), 0.0005, PD_PRESET_WEB);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_kinds), PD_TEST(test_sizes),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/preset", tests);
}

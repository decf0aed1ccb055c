/* The preset that a collection gets, by the kinds and the sizes of its documents. */
#include "run/preset.h"

#include "pd_cunit.h"

#include <string.h>

/* A collection of n documents, some of them pages, of 1,000 words each. */
static struct pd_totals totals(uint64_t n, uint64_t pages, uint64_t single_in_1000)
{
    return (struct pd_totals){.documents = n,
                              .pages = pages,
                              .words = 1000 * n,
                              .single_words = n * single_in_1000,
                              .text_bytes = 4000 * n};
}

static void check_why(struct pd_totals t, double share, enum pd_preset preset, const char *said)
{
    char why[PD_PRESET_WHY] = "";
    CU_ASSERT_EQUAL(pd_preset_for(&t, share, why), preset);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, said));
    CU_ASSERT(strlen(why) + 1 < PD_PRESET_WHY);
}

static void check(struct pd_totals t, double share, enum pd_preset preset)
{
    check_why(t, share, preset, " ");
}

static void test_kinds(void)
{
    check(totals(100, 51, 0), 1, PD_PRESET_WEB);
    check(totals(100, 50, 0), 1, PD_PRESET_EDITED); /* short words are words all the same */
    check(totals(100, 0, 950), 1, PD_PRESET_CHARACTERS);
    check(totals(100, 100, 950), 1, PD_PRESET_WEB);
    check_why((struct pd_totals){.documents = 1}, 1, PD_PRESET_EDITED, "no document has text");
}

/* A collection in several scripts is compared as most of its words want, and the job says so. */
static void test_mixed(void)
{
    check_why(totals(100, 0, 501), 1, PD_PRESET_CHARACTERS, "the preset texts suits");
    check_why(totals(100, 0, 500), 1, PD_PRESET_EDITED, "the preset characters suits");
    check_why(totals(100, 0, 100), 1, PD_PRESET_EDITED, "10 % of the words");
    check_why(totals(100, 0, 99), 1, PD_PRESET_EDITED, "are texts");
    check_why(totals(100, 0, 901), 1, PD_PRESET_CHARACTERS,
              "90 % of the words are single characters");
}

/* A few pages are compared like texts. Of an excerpt the size of the whole collection counts. */
static void test_sizes(void)
{
    check(totals(20, 20, 0), 1, PD_PRESET_EDITED);
    check(totals(20000, 0, 0), 1, PD_PRESET_EDITED);
    check(totals(20001, 0, 0), 1, PD_PRESET_TEXTS);
    check(totals(20000, 0, 0), 0.9, PD_PRESET_TEXTS);
    check(totals(21, 21, 0), 1, PD_PRESET_WEB);
    check(totals(20, 20, 0), 0.5, PD_PRESET_WEB);
    check(totals(1000000, 0, 0), 1, PD_PRESET_TEXTS);
    check(totals(1000001, 0, 0), 1, PD_PRESET_WEB);
    check(totals(1000, 0, 0), 0.0005, PD_PRESET_WEB);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_kinds), PD_TEST(test_mixed),
                                        PD_TEST(test_sizes), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/preset", tests);
}

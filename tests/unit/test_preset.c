/* The preset that a collection gets, by the kinds and the sizes of its documents. */
#include "run/stage/preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_scratch.h"

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
    CU_ASSERT_EQUAL(pd_preset_for(&t, share, PD_WORDS_CHAR, why), preset);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, said));
    CU_ASSERT(strlen(why) + 1 < PD_PRESET_WHY);
}

static void check(struct pd_totals t, double share, enum pd_preset preset)
{
    check_why(t, share, preset, " ");
}

static void test_kinds(void)
{
    check_why(totals(100, 51, 0), 1, PD_PRESET_WEB,
              "51 of 100 documents are web pages or have a web address");
    check(totals(100, 50, 0), 1, PD_PRESET_EDITED); /* short words are words all the same */
    check(totals(100, 0, 950), 1, PD_PRESET_CHARACTERS);
    check(totals(100, 100, 501), 1, PD_PRESET_WEB); /* which weighs single characters */
    check_why((struct pd_totals){.documents = 1}, 1, PD_PRESET_EDITED, "no document has text");
}

/* A collection in several scripts. With few single characters the job says which preset knows them. */
static void test_mixed(void)
{
    check_why(totals(100, 0, 501), 1, PD_PRESET_CHARACTERS,
              "50 % of the words are single characters");
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

/* Letters are counted by their senders, and where a field of another format begins with a header. */
static void test_letters(void)
{
    struct pd_totals t = totals(100, 0, 0);
    t.letters = 50;
    CU_ASSERT_FALSE(pd_preset_for_letters(&t, 1)); /* half */
    t.fields.messages = 1;
    CU_ASSERT(pd_preset_for_letters(&t, 1));
    t = totals(20, 0, 0);
    t.letters = 20;
    CU_ASSERT_FALSE(pd_preset_for_letters(&t, 1)); /* a few are compared whole */
    CU_ASSERT(pd_preset_for_letters(&t, 0.9));
}

/* Are files of these names, the last of which exists and has this beginning, program text? */
static bool is_code(const char *const *names, size_t n, const char *beginning)
{
    struct pd_files files = {0};
    const char *path = scratch_write("script", beginning, strlen(beginning));
    for (size_t k = 0; k < n; k++)
        pd_files_push(&files, (struct pd_file){.path = (char *)names[k]});
    pd_files_push(&files, (struct pd_file){.path = (char *)path});
    const bool code = pd_preset_is_code(&files);
    free(files.v);
    return code;
}

static void test_code(void)
{
    static const char *const names[] = {"a/b.c", "A.PY", "c.txt", "d.c/README"};
    struct pd_totals t = totals(100, 100, 3);
    char why[PD_PRESET_WHY] = "";
    CU_ASSERT(is_code(names, 4, "#!/bin/sh\n"));
    CU_ASSERT_FALSE(is_code(names, 4, "# !"));
    CU_ASSERT_FALSE(is_code(names, 4, "#"));
    CU_ASSERT(is_code(names, 2, "#"));
    CU_ASSERT_FALSE(is_code(names, 1, "#")); /* half */
    CU_ASSERT_FALSE(is_code(names + 2, 2, "#!"));
    CU_ASSERT_EQUAL(pd_preset_for(&t, 1, PD_WORDS_CODE, why), PD_PRESET_CODE);
    CU_ASSERT(why[0] != 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_kinds),   PD_TEST(test_mixed),
                                        PD_TEST(test_sizes),   PD_TEST(test_code),
                                        PD_TEST(test_letters), CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "run/preset", tests);
}

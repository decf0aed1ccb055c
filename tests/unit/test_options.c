/* The option table: defaults, forms, ranges, and what is refused. */
#include "app/options.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pd_cunit.h"

static struct pd_options o;

static int parse(enum pd_command_id command, const char *line)
{
    static char copy[256];
    char *argv[32];
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    free(o.operands.v);
    return pd_options_parse(&o, command, argc, argv);
}

static void test_defaults(void)
{
    CU_ASSERT_EQUAL(parse(PD_COMMAND_DETECT, "-o x.h5 in"), PD_OK);
    CU_ASSERT_EQUAL(o.method.gamma, 3);
    CU_ASSERT_EQUAL(o.method.gap, 0);
    CU_ASSERT_EQUAL(o.method.max_df, 300);
    CU_ASSERT_EQUAL(o.method.edges, PD_EDGES_WORD);
    CU_ASSERT_DOUBLE_EQUAL(o.method.idf[0], 0.1, 0);
    CU_ASSERT_DOUBLE_EQUAL(o.method.idf[1], 1.0, 0);
    CU_ASSERT_STRING_EQUAL(o.output, "x.h5");
    CU_ASSERT_EQUAL(o.operands.n, 1);
}

static void test_forms(void)
{
    CU_ASSERT_EQUAL(parse(PD_COMMAND_DETECT,
                          "a --gamma=1 --gap 2 --memory 1.5 -o x b --strict --idf 0,0.5 -- --c"),
                    PD_EUSAGE); /* 1.5 is no whole number of bytes */
    pd_error_clear();
    CU_ASSERT_EQUAL(parse(PD_COMMAND_DETECT,
                          "a --gamma=1 --gap 2 --memory 2G -o x b --strict --idf 0,0.5 -- --c"),
                    PD_OK);
    CU_ASSERT_EQUAL(o.method.gamma, 1);
    CU_ASSERT_EQUAL(o.method.gap, 2);
    CU_ASSERT_EQUAL(o.job.memory, (int64_t)2 << 30);
    CU_ASSERT(o.input.strict);
    CU_ASSERT_DOUBLE_EQUAL(o.method.idf[1], 0.5, 0);
    CU_ASSERT_EQUAL(o.operands.n, 3);
    CU_ASSERT_STRING_EQUAL(o.operands.v[2], "--c");
    CU_ASSERT_EQUAL(parse(PD_COMMAND_EXPORT, "--format jsonl --table common r.h5"), PD_OK);
    CU_ASSERT_EQUAL(o.print.format, PD_ROWS_JSONL);
}

static void test_refused(void)
{
    static const char *const lines[] = {"-o x in --tau 7",
                                        "-o x in --tau 0",
                                        "-o x in --tau nan",
                                        "-o x in --gamma -1",
                                        "-o x in --gamma 1x",
                                        "-o x in --gamma",
                                        "-o x in --bogus 1",
                                        "-o x in --edges",
                                        "-o x in --edges all",
                                        "-o x in --idf 0.5",
                                        "-o x in --idf 1,0",
                                        "-o x in --idf 0,2",
                                        "-o x in --strict=1",
                                        "-o x in --memory 10Q",
                                        "-o x",
                                        "in",
                                        "-o x in --offsets",
                                        "-o x in --method no",
                                        "-o x in --gap 1e3",
                                        "-o x in -x"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        CU_ASSERT_EQUAL(parse(PD_COMMAND_DETECT, lines[k]), PD_EUSAGE);
        CU_ASSERT(pd_error_text()[0] != '\0');
        pd_error_clear();
    }
    CU_ASSERT_EQUAL(parse(PD_COMMAND_SHOW, "a.h5 b.h5"), PD_EUSAGE);
    pd_error_clear();
    free(o.operands.v);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_defaults), PD_TEST(test_forms),
                                        PD_TEST(test_refused), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "app/options", tests);
}

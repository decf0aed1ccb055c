/* tests/unit/test_csv.c - tables of comma-separated values. */
#include "pardup/corpus/csv.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pd_cunit.h"

/* Read a text, and write it again with a bar behind each value and a slash behind each row. */
static void check(const char *text, const char *want)
{
    struct pd_csv c = {.rows = 0};
    char got[256] = "";
    CU_ASSERT_EQUAL(pd_csv_read(&c, "t.csv", (const unsigned char *)text, strlen(text)), PD_OK);
    for (size_t row = 0; row <= c.rows && c.columns; row++) {
        for (size_t k = 0; k < c.columns; k++)
            strcat(strcat(got, row ? pd_csv_cell(&c, row - 1, k) : pd_csv_name(&c, k)), "|");
        strcat(got, "/");
    }
    CU_ASSERT_STRING_EQUAL(got, want);
    pd_csv_release(&c);
}

static void check_wrong(const char *text, size_t n, const char *want)
{
    struct pd_csv c = {.rows = 0};
    CU_ASSERT_EQUAL(pd_csv_read(&c, "t.csv", (const unsigned char *)text, n), PD_EFORMAT);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), want);
    pd_error_clear();
    pd_csv_release(&c);
}

static void test_tables(void)
{
    check("a,b\n1,2\n", "a|b|/1|2|/");
    check("\xef\xbb\xbf"
          "a,b\r\n1,2",
          "a|b|/1|2|/");
    check("a,b\n\"x, y\",\"say \"\"no\"\"\"\n", "a|b|/x, y|say \"no\"|/");
    check("a,b\n\"two\r\nlines\",\n\n,\n", "a|b|/two\r\nlines||/||/");
    check("a\n\"\"\nx\ry\n", "a|/|/x\ry|/");
    check("a\n5\" disk\n", "a|/5\" disk|/");
    check("a", "a|/");
    check("a;b\n\"1;\";2,3\n", "a|b|/1;|2,3|/");
    check("\xef\xbb\xbf"
          "a\tb\r\n1;\t2,\r\n",
          "a|b|/1;|2,|/");
    check("a,b;c\td\n1;2,3\n", "a|b;c\td|/1;2|3|/");
    check("\"a,b\";c\n1;2\n", "a,b|c|/1|2|/");
    check("a\n1;2\n", "a|/1;2|/");
}

static void test_wrong(void)
{
    check_wrong("", 0, "t.csv: has no header with the names of its columns");
    check_wrong("a,b\n1\n", 6, "t.csv: line 2: 1 values, but the header names 2 columns");
    check_wrong("a\n\"x\ny\"\n\"z\n\n", 12, "t.csv: line 4: a quote without its end");
    check_wrong("a\n\"x\"y\n", 7, "t.csv: line 2: text behind the closing quote of a value");
    check_wrong("a\n\xff\n", 4, "t.csv: line 2: bytes that are no UTF-8");
    check_wrong("a\nx\0y\n", 6, "t.csv: line 2: a byte that is NUL");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_tables), PD_TEST(test_wrong),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "corpus/csv", tests);
}

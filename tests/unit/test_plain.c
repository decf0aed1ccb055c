/* tests/unit/test_plain.c - text of others, as a person may see it. */
#include "pardup/base/plain.h"

#include <string.h>

#include "pardup/base/json.h"

#include <string.h>

#include "pd_cunit.h"

static void check(const char *text, size_t n, const char *want)
{
    char line[64];
    CU_ASSERT_EQUAL(pd_plain_line(line, sizeof line, text, n), strlen(want));
    CU_ASSERT_STRING_EQUAL(line, want);
}

static void test_escapes(void)
{
    check("plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", 17,
          "plain \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
    check("a\nb\rc\td\0e", 9, "a\\nb\\rc\\td\\x00e");
    check("\x1b[2J\x7f", 5, "\\x1b[2J\\x7f");
    check("\xC2\x9B", 2, "\\u009b");                                       /* C1 */
    check("\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C", 8, "\\u202e\\u2066\\u061c"); /* directions */
    check("\xE2\x80\xA8\xE2\x80\xA9", 6, "\\u2028\\u2029");                /* line ends */
}

static void test_broken(void)
{
    check("\xFF\xC2", 2, "\\xff\\xc2");
    check("\x9B", 1, "\\x9b");
    check("\xC0\x9B", 2, "\\xc0\\x9b");                   /* overlong */
    check("\xE0\x80\x9B", 3, "\\xe0\\x80\\x9b");          /* overlong */
    check("\xED\xA0\x80", 3, "\\xed\\xa0\\x80");          /* a surrogate */
    check("\xF4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"); /* beyond Unicode */
    check("\xE2\x80", 2, "\\xe2\\x80");                   /* cut off */
}

static void test_room(void)
{
    char line[8];
    CU_ASSERT_EQUAL(pd_plain_line(line, 1, "abc", 3), 0);
    CU_ASSERT_EQUAL(pd_plain_line(line, sizeof line, "abcdefghij", 10), 7);
    CU_ASSERT_STRING_EQUAL(line, "abcdefg");
    CU_ASSERT_EQUAL(pd_plain_line(line, sizeof line, "abcd\x1b", 5), 4); /* no half escape */
    CU_ASSERT_STRING_EQUAL(line, "abcd");
    CU_ASSERT_EQUAL(pd_plain_line(line, sizeof line, "abcdef\xC3\xA9", 8), 6);
    CU_ASSERT_STRING_EQUAL(line, "abcdef");
}

/* JSON escapes quotes, backslashes and all that does something to a terminal; the rest stays. */
static void test_json(void)
{
    static const char text[] = "a\"b\\c\n\x01\x7f\xC2\x9B\xE2\x80\xAE\xFF\xC3\xA9/";
    static const char want[] =
        "\"a\\\"b\\\\c\\n\\u0001\\u007f\\u009b\\u202e\xef\xbf\xbd\xC3\xA9/\"";
    struct pd_bytes json = {0};
    pd_json_quote(&json, text, sizeof text - 1);
    CU_ASSERT_EQUAL(json.n, sizeof want - 1);
    CU_ASSERT(json.n == sizeof want - 1 && memcmp(json.v, want, json.n) == 0);
    pd_bytes_release(&json);
}

/* What is printed of a text, and whether it differs from the text. */
static void test_lines(void)
{
    static const struct {
        const char *s, *printed;
        size_t n;
    } texts[] = {{"a", "a", 1},
                 {"", "", 0},
                 {NULL, "", 0},
                 {"a\nb", "a\\nb", 3},
                 {"a\0", "a\\x00", 2},
                 {"\xff\x1b", "\\xff\\x1b", 2},
                 {"\u202e.", "\\u202e.", 4}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const char *s = texts[k].s;
        const size_t n = texts[k].n;
        char line[64];
        CU_ASSERT_EQUAL(pd_plain_line(line, sizeof line, s, n), strlen(texts[k].printed));
        const bool same = n == strlen(line) && (n == 0 || memcmp(s, line, n) == 0);
        CU_ASSERT_EQUAL(pd_plain_changes(s, n), !same);
        CU_ASSERT_STRING_EQUAL(line, texts[k].printed);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_escapes), PD_TEST(test_broken),
                                        PD_TEST(test_room),    PD_TEST(test_json),
                                        PD_TEST(test_lines),   CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/plain", tests);
}

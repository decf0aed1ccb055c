/* Line ends that are only where a line was full: exactly from which width on. */
#include "document/sentence/lines.h"

#include <string.h>

#include "pardup/base/bytes.h"
#include "pd_cunit.h"

enum { WIDTH = 64, FULL = WIDTH - WIDTH / 8 }; /* a line needing more is full */

static void add_line(struct pd_bytes *text, size_t columns, const char *letter)
{
    const char first[] = "Word ";
    pd_bytes_append(text, first, sizeof first - 1);
    for (size_t k = sizeof first - 1; k < columns; k++)
        pd_bytes_append(text, letter, strlen(letter));
}

/* The first line end of a paragraph of such lines, and a last one of WIDTH. */
static enum pd_gap_kind first_gap(size_t columns, const char *letter)
{
    struct pd_bytes made = {0}, text = {0}; /* exactly as long as the text, for sanitizers */
    add_line(&made, columns, letter);
    const size_t end = made.n;
    for (int k = 0; k < 3; k++) {
        pd_bytes_push(&made, '\n');
        add_line(&made, k < 2 ? columns : WIDTH, letter);
    }
    pd_bytes_append(&text, made.v, made.n);
    struct pd_lines lines;
    pd_lines_open(&lines, text.v, text.n);
    const struct pd_gap gap = pd_lines_gap(&lines, end);
    CU_ASSERT_EQUAL(gap.to, end + 1);
    CU_ASSERT_EQUAL(gap.line, end + 1);
    pd_bytes_release(&made);
    pd_bytes_release(&text);
    return gap.kind;
}

static void test_full(void)
{
    const size_t word = sizeof " Word" - 1;
    CU_ASSERT_EQUAL(first_gap(FULL - word + 1, "o"), PD_GAP_SPACE);
    CU_ASSERT_EQUAL(first_gap(FULL - word, "o"), PD_GAP_LINE);
    CU_ASSERT_EQUAL(first_gap(FULL - word + 1, "é"), PD_GAP_SPACE);
    CU_ASSERT_EQUAL(first_gap(FULL - word, "é"), PD_GAP_LINE);
    CU_ASSERT_EQUAL(first_gap(WIDTH, "o"), PD_GAP_SPACE);
}

/* What is known of the next line is kept as pd_lines_open() would find it. */
static void test_enter(void)
{
    static const struct {
        const char *text;
        unsigned depth;
        bool empty, paragraph;
    } cases[] = {
        {"one\n  two", 0, false, false},   {"one\n> two", 1, false, true},
        {"one\n > > two", 2, false, true}, {"one\n---", 0, true, true},
        {"one\n\n> two", 1, false, true},  {"one\n \n", 0, true, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pd_lines lines;
        pd_lines_open(&lines, (const unsigned char *)cases[k].text, strlen(cases[k].text));
        const struct pd_gap gap = pd_lines_gap(&lines, strlen("one"));
        pd_lines_enter(&lines, &gap);
        CU_ASSERT_EQUAL(lines.depth, cases[k].depth);
        CU_ASSERT_EQUAL(lines.empty, cases[k].empty);
        CU_ASSERT_EQUAL(lines.fresh, cases[k].paragraph);
        CU_ASSERT_EQUAL(lines.line, gap.line);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_full), PD_TEST(test_enter), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/lines", tests);
}

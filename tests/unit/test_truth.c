/* Truth files of both kinds, what is wrong with them, and offsets in characters. */
#include "tools/eval/truth.h"

#include <string.h>
#include <sys/stat.h>

#include "pd_cunit.h"
#include "pd_scratch.h"

enum { WIDTH = 8 };
static const char ids[][WIDTH] = {
    "a", "dir/b", "c", "c", {'f', 'u', 'l', 'l', '-', 'l', 'e', 'n'}}; /* the last fills its row */
enum { DOCUMENTS = sizeof ids / sizeof *ids };

static struct pd_truth fresh(bool last_component)
{
    struct pd_truth t = {.only_listed = false};
    pd_error_clear();
    pd_truth_documents(&t, ids[0], WIDTH, DOCUMENTS, last_component);
    return t;
}

static int read_text(struct pd_truth *t, const char *text)
{
    return pd_truth_read(t, scratch_write("truth.tsv", text, strlen(text)));
}

static bool same(struct pd_match m, uint64_t a, uint64_t begin_a, uint64_t end_a, uint64_t b,
                 uint64_t begin_b, uint64_t end_b)
{
    return m.a == a && m.begin_a == begin_a && m.end_a == end_a && m.b == b &&
           m.begin_b == begin_b && m.end_b == end_b;
}

static void test_lines(void)
{
    struct pd_truth t = fresh(false);
    CU_ASSERT_EQUAL(read_text(&t, "# comment\n"
                                  "\n"
                                  "a\t1\t2\tdir/b\t30\t40\n"
                                  "c\t5\t6\ta\t7\t8\tlate\tmore\tcolumns\r\n"
                                  "a\tc\n"
                                  "c\ta\tlate\r\n"
                                  "a\t1\t2\tfull-len\t3\t4\t"),
                    PD_OK);
    CU_ASSERT_EQUAL(t.cases.n, 3);
    CU_ASSERT(same(t.cases.v[0], 0, 1, 2, 1, 30, 40));
    CU_ASSERT(same(t.cases.v[1], 0, 7, 8, 2, 5, 6)); /* in order; the first of two ids "c" */
    CU_ASSERT(same(t.cases.v[2], 0, 1, 2, 4, 3, 4));
    CU_ASSERT_EQUAL(t.cases.v[0].class, 0);
    CU_ASSERT_EQUAL(t.cases.v[2].class, 0); /* an empty class is none */
    CU_ASSERT_STRING_EQUAL(pd_truth_class(&t, t.cases.v[1].class), "late");
    CU_ASSERT_EQUAL(t.labels.n, 2);
    CU_ASSERT_EQUAL(t.labels.v[1].a, 0);
    CU_ASSERT_EQUAL(t.labels.v[1].b, 2);
    CU_ASSERT_EQUAL(t.labels.v[1].class, t.cases.v[1].class);
    CU_ASSERT_EQUAL(t.labels.v[0].kind, PD_LABEL_DUPLICATE);
    CU_ASSERT_EQUAL(t.unknown.n, 0);
    CU_ASSERT(!t.only_listed);
    pd_truth_release(&t);
}

static void test_unknown_documents(void)
{
    struct pd_truth t = fresh(false);
    CU_ASSERT_EQUAL(read_text(&t, "x\t1\t2\ta\t3\t4\nx\t1\t2\ty\t3\t4\ny\tb\n"), PD_OK);
    CU_ASSERT_EQUAL(t.unknown.n, 3); /* b is dir/b only by its last component */
    CU_ASSERT_STRING_EQUAL(pd_truth_unknown(&t, 0), "x");
    CU_ASSERT_STRING_EQUAL(pd_truth_unknown(&t, 1), "y");
    CU_ASSERT_STRING_EQUAL(pd_truth_unknown(&t, 2), "b");
    CU_ASSERT(same(t.cases.v[0], 0, 3, 4, DOCUMENTS, 1, 2));
    CU_ASSERT(same(t.cases.v[1], DOCUMENTS, 1, 2, DOCUMENTS + 1, 3, 4));
    pd_truth_release(&t);
}

static void test_bad_lines(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"# one\na\t1\t2\tb\n", ":2: columns 2 and 4 must be units"},
        {"only\n", ":1: expected 6 columns"},
        {"a\t1\t2\tb\t3\n", ":1: columns 2 and 4 must be units"},
        {"a\t1\tb\t3\na\t1\t2\tb\t3\t4\n", ":2: pairs of units and passages cannot be mixed"},
        {"a\t1\t2\tb\t3\t4\na\t1\tb\t3\n", ":2: pairs of units and passages cannot be mixed"},
        {"a\t1\tx\tb\t3\t4\n", ":1: columns 2, 3, 5 and 6"},
        {"a\t-1\t2\tb\t3\t4\n", ":1: columns 2, 3, 5 and 6"},
        {"a\t1\t2\tb\t3\t4 \n", ":1: columns 2, 3, 5 and 6"},
        {"a\t1\t2\tb\t3\t99999999999999999999\n", ":1: columns 2, 3, 5 and 6"},
        {"a\t2\t2\tb\t3\t4\n", ":1: a passage must end after it begins"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct pd_truth t = fresh(false);
        CU_ASSERT_EQUAL(read_text(&t, bad[k].text), PD_EFORMAT);
        CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), bad[k].says));
        pd_truth_release(&t);
    }
    struct pd_truth t = fresh(false);
    CU_ASSERT_EQUAL(pd_truth_read(&t, scratch_path("missing")), PD_EIO);
    pd_truth_release(&t);
}

static void test_too_many_classes(void)
{
    struct pd_bytes text = {0};
    for (int k = 0; k <= 1000; k++)
        put(&text, "a\tc\t%d\n", k);
    pd_bytes_append(&text, "", 1);
    struct pd_truth t = fresh(false);
    CU_ASSERT_EQUAL(read_text(&t, (char *)text.v), PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), ":1001: more than 1000 classes"));
    pd_truth_release(&t);
    pd_bytes_release(&text);
}

static void test_ignored(void)
{
    struct pd_truth t = fresh(false);
    const char *text = "# doc\tbegin\tend\tkind\n"
                       "dir/b\t50\t60\thost\nc\t0\t5\na\t20\t30\na\t25\t40\na\t40\t41\na\t2\t4\n";
    CU_ASSERT_EQUAL(pd_truth_read_ignored(&t, scratch_write("ignore.tsv", text, strlen(text))),
                    PD_OK);
    pd_ignored_merge(&t.ignored);
    CU_ASSERT_EQUAL_FATAL(t.ignored.n, 4);
    CU_ASSERT(t.ignored.v[1].doc == 0 && t.ignored.v[1].begin == 20 && t.ignored.v[1].end == 41);
    const struct pd_match m[] = {
        {.a = 0, .begin_a = 0, .end_a = 50, .b = 1, .begin_b = 55, .end_b = 70},
        {.a = 0,
         .begin_a = 20,
         .end_a = 41,
         .b = 1,
         .begin_b = 0,
         .end_b = 9}, /* all of one side */
        {.a = 0, .begin_a = 41, .end_a = 42, .b = 1, .begin_b = 49, .end_b = 50},
        {.a = 3, .begin_a = 0, .end_a = 9, .b = 4, .begin_b = 1, .end_b = 2},
    };
    struct pd_matches found = {0};
    for (size_t k = 0; k < sizeof m / sizeof *m; k++)
        pd_matches_push(&found, m[k]);
    CU_ASSERT_EQUAL(pd_ignored_cut(&t.ignored, &found), 1);
    CU_ASSERT_EQUAL_FATAL(found.n, 3);
    CU_ASSERT(same(found.v[0], 0, 0, 27, 1, 50, 60));
    CU_ASSERT(same(found.v[1], 0, 18, 19, 1, 49, 50));
    CU_ASSERT(same(found.v[2], 3, 0, 9, 4, 1, 2)); /* nothing to ignore there */
    pd_matches_release(&found);
    CU_ASSERT_EQUAL(pd_truth_read_ignored(&t, scratch_write("ignore.tsv", "a\t1\n", 4)),
                    PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), ":1: expected 3 columns"));
    pd_truth_release(&t);
}

static void write_text(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static void test_pan(void)
{
    mkdir(scratch_path("pan"), 0700);
    mkdir(scratch_path("pan/02-some"), 0700);
    mkdir(scratch_path("pan/01-none"), 0700);
    mkdir(scratch_path("pan/other"), 0700);
    write_text("pan/01-none/pairs", "c a\n");
    write_text("pan/01-none/c-a.xml", "<document reference=\"c\">\n</document>\n");
    write_text("pan/02-some/pairs", "b a\r\n\nlost.txt a");
    write_text("pan/02-some/b-a.xml",
               "<?xml version='1.0'?>\n<document  reference='b'>\n"
               "<feature name=\"about\" this_offset=\"1\" />\n"
               "<feature name=\"plagiarism\" source_length=\"5\" source_offset=\"10\"\n"
               " source_reference=\"a\" this_length=\"7\" this_offset=\"100\"/></document>");
    write_text("pan/02-some/lost-a.xml", "<document reference=\"lost.txt\"></document>");
    write_text("pairs", "a c\n"); /* beside pan/, not in it */
    struct pd_truth t = fresh(true);
    CU_ASSERT_EQUAL(pd_truth_read_pan(&t, scratch_path("pan")), PD_OK);
    CU_ASSERT_EQUAL(t.cases.n, 1);
    CU_ASSERT(same(t.cases.v[0], 0, 10, 15, 1, 100, 107));    /* b is dir/b; in order of rows */
    CU_ASSERT_STRING_EQUAL(pd_truth_class(&t, 1), "01-none"); /* folders in order of name */
    CU_ASSERT_STRING_EQUAL(pd_truth_class(&t, t.cases.v[0].class), "02-some");
    CU_ASSERT_EQUAL(t.unknown.n, 1); /* lost.txt */
    CU_ASSERT(t.only_listed);
    pd_truth_sort(&t);
    struct pd_matches found = {0};
    for (uint64_t k = 0; k < 4; k++)
        pd_matches_push(&found, (struct pd_match){.a = k / 3, .b = 1 + k % 3});
    CU_ASSERT_EQUAL(pd_truth_judge(&t, &found), 2); /* listed are (0, 1) and (0, 2) */
    CU_ASSERT(found.n == 2 && found.v[0].b == 1 && found.v[1].b == 2);
    pd_matches_release(&found);
    pd_truth_release(&t);

    t = fresh(true);
    CU_ASSERT_EQUAL(pd_truth_read_pan(&t, scratch_path("pan/02-some/b-a.xml")), PD_OK);
    CU_ASSERT(t.cases.n == 1 && t.cases.v[0].class == 0);
    pd_truth_release(&t);
}

static void test_bad_pan(void)
{
    static const struct {
        const char *pairs, *xml, *says;
    } bad[] = {
        {"a\n", "", "has no second document"},
        {"a c\n", "<document reference=\"a\"", "not closed"},
        {"a c\n", "<nothing/>", "no <document"},
        {"a c\n", "<document reference=\"a\"><feature name=\"plagiarism\" this_offset=\"1\"/>",
         "has no offsets"},
        {"a c\n",
         "<document reference=\"a\"><feature name=\"plagiarism\" this_offset=\"1\" "
         "this_length=\"0\" source_offset=\"1\" source_length=\"1\" source_reference=\"c\"/>",
         "has length 0"},
        {"a x\n", "", "a-x.xml: No such file"},
    };
    mkdir(scratch_path("bad"), 0700);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct pd_truth t = fresh(true);
        write_text("bad/pairs", bad[k].pairs);
        write_text("bad/a-c.xml", bad[k].xml);
        CU_ASSERT(pd_truth_read_pan(&t, scratch_path("bad")) < 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), bad[k].says));
        pd_truth_release(&t);
    }
    struct pd_truth t = fresh(true);
    mkdir(scratch_path("empty"), 0700);
    CU_ASSERT_EQUAL(pd_truth_read_pan(&t, scratch_path("empty")), PD_EFORMAT);
    pd_truth_release(&t);
}

static void test_characters(void)
{
    /*                    bytes      0 1    3      6     10 11 */
    static const char text[] = "x\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80y";
    static const uint64_t bytes[] = {0, 0, 1, 3, 6, 10, 11, 14}, chars[] = {0, 0, 1, 2, 3, 4, 5, 8};
    enum { N = sizeof bytes / sizeof *bytes };
    uint64_t got[N];
    struct pd_mark marks[N];
    for (int k = 0; k < N; k++)
        marks[k] = (struct pd_mark){0, bytes[k], &got[k]};
    pd_marks_to_chars((const unsigned char *)text, strlen(text), marks, N);
    CU_ASSERT_EQUAL(memcmp(got, chars, sizeof got), 0);
    for (int k = 0; k < N; k++)
        marks[k].at = chars[k];
    pd_marks_to_bytes((const unsigned char *)text, strlen(text), marks, N);
    CU_ASSERT_EQUAL(memcmp(got, bytes, sizeof got), 0);
}

static void test_many_names(void)
{
    enum { NAMES = 5000 };
    struct pd_names t = {0};
    char name[16];
    int right = 1;
    for (uint64_t round = 0; round < 2; round++)
        for (uint64_t k = 0; k < NAMES; k++) {
            const int n = snprintf(name, sizeof name, "%llu", (unsigned long long)k);
            right &= pd_names_put(&t, name, (size_t)n, k + round * NAMES) == k;
        }
    CU_ASSERT(right);
    CU_ASSERT_EQUAL(t.names.n, NAMES);
    CU_ASSERT_EQUAL(pd_names_put(&t, "", 0, NAMES), NAMES); /* an empty name is a name */
    pd_names_release(&t);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_lines),      PD_TEST(test_unknown_documents),
                                        PD_TEST(test_bad_lines),  PD_TEST(test_too_many_classes),
                                        PD_TEST(test_ignored),    PD_TEST(test_pan),
                                        PD_TEST(test_bad_pan),    PD_TEST(test_characters),
                                        PD_TEST(test_many_names), CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "tools/eval/truth", tests);
}

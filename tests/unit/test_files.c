/* tests/unit/test_files.c - lists of files: order, links, what is wrong with a path. */
#include "pardup/corpus/files.h"

#include <sys/stat.h>

#include "pd_cunit.h"
#include "pd_scratch.h"

static void make_tree(void)
{
    static int made;
    if (made++)
        return;
    const char *const dirs[] = {"tree", "tree/a", "tree/a/deep", "tree/b", "elsewhere"};
    for (size_t k = 0; k < sizeof dirs / sizeof *dirs; k++)
        PD_CHECK(mkdir(scratch_path(dirs[k]), 0700) == 0);
    scratch_write("tree/a/2", "two", 3);
    scratch_write("tree/a/deep/1", "", 0);
    scratch_write("tree/a.txt", "text", 4); /* '.' sorts before '/' */
    scratch_write("tree/b/\xc3\xa9", "e", 1);
    scratch_write("tree/b/z", "z", 1);
    scratch_write("elsewhere/file", "12345", 5);
    PD_CHECK(symlink("../elsewhere/file", scratch_path("tree/link")) == 0);
    PD_CHECK(symlink("../elsewhere", scratch_path("tree/linked_dir")) == 0);
    PD_CHECK(symlink("nowhere", scratch_path("tree/dangling")) == 0);
    PD_CHECK(mkfifo(scratch_path("tree/fifo"), 0600) == 0);
}

static void check_tree(const struct pd_files *files, size_t from)
{
    static const struct {
        const char *path;
        uint64_t bytes;
    } want[] = {{"tree/a.txt", 4}, {"tree/a/2", 3},        {"tree/a/deep/1", 0},
                {"tree/b/z", 1},   {"tree/b/\xc3\xa9", 1}, {"tree/link", 5}};
    const size_t n = sizeof want / sizeof *want;
    CU_ASSERT_EQUAL(files->n, from + n);
    for (size_t k = 0; k < n && from + k < files->n; k++) {
        CU_ASSERT_STRING_EQUAL(files->v[from + k].path, scratch_path(want[k].path));
        CU_ASSERT_EQUAL(files->v[from + k].bytes, want[k].bytes);
    }
}

static void test_directory(void)
{
    struct pd_files files = {0};
    make_tree();
    CU_ASSERT_EQUAL(pd_files_add(&files, scratch_path("tree"), NULL), PD_OK);
    check_tree(&files, 0);
    pd_files_free(&files);
    CU_ASSERT_EQUAL(files.n, 0);
}

static void test_trailing_slash_is_not_doubled(void)
{
    struct pd_files files = {0};
    make_tree();
    CU_ASSERT_EQUAL(pd_files_add(&files, scratch_path("tree/"), NULL), PD_OK);
    check_tree(&files, 0);
    pd_files_free(&files);
}

static void test_given_order_is_kept(void)
{
    struct pd_files files = {0};
    make_tree();
    CU_ASSERT_EQUAL(pd_files_add(&files, scratch_path("tree/b/z"), NULL), PD_OK);
    CU_ASSERT_EQUAL(pd_files_add(&files, scratch_path("tree/b/z"), NULL), PD_OK);
    CU_ASSERT_EQUAL(pd_files_add(&files, scratch_path("tree"), NULL), PD_OK);
    CU_ASSERT_EQUAL(files.n, 8);
    CU_ASSERT_STRING_EQUAL(files.v[1].path, scratch_path("tree/b/z"));
    check_tree(&files, 2);
    pd_files_free(&files);
}

static void test_given_link_to_directory_is_followed(void)
{
    struct pd_files files = {0};
    make_tree();
    CU_ASSERT_EQUAL(pd_files_add(&files, scratch_path("tree/linked_dir"), NULL), PD_OK);
    CU_ASSERT_EQUAL(files.n, 1);
    CU_ASSERT_STRING_EQUAL(files.v[0].path, scratch_path("tree/linked_dir/file"));
    pd_files_free(&files);
}

static void check_failure(int status, const char *path, const char *why)
{
    CU_ASSERT_EQUAL(status, PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), why));
    pd_error_clear();
}

static void test_what_cannot_be_listed(void)
{
    struct pd_files files = {0};
    make_tree();
    const char *missing = scratch_path("missing"), *fifo = scratch_path("tree/fifo");
    check_failure(pd_files_add(&files, missing, NULL), missing, "No such file");
    check_failure(pd_files_add(&files, fifo, NULL), fifo, "neither");
    check_failure(pd_files_add_list(&files, missing, false, NULL), missing, "No such file");
    CU_ASSERT_EQUAL(files.n, 0);
    if (geteuid() != 0) { /* root may read everything */
        const char *closed = scratch_path("tree/b");
        PD_CHECK(chmod(closed, 0) == 0);
        check_failure(pd_files_add(&files, scratch_path("tree"), NULL), closed,
                      "Permission denied");
        PD_CHECK(chmod(closed, 0700) == 0);
    }
    pd_files_free(&files);
}

static void test_list(void)
{
    struct pd_files files = {0};
    struct pd_bytes text = {0};
    make_tree();
    put(&text, "%s\n\n%s\n", scratch_path("tree/b/z"), scratch_path("tree"));
    put(&text, "%s", scratch_path("elsewhere/file")); /* no line end */
    CU_ASSERT_EQUAL(pd_files_add_list(&files, scratch_write("list", text.v, text.n), false, NULL),
                    PD_OK);
    CU_ASSERT_EQUAL(files.n, 8);
    CU_ASSERT_STRING_EQUAL(files.v[0].path, scratch_path("tree/b/z"));
    CU_ASSERT_STRING_EQUAL(files.v[7].path, scratch_path("elsewhere/file"));
    put(&text, "\nmissing/file\n%s\n", scratch_path("tree"));
    check_failure(pd_files_add_list(&files, scratch_write("list", text.v, text.n), false, NULL),
                  "missing/file", "No such file");
    pd_bytes_release(&text);
    pd_files_free(&files);
}

/* The list v[0, n) names tree/b/z, and then elsewhere/file. */
static void check_list(int line, const struct pd_bytes *text, bool null)
{
    struct pd_files files = {0};
    const char *list = scratch_write("list", text->v, text->n);
    const bool same = pd_files_add_list(&files, list, null, NULL) == PD_OK && files.n == 2 &&
                      strcmp(files.v[0].path, scratch_path("tree/b/z")) == 0 &&
                      strcmp(files.v[1].path, scratch_path("elsewhere/file")) == 0;
    if (!same)
        fprintf(stderr, "line %d: %zu files: %s\n", line, files.n, pd_error_text());
    CU_ASSERT(same);
    pd_error_clear();
    pd_files_free(&files);
}

static void test_how_names_end(void)
{
    struct pd_bytes text = {0};
    char a[4200], b[4200]; /* copies: the paths of scratch_path() do not last */
    make_tree();
    snprintf(a, sizeof a, "%s", scratch_path("tree/b/z"));
    snprintf(b, sizeof b, "%s", scratch_path("elsewhere/file"));
    put(&text, "\xef\xbb\xbf%s\r\n\r\n%s\r\n", a, b);
    check_list(__LINE__, &text, false);
    text.n -= 2;
    check_list(__LINE__, &text, false);
    for (int null = 0; null < 2; null++)
        for (int end = 0; end < 3; end++) { /* nothing, NUL, or NUL and LF behind the last name */
            text.n = 0;
            put(&text, "%s%c%s", a, 0, b);
            if (end > 0)
                put(&text, "%c%s", 0, end > 1 ? "\n" : "");
            check_list(__LINE__, &text, null);
        }
    text.n = 0;
    put(&text, "%s%c", scratch_write("new\nline\r", "x", 1), 0);
    struct pd_files files = {0};
    CU_ASSERT_EQUAL(pd_files_add_list(&files, scratch_write("list", text.v, text.n), true, NULL),
                    PD_OK);
    text.n = 0;
    put(&text, "%s\n", scratch_write("cr\r", "x", 1));
    CU_ASSERT_EQUAL(pd_files_add_list(&files, scratch_write("list", text.v, text.n), false, NULL),
                    PD_OK);
    CU_ASSERT_EQUAL(files.n, 2);
    pd_bytes_release(&text);
    pd_files_free(&files);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_directory),
                                        PD_TEST(test_trailing_slash_is_not_doubled),
                                        PD_TEST(test_given_order_is_kept),
                                        PD_TEST(test_given_link_to_directory_is_followed),
                                        PD_TEST(test_what_cannot_be_listed),
                                        PD_TEST(test_list),
                                        PD_TEST(test_how_names_end),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "files", tests);
}

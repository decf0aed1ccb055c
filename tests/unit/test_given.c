/* tests/unit/test_given.c - names that people give to documents. */
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/result/given.h"
#include "pd_cunit.h"

static struct pd_names names;
static struct pd_given given;

/* Take names, up to NULL, and ids of documents, up to NULL. */
static void begin(const char *const *wanted, const char *const *ids)
{
    names = (struct pd_names){.text = {0}};
    for (uint64_t k = 0; wanted[k]; k++)
        pd_names_put(&names, wanted[k], strlen(wanted[k]), k);
    pd_given_open(&given, &names);
    for (; *ids; ids++)
        pd_given_see(&given, *ids, strlen(*ids), NULL, 0);
    pd_given_settle(&given);
}

static void end(void)
{
    pd_given_release(&given);
    pd_names_release(&names);
}

/* The name that means the document, from 0; -1: none does. */
static int means(const char *id)
{
    const uint64_t k = pd_given_find(&given, id, strlen(id), UINT64_MAX);
    return k == UINT64_MAX ? -1 : (int)k;
}

static void test_parts_of_paths(void)
{
    static const char *const wanted[] = {"a.txt", "b", "in/c", "d.tar", "e.v2", "/f", ".g", NULL};
    static const char *const ids[] = {"x/y/a.txt", "x/b.txt.gz", "x/in/c.html",
                                      "d.tar.gz",  "z/e.v2.txt", "r/f",
                                      "r/.g",      "r/h.g",      NULL};
    static const int meant[] = {0, 1, 2, 3, 4, -1, 6, -1};
    begin(wanted, ids);
    for (size_t k = 0; ids[k]; k++)
        CU_ASSERT_EQUAL(means(ids[k]), meant[k]);
    CU_ASSERT_EQUAL(pd_given_check(&given, "test", NULL), PD_OK);
    end();
}

/* An id is stronger than a name of a file, an address too; a name of two files means none. */
static void test_order(void)
{
    static const char *const wanted[] = {"a", "b", "http://c/", NULL}, *const none[] = {NULL};
    static const uint64_t found[] = {0, 1, 1};
    begin(wanted, none);
    pd_given_see(&given, "x/a", 3, NULL, 0);
    pd_given_see(&given, "a", 1, "http://a/", 9);
    pd_given_see(&given, "x/b", 3, NULL, 0);
    pd_given_see(&given, "y/b.txt", 7, NULL, 0);
    pd_given_see(&given, "u1", 2, "http://c/", 9);
    pd_given_see(&given, "u2", 2, "http://c/", 9);
    pd_given_settle(&given);
    CU_ASSERT_EQUAL(means("a"), 0);
    CU_ASSERT_EQUAL(means("x/a"), -1);
    CU_ASSERT_EQUAL(means("x/b"), -1);
    CU_ASSERT_EQUAL(means("u1"), 2);
    CU_ASSERT_EQUAL(means("u2"), 2);
    CU_ASSERT_EQUAL(pd_given_find_page(&given, "u3", 2, "http://c/", 9, 7), 2);
    CU_ASSERT_EQUAL(pd_given_check(&given, "test", NULL), PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "test: b may be x/b or y/b.txt: "));
    CU_ASSERT_EQUAL(pd_given_check(&given, "test", found), PD_OK); /* b is an id after all */
    end();
}

/* The same file twice in a list of files, and documents with one id, are one. */
static void test_same_id(void)
{
    static const char *const wanted[] = {"a", NULL}, *const ids[] = {"x/a", "x/a", NULL};
    begin(wanted, ids);
    CU_ASSERT_EQUAL(means("x/a"), 0);
    CU_ASSERT_EQUAL(pd_given_check(&given, "test", NULL), PD_OK);
    end();
}

static void test_letters(void)
{
    static const char *const wanted[] = {"Mu\xcc\x88ller", "M\xc3\xbcnch", "\xff", "./z", NULL};
    static const char *const ids[] = {"M\xc3\xbcller", "x/Mu\xcc\x88nch.txt", "\xff", "z", NULL};
    begin(wanted, ids);
    for (int k = 0; ids[k]; k++)
        CU_ASSERT_EQUAL(means(ids[k]), k);
    end();
}

int main(int argc, char **argv)
{
    const CU_TestInfo tests[] = {PD_TEST(test_parts_of_paths), PD_TEST(test_order),
                                 PD_TEST(test_same_id), PD_TEST(test_letters), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "given", tests);
}

/* The error record: the first failure since it was emptied. */
#include "pardup/base/error.h"

#include <string.h>

#include "pd_cunit.h"

static void test_first_reason_is_told(void)
{
    pd_error_clear();
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "");
    CU_ASSERT_EQUAL(pd_fail(PD_EIO, "disk %d is full", 7), PD_EIO);
    CU_ASSERT_EQUAL(pd_fail(PD_EFORMAT, "the file is cut short"), PD_EFORMAT);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "disk 7 is full");
    pd_error_clear();
    CU_ASSERT_EQUAL(pd_fail(PD_EFORMAT, "cut short"), PD_EFORMAT);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "cut short");
    pd_error_clear();
}

static void test_adopted_reason_replaces(void)
{
    CU_ASSERT_EQUAL(pd_fail(PD_EIO, "mine"), PD_EIO);
    CU_ASSERT_EQUAL(pd_error_adopt(PD_EFORMAT, "rank 2: theirs"), PD_EFORMAT);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "rank 2: theirs");
    CU_ASSERT_EQUAL(pd_fail(PD_EIO, "later"), PD_EIO);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "rank 2: theirs");
    pd_error_clear();
}

static void test_long_reason_is_cut(void)
{
    char text[2 * PD_ERROR_TEXT];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CU_ASSERT_EQUAL(pd_fail(PD_EIO, "%s", text), PD_EIO);
    CU_ASSERT_EQUAL(strlen(pd_error_text()), PD_ERROR_TEXT - 1);
    pd_error_clear();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_first_reason_is_told),
                                        PD_TEST(test_adopted_reason_replaces),
                                        PD_TEST(test_long_reason_is_cut), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/error", tests);
}

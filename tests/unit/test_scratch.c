/* The job's folder: one for each result, however the path of the result is spelt. */
#include "run/scratch/scratch.h"

#include "pd_cunit.h"
#include "pd_scratch.h"

static struct pd_comm alone;

static struct pd_scratch open_for(const char *output)
{
    struct pd_options o = {.output = output, .job = {.scratch = scratch_dir}};
    struct pd_scratch s;
    CU_ASSERT_EQUAL_FATAL(pd_scratch_open(&s, &alone, &o), PD_OK);
    return s;
}

/* Two jobs that write two results in one folder do not share scratch. */
static void test_a_folder_for_each_result(void)
{
    const char *const outputs[] = {"x.h5", "y.h5", "../x.h5", "../y.h5"};
    enum { N = sizeof outputs / sizeof *outputs };
    struct pd_scratch s[N];
    for (int k = 0; k < N; k++)
        s[k] = open_for(outputs[k]);
    for (int k = 0; k < N; k++)
        for (int other = 0; other < k; other++)
            CU_ASSERT_STRING_NOT_EQUAL(s[k].dir, s[other].dir);
    for (int k = 0; k < N; k++)
        pd_scratch_close(&s[k]);
}

/* A second job for the same result is refused, also if it spells the path in another way. */
static void test_a_result_has_one_folder(void)
{
    struct pd_options o = {.output = "./x.h5", .job = {.scratch = scratch_dir}};
    struct pd_scratch first = open_for("x.h5"), second;
    CU_ASSERT_EQUAL(pd_scratch_open(&second, &alone, &o), PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "in use by another job"));
    pd_error_clear();
    pd_scratch_close(&first);
    CU_ASSERT_EQUAL(pd_scratch_open(&second, &alone, &o), PD_OK);
    pd_scratch_close(&second);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_a_folder_for_each_result),
                                        PD_TEST(test_a_result_has_one_folder), CU_TEST_INFO_NULL};
    pd_comm_alone(&alone);
    scratch_open();
    return pd_run_tests(argc, argv, "run/scratch", tests);
}

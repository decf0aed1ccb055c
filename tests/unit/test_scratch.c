/* The job's folder: one for each result, however the path of the result is spelt; and its manifests. */
#include "run/scratch/manifest.h"

#include <stdio.h>
#include <unistd.h>

#include "pardup/base/log.h"
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

static void write_file(const char *path, const unsigned char *v, size_t n)
{
    FILE *f = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(v, 1, n, f), n);
    fclose(f);
}

/* A manifest comes back as it was written; cut short anywhere, changed or renamed it is empty. */
static void test_manifests(void)
{
    static const char lines[] = "stage read\nfiles 3\n";
    struct pd_scratch s = open_for("x.h5");
    struct pd_bytes text = {0}, got = {0};
    unsigned char stored[200];
    pd_bytes_print(&text, "%s", lines);
    CU_ASSERT_EQUAL(pd_manifest_write(&s, "one", &text), PD_OK);
    CU_ASSERT(pd_manifest_read(&s, "one", &got));
    CU_ASSERT_STRING_EQUAL((const char *)got.v, lines);
    FILE *f = fopen(pd_scratch_file(&s, "one"), "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    const size_t n = fread(stored, 1, sizeof stored, f);
    fclose(f);
    CU_ASSERT(n > text.n && n < sizeof stored);
    for (size_t k = 0; k < n; k++) {
        write_file(pd_scratch_file(&s, "one"), stored, k);
        CU_ASSERT_FALSE(pd_manifest_read(&s, "one", &got));
        CU_ASSERT_EQUAL(got.n, 0);
        stored[k] ^= 1;
        write_file(pd_scratch_file(&s, "one"), stored, n);
        CU_ASSERT_FALSE(pd_manifest_read(&s, "one", &got));
        stored[k] ^= 1;
    }
    write_file(pd_scratch_file(&s, "two"), stored, n);
    CU_ASSERT_FALSE(pd_manifest_read(&s, "two", &got));
    write_file(pd_scratch_file(&s, "one"), stored, n);
    CU_ASSERT(pd_manifest_read(&s, "one", &got));
    unlink(pd_scratch_file(&s, "one"));
    unlink(pd_scratch_file(&s, "two"));
    pd_bytes_release(&text);
    pd_bytes_release(&got);
    pd_scratch_close(&s);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_a_folder_for_each_result),
                                        PD_TEST(test_a_result_has_one_folder),
                                        PD_TEST(test_manifests), CU_TEST_INFO_NULL};
    pd_comm_alone(&alone);
    pd_log_open(0, 1, PD_LOG_ERROR); /* each damage would be told */
    scratch_open();
    return pd_run_tests(argc, argv, "run/scratch", tests);
}

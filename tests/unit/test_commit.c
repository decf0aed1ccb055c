/* A file is synced before it gets its name, and its folder afterwards. */
#include "pardup/store/commit.h"

#include <signal.h>
#include <sys/resource.h>

#include "pd_cunit.h"
#include "pd_scratch.h"
#include "pd_synced.h"

static FILE *begin(const char *tmp)
{
    FILE *f = fopen(tmp, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs("text", f);
    synced.files = synced.folders = 0;
    return f;
}

static void test_synced(void)
{
    const char *tmp = scratch_path("a.part"), *path = scratch_path("a");
    CU_ASSERT_EQUAL(pd_file_commit(begin(tmp), tmp, path), PD_OK);
    CU_ASSERT_EQUAL(synced.files, 1);
    CU_ASSERT_EQUAL(synced.folders, 1);
    CU_ASSERT_EQUAL(access(path, R_OK), 0);
    CU_ASSERT_NOT_EQUAL(access(tmp, R_OK), 0);
}

static void test_not_synced(void)
{
    const char *tmp = scratch_path("b.part"), *path = scratch_path("b");
    FILE *f = begin(tmp);
    synced.fails = true;
    CU_ASSERT_EQUAL(pd_file_commit(f, tmp, path), PD_EIO);
    CU_ASSERT_NOT_EQUAL(access(path, R_OK), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    pd_error_clear();
}

/* A new file is there when it is closed, and nothing of one that failed. */
static void test_new_file(void)
{
    const char *part = scratch_path("n.part"), *path = scratch_path("n");
    struct pd_new_file n;
    CU_ASSERT_EQUAL(pd_new_file_open(&n, NULL, strdup(path)), PD_OK);
    CU_ASSERT_EQUAL(pd_new_file_close(&n, PD_ESTOP), PD_ESTOP);
    CU_ASSERT_NOT_EQUAL(access(part, F_OK), 0);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);

    fclose(begin(part)); /* of an earlier try */
    CU_ASSERT_EQUAL(pd_new_file_open(&n, NULL, strdup(path)), PD_OK);
    CU_ASSERT_EQUAL(access(part, F_OK), 0);
    CU_ASSERT_EQUAL(pd_new_file_close(&n, PD_OK), PD_OK);
    CU_ASSERT_NOT_EQUAL(access(part, F_OK), 0);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);

    CU_ASSERT_EQUAL(pd_new_file_open(&n, NULL, strdup("/nowhere/n")), PD_EIO);
    CU_ASSERT_EQUAL(pd_new_file_close(&n, PD_EIO), PD_EIO);
    CU_ASSERT_STRING_EQUAL(pd_error_text(), "/nowhere/n.part: No such file or directory");
    pd_error_clear();
}

/* A disk that cannot keep the new name: the names are as before. */
static void test_folder_not_synced(void)
{
    const char *tmp = scratch_path("e.part"), *path = scratch_path("e");
    FILE *f = begin(tmp);
    synced.folder_fails = true;
    CU_ASSERT_EQUAL(pd_file_commit(f, tmp, path), PD_EIO);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    CU_ASSERT_EQUAL(access(tmp, F_OK), 0);
    pd_error_clear();

    FILE *old = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(old);
    fputs("older", old);
    CU_ASSERT_EQUAL(fclose(old), 0);
    f = begin(tmp);
    synced.folder_fails = true;
    CU_ASSERT_EQUAL(pd_file_commit(f, tmp, path), PD_EIO);
    struct stat st;
    CU_ASSERT_EQUAL(stat(path, &st), 0);
    CU_ASSERT_EQUAL(st.st_size, 5);
    pd_error_clear();

    CU_ASSERT_EQUAL(pd_file_commit(begin(tmp), tmp, path), PD_OK);
    CU_ASSERT_EQUAL(stat(path, &st), 0);
    CU_ASSERT_EQUAL(st.st_size, 4);
    CU_ASSERT_NOT_EQUAL(access(tmp, F_OK), 0);
}

static void test_not_renamed(void)
{
    const char *tmp = scratch_path("c.part"), *path = scratch_path("none/c");
    CU_ASSERT_EQUAL(pd_file_commit(begin(tmp), tmp, path), PD_EIO);
    CU_ASSERT_EQUAL(synced.folders, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    pd_error_clear();
}

/* A write that failed earlier leaves a hole, although all later ones succeed. */
static void test_not_written(void)
{
    const char *tmp = scratch_path("d.part"), *path = scratch_path("d");
    struct rlimit before, low;
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    low = (struct rlimit){.rlim_cur = 4096, .rlim_max = before.rlim_max};
    FILE *f = begin(tmp);
    signal(SIGXFSZ, SIG_IGN);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &low), 0);
    for (int k = 0; k < 100000; k++)
        fputs("text", f);
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    CU_ASSERT_EQUAL(pd_file_commit(f, tmp, path), PD_EIO);
    CU_ASSERT_NOT_EQUAL(access(path, R_OK), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), path));
    pd_error_clear();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_synced),      PD_TEST(test_not_synced),  PD_TEST(test_folder_not_synced),
        PD_TEST(test_not_renamed), PD_TEST(test_not_written), PD_TEST(test_new_file),
        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "store/commit", tests);
}

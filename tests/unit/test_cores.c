/* tests/unit/test_cores.c - the cores that a job may use, as its affinity and its cgroups say. */
#include "pardup/base/cores.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/folder.h"
#include "pd_cunit.h"
#include "pd_scratch.h"

static char root[4200];

/* Write a file below `root`, with the folders above it. */
static void write_file(const char *path, const char *text)
{
    char all[4400], folder[4400];
    snprintf(all, sizeof all, "%s/%s", root, path);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(all, '/') - all), all);
    CU_ASSERT_EQUAL_FATAL(pd_folder_make(folder), 0);
    FILE *f = fopen(all, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fputs(text, f);
    fclose(f);
}

/* Cores in the affinity of this process. */
static int affinity(void)
{
    cpu_set_t set;
    CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof set, &set), 0);
    return CPU_COUNT(&set);
}

static int least(int a, int b) { return a < b ? a : b; }

static void test_affinity(void)
{
    cpu_set_t all, one;
    snprintf(root, sizeof root, "%s", scratch_path("affinity"));
    CU_ASSERT_EQUAL(pd_cores(root), affinity());
    CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int k = 0; CPU_COUNT(&one) == 0; k++)
        if (CPU_ISSET(k, &all))
            CPU_SET(k, &one);
    CU_ASSERT_EQUAL_FATAL(sched_setaffinity(0, sizeof one, &one), 0);
    CU_ASSERT_EQUAL(pd_cores(root), 1);
    CU_ASSERT_EQUAL_FATAL(sched_setaffinity(0, sizeof all, &all), 0);
}

static void test_version_2(void)
{
    const int all = affinity();
    snprintf(root, sizeof root, "%s", scratch_path("v2"));
    write_file("proc/self/cgroup", "0::/a/b\n");
    write_file("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    CU_ASSERT_EQUAL(pd_cores(root), all);
    write_file("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"); /* one and a half */
    CU_ASSERT_EQUAL(pd_cores(root), least(2, all));
    write_file("sys/fs/cgroup/a/cpu.max", "20000 100000\n"); /* a cgroup above it */
    CU_ASSERT_EQUAL(pd_cores(root), 1);
    write_file("sys/fs/cgroup/a/cpu.max", "20000 0\n");
    CU_ASSERT_EQUAL(pd_cores(root), least(2, all));
}

static void test_version_1(void)
{
    const int all = affinity();
    snprintf(root, sizeof root, "%s", scratch_path("v1"));
    write_file("proc/self/cgroup", "5:memory:/z\n4:cpu,cpuacct:/job\n");
    write_file("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    write_file("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    CU_ASSERT_EQUAL(pd_cores(root), all);
    write_file("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "100000\n");
    CU_ASSERT_EQUAL(pd_cores(root), 1);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_affinity), PD_TEST(test_version_2),
                                        PD_TEST(test_version_1), CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "base/cores", tests);
}

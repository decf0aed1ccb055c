/* tests/unit/test_cores.c - the cores that a job may use, as its affinity and its cgroups say. */
#include "pardup/base/cores.h"

#include <sched.h>

#include "pd_cunit.h"
#include "pd_root.h"

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
    root_begin("affinity");
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
    root_begin("v2");
    root_write("proc/self/cgroup", "0::/a/b\n");
    root_write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    CU_ASSERT_EQUAL(pd_cores(root), all);
    root_write("sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"); /* one and a half */
    CU_ASSERT_EQUAL(pd_cores(root), least(2, all));
    root_write("sys/fs/cgroup/a/cpu.max", "20000 100000\n"); /* a cgroup above it */
    CU_ASSERT_EQUAL(pd_cores(root), 1);
    root_write("sys/fs/cgroup/a/cpu.max", "20000 0\n");
    CU_ASSERT_EQUAL(pd_cores(root), least(2, all));
}

static void test_version_1(void)
{
    const int all = affinity();
    root_begin("v1");
    root_write("proc/self/cgroup", "5:memory:/z\n4:cpu,cpuacct:/job\n");
    root_write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    root_write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    CU_ASSERT_EQUAL(pd_cores(root), all);
    root_write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "100000\n");
    CU_ASSERT_EQUAL(pd_cores(root), 1);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_affinity), PD_TEST(test_version_2),
                                        PD_TEST(test_version_1), CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "base/cores", tests);
}

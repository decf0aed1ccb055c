/* tests/unit/test_memory_limit.c - what a job may use, as cgroups and Slurm say it. */
#include "pardup/base/memory_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pd_cunit.h"
#include "pd_root.h"

static void begin(const char *name)
{
    root_begin(name);
    unsetenv("SLURM_MEM_PER_NODE");
    unsetenv("SLURM_MEM_PER_CPU");
    unsetenv("SLURM_CPUS_ON_NODE");
}

static void test_no_limit(void)
{
    const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    begin("none");
    CU_ASSERT_EQUAL(pd_memory_limit(root), all);
    root_write("proc/self/cgroup", "0::/a\n");
    root_write("sys/fs/cgroup/a/memory.max", "max\n");
    CU_ASSERT_EQUAL(pd_memory_limit(root), all);
    root_write("proc/self/cgroup", "4:memory:/a\n3:cpu,cpuacct\n\nodd\n");
    root_write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    CU_ASSERT_EQUAL(pd_memory_limit(root), all);
}

static void test_version_2(void)
{
    begin("v2");
    root_write("proc/self/cgroup", "0::/a/b/c\n");
    root_write("sys/fs/cgroup/a/b/c/memory.max", "5000000\n");
    CU_ASSERT_EQUAL(pd_memory_limit(root), 5000000);
    root_write("sys/fs/cgroup/a/memory.max", "3000000\n"); /* a cgroup above it */
    CU_ASSERT_EQUAL(pd_memory_limit(root), 3000000);
    root_write("sys/fs/cgroup/a/b/memory.max", "4000000\n");
    CU_ASSERT_EQUAL(pd_memory_limit(root), 3000000);
    root_write("sys/fs/cgroup/memory.max", "2000000\n"); /* the root, as a container sees it */
    CU_ASSERT_EQUAL(pd_memory_limit(root), 2000000);
}

static void test_version_1(void)
{
    begin("v1");
    root_write("proc/self/cgroup", "5:cpu,cpuacct:/z\n4:hugetlb,memory:/job/step\n0::/\n");
    root_write("sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "7000000\n");
    CU_ASSERT_EQUAL(pd_memory_limit(root), 7000000);
    root_write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "6000000\n");
    CU_ASSERT_EQUAL(pd_memory_limit(root), 6000000);
}

static void test_slurm(void)
{
    begin("slurm");
    setenv("SLURM_MEM_PER_CPU", "3", 1);
    CU_ASSERT_EQUAL(pd_memory_limit(root), 3 << 20);
    setenv("SLURM_CPUS_ON_NODE", "4", 1);
    CU_ASSERT_EQUAL(pd_memory_limit(root), 12 << 20);
    setenv("SLURM_MEM_PER_NODE", "8", 1);
    CU_ASSERT_EQUAL(pd_memory_limit(root), 8 << 20);
    root_write("proc/self/cgroup", "0::/a\n");
    root_write("sys/fs/cgroup/a/memory.max", "5000000\n");
    CU_ASSERT_EQUAL(pd_memory_limit(root), 5000000);
    setenv("SLURM_MEM_PER_NODE", "0", 1); /* all of the node, here limited by CPU */
    unsetenv("SLURM_MEM_PER_CPU");
    CU_ASSERT_EQUAL(pd_memory_limit(root), 5000000);
    begin("slurm");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_no_limit), PD_TEST(test_version_2),
                                        PD_TEST(test_version_1), PD_TEST(test_slurm),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "base/memory_limit", tests);
}

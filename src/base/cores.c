/* base/cores.c - see include/pardup/base/cores.h */
#include "pardup/base/cores.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "cgroup.h"

/* Read up to two numbers of a file. Returns how many there are. */
static int numbers_in(const char *folder, const char *name, unsigned long long v[2])
{
    char path[3 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    const int n = f ? fscanf(f, "%llu %llu", &v[0], &v[1]) : 0;
    if (f)
        fclose(f);
    return n;
}

/* Cores that the quota of a cgroup pays for: processor time in each period. */
static uint64_t quota_in(const char *folder, int version)
{
    unsigned long long v[2] = {0, 0}, period[2] = {0, 0};
    if (version == 2) { /* "max 100000", or "250000 100000" */
        if (numbers_in(folder, "cpu.max", v) != 2)
            return UINT64_MAX;
        period[0] = v[1];
    } else if (numbers_in(folder, "cpu.cfs_quota_us", v) != 1 || /* -1: no quota */
               numbers_in(folder, "cpu.cfs_period_us", period) != 1) {
        return UINT64_MAX;
    }
    if (v[0] == 0 || v[0] > LLONG_MAX || period[0] == 0) /* fscanf reads -1 as a large number */
        return UINT64_MAX;
    return (v[0] - 1) / period[0] + 1;
}

/* Cores in the affinity of this process. */
static int affinity(void)
{
    enum { MOST = 1 << 16 }; /* cores: more than any machine has */
    const size_t bytes = CPU_ALLOC_SIZE(MOST);
    cpu_set_t *set = CPU_ALLOC(MOST);
    const int got = set ? sched_getaffinity(0, bytes, set) : -1;
    const int n = got == 0 ? CPU_COUNT_S(bytes, set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (set)
        CPU_FREE(set);
    return n < 1 ? 1 : n;
}

int pd_cores(const char *root)
{
    const int n = affinity();
    const uint64_t quota = pd_cgroup_least(root, "cpu", quota_in);
    return quota < (uint64_t)n ? (int)quota : n;
}

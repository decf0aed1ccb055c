/* base/memory_limit.c - see include/pardup/base/memory_limit.h */
#include "pardup/base/memory_limit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cgroup.h"

static const uint64_t slurm_unit = 1 << 20; /* Slurm gives memory in MiB */

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The number in a file; UINT64_MAX: there is no file, or it says "max". */
static uint64_t number_in(const char *path)
{
    unsigned long long n;
    FILE *f = fopen(path, "r");
    const int read = f ? fscanf(f, "%llu", &n) : 0;
    if (f)
        fclose(f);
    return read == 1 ? n : UINT64_MAX;
}

static uint64_t limit_in(const char *folder, int version)
{
    char path[3 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder,
             version == 2 ? "memory.max" : "memory.limit_in_bytes");
    return number_in(path);
}

/* A variable of the environment as a number; 0: not set, or no number. */
static uint64_t variable(const char *name)
{
    const char *text = getenv(name);
    return text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : 0;
}

/* What Slurm has granted on this node; 0 there means all of it. */
static uint64_t slurm_limit(void)
{
    const uint64_t node = variable("SLURM_MEM_PER_NODE"), cpu = variable("SLURM_MEM_PER_CPU");
    const uint64_t cpus = variable("SLURM_CPUS_ON_NODE");
    const uint64_t granted = node ? node : cpu * (cpus ? cpus : 1);
    return granted && granted < UINT64_MAX / slurm_unit ? granted * slurm_unit : UINT64_MAX;
}

uint64_t pd_memory_limit(const char *root)
{
    const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return least(all, least(pd_cgroup_least(root, "memory", limit_in), slurm_limit()));
}

uint64_t pd_mapped_memory(void)
{
    FILE *f = fopen("/proc/self/status", "r"); /* Linux; see proc(5) */
    char line[256];
    unsigned long long kilobytes = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "RssFile: %llu kB", &kilobytes) == 1)
            break;
    if (f)
        fclose(f);
    return kilobytes << 10;
}

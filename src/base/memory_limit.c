/* base/memory_limit.c - see include/pardup/base/memory_limit.h */
#include "pardup/base/memory_limit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/*
 * The least limit of a cgroup and the cgroups above it.
 *   mount  the folder of the hierarchy
 *   group  the path of the cgroup in it; a container may see another path, so the mount counts, too
 */
static uint64_t limit_of(const char *mount, char *group, const char *file)
{
    char path[2 * PATH_MAX];
    uint64_t limit = UINT64_MAX;
    for (char *end;; *end = '\0') {
        snprintf(path, sizeof path, "%s%s/%s", mount, group, file);
        limit = least(limit, number_in(path));
        if (!(end = strrchr(group, '/')))
            return limit;
    }
}

/* A line of /proc/self/cgroup is "number:controllers:path"; version 2 has no controllers. */
static uint64_t limit_of_line(const char *root, char *line)
{
    char mount[PATH_MAX];
    char *controllers = strchr(line, ':'),
         *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group)
        return UINT64_MAX;
    *group++ = '\0';
    controllers++;
    if (*controllers == '\0') {
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
        return limit_of(mount, group, "memory.max");
    }
    for (char *name; (name = strsep(&controllers, ","));)
        if (strcmp(name, "memory") == 0) {
            snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/memory", root);
            return limit_of(mount, group, "memory.limit_in_bytes");
        }
    return UINT64_MAX;
}

static uint64_t cgroup_limit(const char *root)
{
    char line[PATH_MAX];
    uint64_t limit = UINT64_MAX;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *f = fopen(line, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        limit = least(limit, limit_of_line(root, line));
    }
    if (f)
        fclose(f);
    return limit;
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
    return least(all, least(cgroup_limit(root), slurm_limit()));
}

/* base/memory_limit.h - how much main memory a job may use on this machine; what files take of it. */
#ifndef PARDUP_BASE_MEMORY_LIMIT_H
#define PARDUP_BASE_MEMORY_LIMIT_H

#include <stdint.h>

/*
 * Bytes that all processes of the job on this machine may use together: the least of the main
 * memory, the limits of the cgroup of this process and the cgroups above it (versions 1 and 2), and
 * what Slurm has granted (SLURM_MEM_PER_NODE, or SLURM_MEM_PER_CPU for each CPU of the node).
 *   root  the folder in which /proc and /sys are, "" except in tests
 */
uint64_t pd_memory_limit(const char *root);

/* Bytes of files that this process has mapped and touched, the program among them; 0: unknown. */
uint64_t pd_mapped_memory(void);

#endif

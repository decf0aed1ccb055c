/* base/cgroup.h - the limits that a container or a batch system sets for this process. */
#ifndef PARDUP_BASE_CGROUP_H
#define PARDUP_BASE_CGROUP_H

#include <stdint.h>

/*
 * The least limit of the cgroup of this process and the cgroups above it, versions 1 and 2;
 * UINT64_MAX: no limit.
 *   root        the folder in which /proc and /sys are, "" except in tests
 *   controller  "memory" or "cpu"
 *   limit_in    the limit that the files in `folder` say, of a cgroup of this version; UINT64_MAX:
 *               none
 */
uint64_t pd_cgroup_least(const char *root, const char *controller,
                         uint64_t (*limit_in)(const char *folder, int version));

#endif

/* base/cores.h - how many cores the processes of a job may use on this machine. */
#ifndef PARDUP_BASE_CORES_H
#define PARDUP_BASE_CORES_H

/*
 * Cores that this process may run on: those of its affinity, and at most as many as the quota of
 * its cgroup and the cgroups above it pays for, rounded up. At least 1.
 *   root  the folder in which /proc and /sys are, "" except in tests
 */
int pd_cores(const char *root);

#endif

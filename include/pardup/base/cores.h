/* base/cores.h - how many cores the processes of a job may use on this machine. */
#ifndef PARDUP_BASE_CORES_H
#define PARDUP_BASE_CORES_H

/*
 * Cores that this process may run on, at least 1: the cores of its affinity, but no more than the
 * quota of its cgroup and of each cgroup above it pays for, rounded up.
 *   root  the folder in which /proc and /sys are, "" except in tests
 */
int pd_cores(const char *root);

#endif

/*
 * comm/mpirun.h - the launcher that pardup starts by itself: where it is, and the settings that it
 * needs. For src/comm/ only.
 */
#ifndef PARDUP_COMM_MPIRUN_H
#define PARDUP_COMM_MPIRUN_H

#include <limits.h>
#include <stddef.h>

/*
 * Not collective. Find the launcher of the program's MPI library, and set the variables of the
 * environment with which it starts ranks on this machine, except those that the user has set.
 *   path  set to the launcher: a path, or a name that is looked for in PATH
 * Returns PD_OK; PD_END when there is none, and the error text says what to do.
 */
int pd_launcher_prepare(int ranks, char path[PATH_MAX]);

/* Not collective. Set `path` to the program itself. Returns its length; 0: not known. */
size_t pd_own_path(char path[PATH_MAX]);

#endif

/*
 * comm/launch.h - several ranks on this machine without a launcher: pardup starts one by itself.
 *
 * The process that a person has started looks for the launcher of the program's MPI library, runs
 * the same command line under it, and waits. Each rank connects to the waiting process, which hands
 * over its own standard input (to rank 0), output and error. So the ranks print where the person
 * looks, and what the launcher itself prints is shown only if something went wrong. The waiting
 * process passes on signals, so a job stops and can be resumed as one without a launcher.
 */
#ifndef PARDUP_COMM_LAUNCH_H
#define PARDUP_COMM_LAUNCH_H

#include <stdbool.h>

#include "pardup/comm/comm.h"

/* Not collective. This process belongs to a job of a batch system, such as Slurm or PBS. */
bool pd_launch_in_batch(void);

/*
 * Not collective, before pd_comm_start, in a process that no launcher has started. Run the program
 * again with the same arguments, as `ranks` ranks on this machine, and wait for it.
 *   exit_status  set when ranks ran: the exit status of the job; 128 and more: a signal ended it
 * Returns PD_OK; PD_END when ranks cannot be started, and no rank has begun: the error text says
 * why, and the job can run as one rank in this process.
 */
int pd_launch(int ranks, char **argv, int *exit_status);

/* Not collective. This process is a rank that pd_launch has started. */
bool pd_launched(void);

/*
 * Not collective, in a rank that pd_launch has started, when MPI has started and before the rank
 * prints: take over standard input, output and error. A job of which no rank has come so far has
 * not begun, and one rank can do it. Elsewhere nothing happens.
 */
void pd_launch_join(void);

/*
 * Not collective, in the first rank when the job is done and before MPI ends: say its exit status.
 * It counts even if MPI then crashes, as Open MPI 4.1 does in one job of some hundreds on a busy
 * machine. Elsewhere nothing happens.
 */
void pd_launch_tell(int exit_status);

#endif

/*
 * comm/comm.h - the job's communicator, agreement on failure, and small data that all ranks share.
 *
 * Every function here and in comm/exchange.h is COLLECTIVE unless its comment says otherwise: all
 * ranks call it, in the same order, or the job hangs. An error of MPI itself is fatal: the handler
 * set by pd_comm_start() prints rank and reason and aborts the job. So return codes of MPI need no
 * test.
 */
#ifndef PARDUP_COMM_COMM_H
#define PARDUP_COMM_COMM_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_comm_handle; /* MPI's communicator: src/comm/handle.h */

struct pd_comm {
    struct pd_comm_handle *handle; /* allocated; for src/comm/ only */
    int rank, size;                /* this rank, from 0; how many ranks the job has */
};

/*
 * Not collective, needs no start. This process's rank as the launcher (mpirun, srun) says in the
 * environment; -1: no launcher has started it.
 */
int pd_comm_launcher_rank(void);

/*
 * Call MPI_Init and make the communicator. In a job on one node, HWLOC_COMPONENTS is set in the
 * environment first, unless the user has set it: processes then do not look for devices near them,
 * which saves time.
 * A process that no launcher has started gets pd_comm_alone, and MPI is not started. That saves
 * time, and avoids a crash in Open MPI 4.1: when such a process ends on a busy machine, MPI unloads
 * code that its thread for events may still call.
 */
void pd_comm_start(int *argc, char ***argv, struct pd_comm *c);

/*
 * Not collective. A communicator of one rank that does not use MPI, which need not be started.
 * Agreement, sums, gathering and exchanges work on it.
 */
void pd_comm_alone(struct pd_comm *c);

/* Free the communicator and call MPI_Finalize. */
void pd_comm_stop(struct pd_comm *c);

/*
 * Not collective. Ask the job to stop because of a signal; safe in a signal handler. All ranks end
 * their next exchange in the same round with PD_ESTOP. A long loop without an exchange must look at
 * pd_comm_stopping().
 */
void pd_comm_ask_to_stop(int signal);

/* Not collective. The signal that asked this rank to stop; 0: none. */
int pd_comm_stopping(void);

/* Not collective. PD_OK, or PD_ESTOP with a message that names the signal if one asked to stop. */
int pd_comm_check_stop(void);

/* Not collective. Seconds that this rank has waited for others since the job began. */
double pd_comm_waited(void);

/*
 * Not collective. End all ranks at once with this exit status. For states that no rank can leave
 * cleanly, such as an HDF5 call that failed while other ranks wait.
 */
_Noreturn void pd_comm_abort(const struct pd_comm *c, int exit_status);

/*
 * Turn the status of each rank into the status of the job. If any rank has a failure (< 0), all
 * ranks return the status of the lowest rank that failed, and pd_error_text() becomes the text of
 * that rank on all ranks; with several ranks the text begins with "rank R: ". If no rank failed,
 * all ranks return the largest status. Call it once at the end of each stage, before any rank
 * relies on the others.
 */
int pd_comm_agree(const struct pd_comm *c, int status);

/* Replace v[k], for each k < n, by its sum, or by its largest value, over all ranks. */
void pd_comm_sum(const struct pd_comm *c, uint64_t *v, int n);
void pd_comm_max(const struct pd_comm *c, uint64_t *v, int n);
void pd_comm_max_double(const struct pd_comm *c, double *v, int n);

/* The sum of `mine` over all lower ranks; 0 on rank 0. */
uint64_t pd_comm_before(const struct pd_comm *c, uint64_t mine);

/*
 * Bytes of main memory per rank: what the job may use on a node (base/memory_limit.h), divided by
 * the ranks on it. Returns the smallest share of all nodes, so that all ranks have the same number.
 */
uint64_t pd_comm_memory_share(const struct pd_comm *c);

/* Before or after pd_comm_start: print name and version of the MPI library as one line. */
void pd_comm_library(char *text, size_t room);

/* Replace the contents of `bytes` on every other rank by the bytes of rank 0. */
void pd_comm_share(const struct pd_comm *c, struct pd_bytes *bytes);

/*
 * Not collective. Send bytes to another rank, and receive bytes from one, which are appended to
 * `bytes`. Each send needs a receive on the other rank, and may wait for it.
 */
void pd_comm_send(const struct pd_comm *c, int to, const struct pd_bytes *bytes);
void pd_comm_receive(const struct pd_comm *c, int from, struct pd_bytes *bytes);

/* Sends and receipts that were begun and have not ended. A zeroed struct has none. */
struct pd_transfers {
    struct pd_bytes requests; /* for src/comm/ only */
};

/*
 * Not collective. Begin to send n bytes to another rank, or to receive n bytes from one, without
 * waiting. Each send needs a receipt of n bytes on the other rank; between two ranks they are
 * matched in the order in which they are begun. Works for any n.
 *   bytes   borrowed until pd_comm_end() has returned: not to be changed, or read, before
 *   begun   grows
 */
void pd_comm_begin_send(const struct pd_comm *c, int to, const void *bytes, size_t n,
                        struct pd_transfers *begun);
void pd_comm_begin_receive(const struct pd_comm *c, int from, void *bytes, size_t n,
                           struct pd_transfers *begun);

/* Not collective. Wait until all transfers have ended, and empty `begun`. Counts as waiting. */
void pd_comm_end(struct pd_transfers *begun);

/* Free the memory. No transfers may be left. */
void pd_transfers_release(struct pd_transfers *begun);

/*
 * Append the `n` bytes of every rank, in order of rank, to `all` on every rank. For small tables
 * only: the sum over all ranks must be below 2 GiB, which is checked.
 */
void pd_comm_gather(const struct pd_comm *c, const void *mine, size_t n, struct pd_bytes *all);

#endif

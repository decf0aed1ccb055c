/*
 * comm/comm.h - the job's communicator, how ranks agree on failure, and small agreed numbers.
 *
 * Every function here and in comm/exchange.h is COLLECTIVE unless it says otherwise: all ranks
 * call it, in the same order, or the job hangs. MPI's own errors are fatal (the handler set by
 * pd_comm_start prints rank and reason, then aborts), so no MPI return code is tested.
 */
#ifndef PARDUP_COMM_COMM_H
#define PARDUP_COMM_COMM_H

#include <mpi.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_comm {
    MPI_Comm mpi; /* a private duplicate, so tags cannot clash with anyone's */
    int rank, size;
};

/*
 * Begins with MPI_Init. Before it, in a job on one node, sets HWLOC_COMPONENTS, unless the user has, so that no
 * process looks for devices near it.
 */
void pd_comm_start(int *argc, char ***argv, struct pd_comm *c);
void pd_comm_stop(struct pd_comm *c); /* ends with MPI_Finalize */

/*
 * Not collective, safe in a signal handler: this rank is asked to stop. All ranks stop at their next
 * exchange, in the same round, with PD_ESTOP; loops without one ask pd_comm_stopping.
 */
void pd_comm_ask_to_stop(int signal);
int pd_comm_stopping(void); /* the signal, 0: none */

/* Not collective. Seconds this rank has waited for others so far. */
double pd_comm_waited(void);

/* Not collective: end every rank now, with this exit status. For states no rank can leave cleanly,
 * such as an HDF5 call that failed while others wait. */
_Noreturn void pd_comm_abort(const struct pd_comm *c, int exit_status);

/*
 * Turn a local status into the job's status. If any rank holds an error (< 0), all
 * ranks return the error of the lowest failing rank and pd_error_text() on every rank
 * becomes that rank's text, prefixed "rank R: " when there are several ranks. Otherwise all return
 * the largest status. Call it once at the end of each stage, before any rank relies on the others.
 */
int pd_comm_agree(const struct pd_comm *c, int status);

void pd_comm_sum(const struct pd_comm *c, uint64_t *v, int n); /* in place, element by element */
void pd_comm_max(const struct pd_comm *c, uint64_t *v, int n);
uint64_t pd_comm_before(const struct pd_comm *c, uint64_t mine); /* sum over the lower ranks */
void pd_comm_max_double(const struct pd_comm *c, double *v, int n);

/* Not collective: until all that was begun has ended; until a message is there: its bytes, and who sent it. Both count as waiting. */
void pd_comm_wait_all(int n, MPI_Request *begun);
size_t pd_comm_await(const struct pd_comm *c, int tag, int *from);

/* Memory of the node over its ranks, in bytes; the least of all nodes, so that all agree. */
uint64_t pd_comm_memory_share(const struct pd_comm *c);

/* Rank 0's bytes on every rank. */
void pd_comm_share(const struct pd_comm *c, struct pd_bytes *bytes);

/* Not collective: bytes for another rank, and from one, appended. The one ends when the other has them. */
void pd_comm_send(const struct pd_comm *c, int to, const struct pd_bytes *bytes);
void pd_comm_receive(const struct pd_comm *c, int from, struct pd_bytes *bytes);

/*
 * Every rank's `n` bytes, in order of rank, on every rank, appended to `all`. For small agreed
 * tables only: the sum must be below 2 GiB (checked).
 */
void pd_comm_gather(const struct pd_comm *c, const void *mine, size_t n, struct pd_bytes *all);

#endif

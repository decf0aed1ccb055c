/*
 * comm/handle.h - what struct pd_comm and struct pd_transfers hide: the types of MPI. For src/comm/
 * only.
 */
#ifndef PARDUP_COMM_HANDLE_H
#define PARDUP_COMM_HANDLE_H

#ifdef PARDUP_WITHOUT_MPI
#include "no_mpi.h"
#define PD_ALWAYS_ALONE true
#else
#include <mpi.h>
#define PD_ALWAYS_ALONE false /* the program has MPI */
#endif

#include "pardup/comm/comm.h"

/* Tags of messages: a receipt takes only messages with its tag. */
enum {
    TAG_BYTES = 0,    /* pd_comm_send() */
    TAG_REQUEST = 1,  /* comm/queue.c: to rank 0 */
    TAG_REPLY = 2,    /* comm/queue.c: from rank 0 */
    TAG_ROUND = 3,    /* comm/exchange.c: rounds use TAG_ROUND and TAG_ROUND + 1 in turn */
    TAG_TRANSFER = 5, /* pd_comm_begin_send() */
};

struct pd_comm_handle {
    MPI_Comm mpi; /* a private duplicate of MPI_COMM_WORLD: tags cannot clash with a library's */
};

/* Not collective. Wait until the n requests have ended. The time counts as waiting. */
void pd_comm_wait_all(int n, MPI_Request *begun);

/*
 * Not collective. Wait until a message with this tag can be received. Returns its bytes; *from is
 * the rank that sent it. The time counts as waiting.
 */
size_t pd_comm_await(const struct pd_comm *c, int tag, int *from);

#endif

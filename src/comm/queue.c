/* comm/queue.c - see include/pardup/comm/queue.h */
#include "pardup/comm/queue.h"

#include <string.h>

static const uint64_t past_all_tasks = (uint64_t)1 << 62;

void pd_queue_open(const struct pd_comm *c, struct pd_queue *q)
{
    const MPI_Aint bytes = c->rank == 0 ? PD_COUNTERS * sizeof *q->counters : 0;
    MPI_Win_allocate(bytes, sizeof *q->counters, MPI_INFO_NULL, c->mpi, &q->counters, &q->window);
    if (c->rank == 0)
        memset(q->counters, 0, (size_t)bytes);
    MPI_Barrier(c->mpi); /* the counters are zero before anyone takes from them */
    MPI_Win_lock_all(MPI_MODE_NOCHECK, q->window);
}

void pd_queue_close(struct pd_queue *q)
{
    MPI_Win_unlock_all(q->window);
    MPI_Win_free(&q->window);
}

static uint64_t fetch_and_add(struct pd_queue *q, enum pd_counter which, uint64_t amount)
{
    uint64_t before;
    MPI_Fetch_and_op(&amount, &before, MPI_UINT64_T, 0, which, MPI_SUM, q->window);
    MPI_Win_flush(0, q->window);
    return before;
}

uint64_t pd_queue_take(struct pd_queue *q) { return fetch_and_add(q, PD_COUNT_TASKS, 1); }

void pd_queue_stop(struct pd_queue *q) { fetch_and_add(q, PD_COUNT_TASKS, past_all_tasks); }

int pd_queue_stopped(struct pd_queue *q)
{
    return pd_queue_read(q, PD_COUNT_TASKS) >= past_all_tasks;
}

void pd_queue_add(struct pd_queue *q, enum pd_counter which, uint64_t amount)
{
    fetch_and_add(q, which, amount);
}

uint64_t pd_queue_read(struct pd_queue *q, enum pd_counter which)
{
    return fetch_and_add(q, which, 0);
}

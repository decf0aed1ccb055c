/*
 * comm/queue.h - work shared by whoever is free, and counters all ranks can read.
 *
 * Ranks take task numbers 0, 1, 2 ... from a counter in rank 0's memory (one-sided MPI), so a
 * slow file or node leaves nobody idle. Which rank does which task differs from run to run:
 * nothing that can be seen in a result may depend on it.
 */
#ifndef PARDUP_COMM_QUEUE_H
#define PARDUP_COMM_QUEUE_H

#include "pardup/comm/comm.h"

enum pd_counter { PD_COUNT_TASKS, PD_COUNT_DOCUMENTS, PD_COUNT_BYTES, PD_COUNTERS };

struct pd_queue {
    MPI_Win window;
    uint64_t *counters; /* rank 0's; others reach them through the window */
};

void pd_queue_open(const struct pd_comm *c, struct pd_queue *q); /* COLLECTIVE */
void pd_queue_close(struct pd_queue *q);                         /* COLLECTIVE */

/* Not collective: */
uint64_t pd_queue_take(struct pd_queue *q); /* the next task's number */
void pd_queue_stop(struct pd_queue *q);     /* no more tasks for anybody: numbers jump past 2^62 */
int pd_queue_stopped(struct pd_queue *q);   /* has some rank called pd_queue_stop? */
void pd_queue_add(struct pd_queue *q, enum pd_counter which, uint64_t amount);
uint64_t pd_queue_read(struct pd_queue *q, enum pd_counter which);

#endif

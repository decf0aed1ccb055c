/*
 * comm/queue.h - tasks that go to whichever rank is free.
 *
 * Rank 0 gives out task numbers 0, 1, 2, ... on request and does tasks itself as well, so a slow
 * file or a slow node leaves no rank idle. Which rank does which task differs from job to job:
 * nothing that can be seen in a result may depend on it.
 *
 * Ranks use plain messages, not one-sided counters: Open MPI 4.1 has no one-sided transport over
 * TCP (MPI_Win_allocate reports "invalid window" as soon as ranks are on two hosts).
 */
#ifndef PARDUP_COMM_QUEUE_H
#define PARDUP_COMM_QUEUE_H

#include <stdbool.h>

#include "pardup/comm/comm.h"

#define PD_NO_TASK UINT64_MAX /* in place of a task number: there is no task */

/* The reply of rank 0 to a request of another rank. */
struct pd_queue_reply {
    uint64_t task;      /* task number, or PD_NO_TASK */
    uint64_t stopped;   /* 1: a rank has stopped the queue */
    uint64_t documents; /* documents done so far, as far as ranks have reported them */
};

/* The queue as one rank sees it. */
struct pd_queue {
    const struct pd_comm *comm; /* borrowed */
    uint64_t ntasks;            /* rank 0: tasks in all */
    uint64_t next;              /* rank 0: the next task to give out */
    uint64_t documents;         /* rank 0: documents done by all; others: not yet reported */
    uint64_t bytes;             /* rank 0: bytes done by all; others: not yet reported */
    uint64_t known_documents;   /* documents done by all, when rank 0 last gave or sent a task */
    int stopped;                /* 1: a rank has stopped the queue, as far as this rank knows */
    int goodbyes;               /* rank 0: ranks that have closed the queue */
    double reported;            /* other ranks: time of the last message to or from rank 0 */
    double next_look;           /* rank 0: earliest time to look for requests again */
    bool expecting;             /* other ranks: the next task is requested, not yet taken */
    struct pd_queue_reply expected; /* other ranks: the reply that brings the next task */
    struct pd_transfers coming;     /* other ranks: the receipt of `expected` */
};

/* Not collective. Begin a queue of tasks 0 to ntasks - 1, the same ntasks on all ranks. */
void pd_queue_open(const struct pd_comm *c, struct pd_queue *q, uint64_t ntasks);

/*
 * Not collective, nor are the functions below up to pd_queue_close(). The next task for this rank.
 * PD_NO_TASK: all tasks are given out, or a rank has stopped the queue.
 */
uint64_t pd_queue_take(struct pd_queue *q);

/*
 * Request the next task before this one is done, so that pd_queue_take() need not wait for rank 0.
 * Call it when the task is nearly done: if it is called too early near the end, the requested task
 * waits for this rank while other ranks are idle. Does nothing on rank 0.
 */
void pd_queue_expect(struct pd_queue *q);

/* Count documents and bytes that this rank has done since the last call. */
void pd_queue_add(struct pd_queue *q, uint64_t documents, uint64_t bytes);

/*
 * Call it often, between small steps of work. Rank 0 replies to waiting requests, a few thousand
 * times a second at most; another rank reports its counts about once a second. Returns 1 if a rank
 * has stopped the queue, else 0.
 */
int pd_queue_poll(struct pd_queue *q);

/* Stop the queue because this rank has failed: no rank gets any more tasks. */
void pd_queue_stop(struct pd_queue *q);

/* COLLECTIVE. Rank 0 goes on giving out tasks until all other ranks have closed the queue. */
void pd_queue_close(struct pd_queue *q);

#endif

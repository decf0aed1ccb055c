/*
 * comm/queue.h - work shared by whoever is free.
 *
 * Rank 0 gives out task numbers 0, 1, 2 ... on request, while it works itself; so a slow file or
 * node leaves nobody idle. Which rank does which task differs from run to run: nothing that can be
 * seen in a result may depend on it.
 * Plain messages, not one-sided counters: Open MPI 4.1 has no one-sided transport over TCP
 * (MPI_Win_allocate: "invalid window" as soon as ranks are on two hosts).
 */
#ifndef PARDUP_COMM_QUEUE_H
#define PARDUP_COMM_QUEUE_H

#include <stdbool.h>

#include "pardup/comm/comm.h"

#define PD_NO_TASK UINT64_MAX

struct pd_queue_reply {
    uint64_t task;
    uint64_t stopped;
    uint64_t documents;
};

struct pd_queue {
    const struct pd_comm *comm;
    uint64_t ntasks;
    uint64_t next; /* rank 0: tasks in all, the next one to give */
    uint64_t documents;
    uint64_t bytes;                 /* rank 0: done by all; others: not yet reported ... */
    uint64_t known_documents;       /* ... and what rank 0 last said all have done */
    int stopped;                    /* as far as this rank knows */
    int goodbyes;                   /* rank 0: ranks that have closed */
    double reported;                /* time of the last message to rank 0 */
    double next_look;               /* rank 0: when it is to look for messages */
    bool expecting;                 /* others: the next task has been asked for ... */
    struct pd_queue_reply expected; /* ... and comes here */
    MPI_Request coming;
};

void pd_queue_open(const struct pd_comm *c, struct pd_queue *q, uint64_t ntasks);

/* The next task, or PD_NO_TASK: all are given, or a rank has stopped the queue. */
uint64_t pd_queue_take(struct pd_queue *q);

/*
 * The task at hand is nearly done: ask for the next one, so that pd_queue_take() need not wait until rank 0 comes to
 * answer. Too early is bad at the end, as nobody else gets that task.
 */
void pd_queue_expect(struct pd_queue *q);

/* Count work done, for whom it concerns. */
void pd_queue_add(struct pd_queue *q, uint64_t documents, uint64_t bytes);

/*
 * To be called between small steps of work: rank 0 answers those who wait (a few thousand times a
 * second at most), the others report about once a second and hear whether the queue has been
 * stopped. True when it has.
 */
int pd_queue_poll(struct pd_queue *q);

/* This rank has failed: no more tasks for anybody. */
void pd_queue_stop(struct pd_queue *q);

/* COLLECTIVE. Rank 0 goes on giving out tasks until all others have closed. */
void pd_queue_close(struct pd_queue *q);

#endif

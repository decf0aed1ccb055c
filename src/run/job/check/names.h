/*
 * run/job/check/names.h - the names of all targets of a batch: signed once, counted, and kept.
 *
 * A class can be common because many targets have it, so no target can be matched before all are
 * signed. Each rank signs its targets, some thousands at once. It looks up which of their names the
 * index has and where, and keeps the known names in order of target. The owner of a name learns how
 * many targets have it. It tells all ranks which names are common. Then the targets are matched,
 * one after the other, by the names that were kept.
 */
#ifndef PARDUP_RUN_NAMES_H
#define PARDUP_RUN_NAMES_H

#include "pardup/store/spool.h"
#include "query.h"

struct pd_target_names {
    struct pd_job *job;
    struct pd_query *query;
    struct pd_signing *signing;

    /* private */
    struct pd_spare spare;       /* memory of `kept` */
    struct pd_spool kept;        /* of each target a head, and its known classes (names.c) */
    uint64_t doc;                /* the next target that is signed */
    struct pd_postings batch;    /* of each target that was signed a head, and its postings */
    size_t taken;                /* of the batch */
    struct pd_look_ups look_ups; /* of the batch */
    size_t answered;             /* of them */
    size_t sent;                 /* of query->known */
    struct pd_shuffle known;     /* at the owners of the names */
    uint64_t name;               /* the owner: the name at hand, which is common */
    int next;                    /* the rank that is told next; the number of ranks: all were */
    int status;                  /* of telling the query */
};

/*
 * COLLECTIVE. Sign the targets of all ranks, and tell the queries which names are common. What is
 * set aside of targets is kept. Borrows all arguments until the release. Agreed: PD_OK, PD_EIO,
 * PD_EFORMAT or PD_ESTOP.
 */
int pd_target_names_make(struct pd_target_names *t, struct pd_job *job, struct pd_query *query,
                         struct pd_signing *signing);

/* Give the query the names of the next target of this rank. PD_OK, PD_EIO or PD_EFORMAT. */
int pd_target_names_next(struct pd_target_names *t);

/* Free the memory and delete files. The struct may be zeroed. */
void pd_target_names_release(struct pd_target_names *t);

#endif

/* run/check/verdicts.h - the tables that only a result of check has. */
#ifndef PARDUP_RUN_CHECK_VERDICTS_H
#define PARDUP_RUN_CHECK_VERDICTS_H

#include "pardup/store/spool.h"
#include "query.h"

/* Decisions and rankings of targets, on their way to the ranks that write them. */
struct pd_verdicts {
    struct pd_job *job;
    struct pd_index *index;
    uint64_t duplicates;                /* targets of this rank that are duplicates */
    struct pd_spool decisions, ranking; /* rows of this rank's targets */
    struct pd_spare spare;              /* memory of both */
};

/* Make ready. The job has its scratch folder; it and the index are borrowed until the release. */
void pd_verdicts_init(struct pd_verdicts *v, struct pd_job *job, struct pd_index *index);
void pd_verdicts_release(struct pd_verdicts *v);

/* Keep what the query says of target `doc`. PD_OK or PD_EIO. */
int pd_verdicts_add(struct pd_verdicts *v, const struct pd_query *q, pd_doc doc);

/* COLLECTIVE. A function for job->more_tables; ctx is a struct pd_verdicts. */
int pd_verdicts_write(struct pd_job *job, void *ctx);

#endif

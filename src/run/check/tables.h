/* run/check/tables.h - the tables that only a result of check has. */
#ifndef PARDUP_RUN_CHECK_TABLES_H
#define PARDUP_RUN_CHECK_TABLES_H

#include "pardup/result/rows.h"
#include "query.h"

/* Decisions and rankings of targets, on their way to the ranks that write them. */
struct pd_verdicts {
    struct pd_job *job;
    struct pd_index *index;
    struct pd_decision_rows decisions; /* of this rank's targets */
    struct pd_ranking_rows ranking;
};
void pd_verdicts_release(struct pd_verdicts *v);

/* Keep what the query says of target `doc`. */
void pd_verdicts_add(struct pd_verdicts *v, const struct pd_query *q, pd_doc doc);

/* COLLECTIVE. A function for job->more_tables; ctx is a struct pd_verdicts. */
int pd_verdicts_write(struct pd_job *job, void *ctx);

#endif

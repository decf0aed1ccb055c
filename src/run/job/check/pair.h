/*
 * run/job/check/pair.h - the passages of a target and a source become rows.
 *
 * The last step of a query (query.c), for one source of the target at a time. A passage arrives as
 * ranges of units. Here it gets bytes, edges and agreement, and is dropped if an option says so.
 */
#ifndef PARDUP_RUN_CHECK_PAIR_H
#define PARDUP_RUN_CHECK_PAIR_H

#include "query.h"

/*
 * Make rows of q->passages, which are of one target and one source, and append them to q->rows:
 * byte offsets in both, edges, agreement, as the hops of run/stage/align/visiting.h do for
 * documents of two ranks. q->target has the words of the target. PD_OK, PD_EIO, PD_EFORMAT or
 * PD_ESTOP.
 */
int pd_query_pair(struct pd_query *q, pd_doc target, pd_doc source);

#endif

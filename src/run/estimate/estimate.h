/*
 * run/estimate/estimate.h - what a job would take, told before it is run (--dry-run).
 *
 * A sample of the collection goes through all stages of the job, twice, the second time twice as
 * much of it. What grows with the text is taken to grow in step with the bytes read; what two
 * documents share is taken to grow partly in step and partly with their square, as the two trials
 * say.
 */
#ifndef PARDUP_RUN_ESTIMATE_H
#define PARDUP_RUN_ESTIMATE_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

/* COLLECTIVE. Print what is expected, on rank 0; nothing else is left. PD_OK, or why the job would fail. */
int pd_estimate(const struct pd_comm *c, const struct pd_options *options);

#endif

/*
 * run/job/estimate/estimate.h - what a job would take, told before it is run (--dry-run).
 *
 * Excerpts of the collection go through all stages of the job in several trials, each with at least
 * twice the bytes of the trial before. Quantities that grow with the text, such as documents, are
 * taken to grow in step with the bytes read, or somewhat more slowly. Quantities that two documents
 * share, such as passages, are taken to grow partly in step with the bytes and partly with their
 * square. The last two trials tell how much of each (run/job/estimate/extrapolate.h).
 */
#ifndef PARDUP_RUN_ESTIMATE_H
#define PARDUP_RUN_ESTIMATE_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

/*
 * COLLECTIVE. Print on rank 0 what the job is expected to take. Leaves no file. Agreed: PD_OK, or
 * the failure with which the job would end.
 */
int pd_estimate(const struct pd_comm *c, const struct pd_options *options);

#endif

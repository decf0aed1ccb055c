/* run/write/skipped.h - the table /skipped: records of the input that did not become documents. */
#ifndef PARDUP_RUN_WRITE_SKIPPED_H
#define PARDUP_RUN_WRITE_SKIPPED_H

#include "run/job.h"

/*
 * COLLECTIVE. Write the table, in collection order and within PD_BUDGET_SKIPS.
 *   counts   a count for each input file; grows by the skipped records that this rank has read
 * Agreed: PD_OK, or the failure of some rank.
 */
int pd_skipped_write(struct pd_job *job, struct pd_writer *w, uint64_t *counts);

#endif

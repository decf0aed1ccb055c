/*
 * run/stage/write/provenance.h - how a result was made: options, totals and times, in the result
 * file and in the summary that ends a job.
 */
#ifndef PARDUP_RUN_PROVENANCE_H
#define PARDUP_RUN_PROVENANCE_H

#include "run/stage/job.h"

/*
 * COLLECTIVE. Write the attributes of the root: version, command line, the options that the result
 * keeps (pardup/run/option_table.h), totals, and the times of all stages before the write stage.
 */
void pd_provenance_write(const struct pd_job *job, struct pd_writer *w);

/* COLLECTIVE. Log the summary of a job that is done; rank 0 prints it on standard error. */
void pd_provenance_summary(const struct pd_job *job);

#endif

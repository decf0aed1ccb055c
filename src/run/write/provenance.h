/* run/write/provenance.h - what was run on what, and what it took: for the result file and for people. */
#ifndef PARDUP_RUN_PROVENANCE_H
#define PARDUP_RUN_PROVENANCE_H

#include "run/job.h"

/* COLLECTIVE. The attributes of the root: version, options in force, totals, times. */
void pd_provenance_write(const struct pd_job *job, struct pd_writer *w);

/* COLLECTIVE. The closing summary, on rank 0's standard error. */
void pd_provenance_summary(const struct pd_job *job);

#endif

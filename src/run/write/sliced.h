/* run/write/sliced.h - the tables that are made of the slices' files: passages and pairs. */
#ifndef PARDUP_RUN_SLICED_H
#define PARDUP_RUN_SLICED_H

#include "run/job.h"

/* COLLECTIVE. Write both, to job->writer. Agreed. */
int pd_sliced_write(struct pd_job *job);

/* Rows of `bytes` that all ranks together may have in memory for writing: whole chunks, at least one. */
uint64_t pd_rows_at_once(const struct pd_job *job, uint64_t bytes);

/* Asked to stop: the checkpoint has all that is being written. PD_OK or PD_ESTOP. */
int pd_sliced_stopping(void);

#endif

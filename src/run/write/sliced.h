/* run/write/sliced.h - the tables made from the files of slices: /passages and /pairs. */
#ifndef PARDUP_RUN_SLICED_H
#define PARDUP_RUN_SLICED_H

#include "run/job.h"

/* COLLECTIVE. Write both tables to job->writer. Returns an agreed status: PD_OK or a failure. */
int pd_sliced_write(struct pd_job *job);

/*
 * How many rows of `bytes` each all ranks together may hold in memory for writing: a multiple of
 * PD_CHUNK_ROWS, at least one chunk.
 */
uint64_t pd_rows_at_once(const struct pd_job *job, uint64_t bytes);

#endif

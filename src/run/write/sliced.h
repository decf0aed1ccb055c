/* run/write/sliced.h - the tables made from the files of slices: /passages and /pairs. */
#ifndef PARDUP_RUN_SLICED_H
#define PARDUP_RUN_SLICED_H

#include "run/job.h"

/* COLLECTIVE. Write both tables to job->writer. Returns an agreed status: PD_OK or a failure. */
int pd_sliced_write(struct pd_job *job);

#endif

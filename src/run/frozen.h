/* run/frozen.h - words get the flags that were frozen when an index was made. */
#ifndef PARDUP_RUN_FROZEN_H
#define PARDUP_RUN_FROZEN_H

#include "pardup/index/index.h"
#include "run/job.h"

/*
 * Not collective. Give the words of all volumes of this rank their flags. PD_OK, PD_EIO,
 * PD_EFORMAT.
 */
int pd_job_freeze(struct pd_job *job, struct pd_index *index);

#endif

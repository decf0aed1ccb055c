/* run/families/table.h - tables whose rows wait in spools until the result is written. */
#ifndef PARDUP_RUN_FAMILIES_TABLE_H
#define PARDUP_RUN_FAMILIES_TABLE_H

#include "pardup/store/spool.h"
#include "run/job.h"

/* Not collective. Begin a spool of the job's scratch for records of `size` bytes. */
void pd_job_spool(struct pd_job *job, struct pd_spool *s, size_t size, enum pd_budget budget,
                  const char *name);

/*
 * COLLECTIVE. Write a table from the rows of all ranks.
 *   rows  the rows of this rank, as the table has them; not yet read
 *   at    number of the first of them in the table
 * Agreed: PD_OK or a failure.
 */
int pd_job_write_spool(struct pd_job *job, struct pd_writer *w, enum pd_table table,
                       struct pd_spool *rows, uint64_t at);

#endif

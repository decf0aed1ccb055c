/* run/write/template_rows.h - write the table of templates. */
#ifndef PARDUP_RUN_WRITE_TEMPLATE_ROWS_H
#define PARDUP_RUN_WRITE_TEMPLATE_ROWS_H

#include "pardup/result/writer.h"
#include "run/job.h"

/*
 * COLLECTIVE. Write /templates from the templates of all ranks, and count them in job->written.
 * Agreed: PD_OK, PD_EIO or PD_ESTOP.
 */
int pd_templates_write(struct pd_job *job, struct pd_writer *w);

#endif

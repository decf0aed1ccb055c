/*
 * run/stage/write/tables.h - tables of a result that have files of their own: /passages and /pairs,
 * /aside and /templates, and /aside_spans: text that is set aside in the documents that are in
 * passages, so that whoever reads a result can tell it from copied text.
 */
#ifndef PARDUP_RUN_WRITE_TABLES_H
#define PARDUP_RUN_WRITE_TABLES_H

#include "pardup/result/writer.h"
#include "run/stage/job.h"

/* COLLECTIVE. Write /passages and /pairs to job->writer. Returns an agreed status: PD_OK or a failure. */
int pd_sliced_write(struct pd_job *job);

/* COLLECTIVE. Write /aside_spans. Agreed: PD_OK or a failure. */
int pd_aside_spans_write(struct pd_job *job, struct pd_writer *w);

/*
 * COLLECTIVE. Write /aside from the templates and common classes of all ranks, and /templates,
 * which repeats some of its rows. Count the templates in job->written. Agreed: PD_OK or a failure.
 */
int pd_aside_write(struct pd_job *job, struct pd_writer *w);

#endif

/*
 * run/write/aside_spans.h - the table /aside_spans: text that is set aside in the documents that are
 * in passages, so that whoever reads a result can tell it from copied text.
 */
#ifndef PARDUP_RUN_ASIDE_SPANS_H
#define PARDUP_RUN_ASIDE_SPANS_H

#include "run/job.h"

/* COLLECTIVE. Write the table. Agreed: PD_OK or a failure. */
int pd_aside_spans_write(struct pd_job *job, struct pd_writer *w);

#endif

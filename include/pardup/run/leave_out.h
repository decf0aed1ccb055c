/*
 * run/leave_out.h - the base units that commands `text` and `sentences` leave out: with --templates
 * aside, what a job sets aside (run/stage/classes/templates.h), and with --frame aside, frames of
 * pages (document/document.h). In this process alone.
 */
#ifndef PARDUP_RUN_LEAVE_OUT_H
#define PARDUP_RUN_LEAVE_OUT_H

#include "pardup/base/record.h"
#include "pardup/document/document.h"
#include "pardup/run/options.h"

struct pd_aside_file;

/* Zeroed: none are left out. */
struct pd_leave_out {
    struct pd_aside_file *file; /* what --templates sets aside; NULL: nothing */

    /* the document that was loaded last */
    const uint32_t *units; /* units of it that are set aside and have not been asked for */
    size_t n;              /* how many */
    uint32_t own;          /* units outside its frame that have been asked for */
    size_t at_main;        /* blocks of its main content before the unit asked for last */
    size_t at_stray;       /* stray blocks before it */
};

/*
 * With --templates aside, read all inputs once, find the templates and say how many there are. Else
 * do nothing. PD_OK, or a failure: as the stages of a job (run/stage/job.h), or PD_EUSAGE (a list
 * from standard input cannot be read twice). Release `l` in any case.
 */
int pd_leave_out_find(const struct pd_options *o, struct pd_leave_out *l);

/* Load what is left out of a document. PD_OK, PD_EIO or PD_EFORMAT. Fast for documents in order. */
int pd_leave_out_load(struct pd_leave_out *l, pd_doc doc);

/* Is this base unit left out? `d` was loaded last. All its base units are asked for, in order. */
bool pd_leave_out_has(struct pd_leave_out *l, const struct pd_document *d, size_t unit);

void pd_leave_out_release(struct pd_leave_out *l);

#endif

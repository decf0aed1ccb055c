/*
 * run/leave_out.h - the base units that commands `text` and `sentences` leave out: with --templates
 * aside, what a job sets aside (run/classes/templates.h), and with --frame aside, frames of pages
 * (document/document.h). In this process alone.
 *
 * Memory, with --templates aside: 16 bytes for each base unit that is left out, and --memory.
 */
#ifndef PARDUP_RUN_LEAVE_OUT_H
#define PARDUP_RUN_LEAVE_OUT_H

#include "pardup/base/record.h"
#include "pardup/document/document.h"
#include "pardup/run/options.h"

/* A base unit of a document. Order: doc, unit. */
struct pd_left_unit {
    pd_doc doc;
    uint64_t unit; /* its number among the base units outside the frame that --frame sets aside */
};
PD_VEC(pd_left_units, struct pd_left_unit);

/* Zeroed: none are left out. */
struct pd_leave_out {
    struct pd_left_units units; /* set aside by --templates, sorted */
    size_t at;                  /* units before it have been asked for */
    size_t at_main;             /* the same in the main content of the document at hand */
    uint64_t own;               /* units outside the frame that have been asked for in it */
};

/*
 * With --templates aside, read all inputs once, find the templates and say how many there are. Else
 * do nothing. PD_OK, or a failure: as the stages of a job (run/job.h), or PD_EUSAGE (a list from
 * standard input cannot be read twice). Release `l` in any case.
 */
int pd_leave_out_find(const struct pd_options *o, struct pd_leave_out *l);

/* Is this base unit of document `d` left out? Asked for in order of (doc, unit), from unit 0. */
bool pd_leave_out_has(struct pd_leave_out *l, const struct pd_document *d, pd_doc doc,
                      uint32_t unit);

void pd_leave_out_release(struct pd_leave_out *l);

#endif

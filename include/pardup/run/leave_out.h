/*
 * run/leave_out.h - the base units that commands `text` and `sentences` leave out with --templates
 * aside (join/templates.h). In this process alone.
 *
 * Memory: 40 bytes for each base unit of the inputs, while they are read for the first time.
 */
#ifndef PARDUP_RUN_LEAVE_OUT_H
#define PARDUP_RUN_LEAVE_OUT_H

#include "pardup/base/record.h"
#include "pardup/run/options.h"

/* A base unit of a document. Order: doc, unit. */
struct pd_left_unit {
    pd_doc doc;
    uint64_t unit;
};
PD_VEC(pd_left_units, struct pd_left_unit);

/* Zeroed: none are left out. */
struct pd_leave_out {
    struct pd_left_units units; /* sorted */
    size_t at;                  /* units before it have been asked for */
};

/*
 * With --templates aside, read all inputs once, find the templates and say how many there are. Else
 * do nothing. PD_OK, or a failure: as pd_walk(), or PD_EUSAGE (a list from standard input cannot be
 * read twice). Release `l` in any case.
 */
int pd_leave_out_find(const struct pd_options *o, struct pd_leave_out *l);

/* Is this base unit left out? Asked for in order of (doc, unit). */
bool pd_leave_out_has(struct pd_leave_out *l, pd_doc doc, uint32_t unit);

void pd_leave_out_release(struct pd_leave_out *l);

#endif

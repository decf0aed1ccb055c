/*
 * run/stage/classes/templates.h - find the templates of all sites, and tell the holders which base
 * units of their documents are set aside (join/templates.h, --templates aside).
 *
 * All base units of a stub are set aside (join/stubs.h). The texts in the frames of pages count as
 * evidence, also if --frame sets them aside.
 */
#ifndef PARDUP_RUN_TEMPLATES_H
#define PARDUP_RUN_TEMPLATES_H

#include "asides.h"

/*
 * COLLECTIVE. Find the templates: fills in job->matches.templates and counts of job->gathered, and
 * opens `asides`. Agreed: PD_OK, PD_EIO or PD_ESTOP. Close `asides` in any case.
 */
int pd_asides_find(struct pd_job *job, struct pd_asides *asides);

#endif

/* run/finding.h - how the passages of a document pair are found, by the options of the method. */
#ifndef PARDUP_RUN_FINDING_H
#define PARDUP_RUN_FINDING_H

#include "pardup/passage/finder.h"
#include "pardup/run/options.h"

/*
 * Make a finder, which the caller releases: regions with --refine, else what --passages asks for.
 *   stopping  as in struct pd_best_options
 */
void pd_finder_of(struct pd_finder *f, const struct pd_method_options *o, int (*stopping)(void));

#endif

/* run/finding.c - see src/run/finding.h */
#include "finding.h"

#include <math.h>

/* Units before a unit that have words in common with it. */
static uint32_t overlap_of(const struct pd_method_options *o)
{
    return (uint32_t)(o->units == PD_UNIT_GRAM ? o->ngram : o->window[0]) - 1;
}

bool pd_row_agrees(struct pd_row *row, enum pd_copy copy, const struct pd_method_options *o)
{
    const bool brief = copy == PD_COPY_BRIEF;
    if (isnan(row->agreement))
        return true;
    if (brief)
        row->similarity = row->agreement;
    return row->agreement >= o->min_agreement &&
           (!brief || row->agreement >= o->min_copy_agreement);
}

void pd_finder_of(struct pd_finder *f, const struct pd_method_options *o, int (*stopping)(void))
{
    const enum pd_finder_way way = o->refine != PD_REFINE_NONE       ? PD_FIND_REGIONS
                                   : o->passages == PD_PASSAGES_BEST ? PD_FIND_BEST
                                                                     : PD_FIND_ALL;
    pd_finder_init(f, way,
                   &(struct pd_best_options){.limits = PD_BEST_LIMITS,
                                             .gamma = (uint32_t)o->gamma,
                                             .gap = (uint32_t)o->gap,
                                             .overlap = overlap_of(o),
                                             .stopping = stopping});
}

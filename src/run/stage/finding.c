/* run/stage/finding.c - see src/run/stage/finding.h */
#include "finding.h"

#include <math.h>

#include "pardup/base/minmax.h"
#include "pardup/passage/pair.h"

/* Units before a unit that have words in common with it. */
static uint32_t overlap_of(const struct pd_method_options *o)
{
    return (uint32_t)(o->units == PD_UNIT_GRAM ? o->ngram : o->window[0]) - 1;
}

/* The own words of a passage in one document. */
static uint32_t own_of(uint64_t own) { return (uint32_t)own - (uint32_t)(own >> 32); }

bool pd_row_agrees(struct pd_row *row, uint32_t agreed, enum pd_copy copy,
                   const struct pd_method_options *o)
{
    const uint32_t longer = pd_max_u32(own_of(row->own_a), own_of(row->own_b));
    const double share = agreed < longer ? (double)agreed / longer : 1;
    const bool brief = copy == PD_COPY_BRIEF;
    if (isnan(row->agreement))
        return true;
    if (brief)
        row->similarity = row->agreement;
    return share >= o->min_agreement &&
           (!brief || (share >= o->min_copy_agreement && row->agreement >= o->min_agreement));
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

bool pd_find_in_pair(struct pd_finder *f, const struct pd_pair_dots *pair,
                     const struct pd_method_options *o, struct pd_passages *out)
{
    const struct pd_pair_dots own = {.a = pair->a, .b = pair->b, .brief = pair->brief};
    const size_t before = out->n;
    if (pd_finder_find(f, pair, out) || out->n == before ||
        pd_pair_passes(out->v + before, out->n - before, o->theta_d, (uint64_t)o->delta))
        return false;
    out->n = before;
    return !pd_finder_find(f, &own, out);
}

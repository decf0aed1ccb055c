/* run/dedup/choice.c - what stays by a choice of this rank: see src/run/dedup/choose.h */
#include "pardup/base/search.h"
#include "run/dedup/choose.h"

uint64_t pd_removal_behind(const struct pd_choice *c, const struct pd_fate *f, uint32_t begin)
{
    if (f->removed == 0)
        return 0;
    return pd_search_first_u32(c->removals.v + f->first, f->removed, sizeof *c->removals.v,
                               offsetof(struct pd_removal, end), (uint64_t)begin + 1);
}

bool pd_choice_stays(const struct pd_choice *c, uint64_t place, uint32_t begin, uint32_t end)
{
    const struct pd_fate *f = &c->fates[place - c->first];
    const uint64_t next = pd_removal_behind(c, f, begin);
    return !f->gone && (next == f->removed || c->removals.v[f->first + next].begin >= end);
}

bool pd_copied_stays(const struct pd_choice *c, const struct pd_copied *unit)
{
    if (unit->kept < c->first)
        return !c->lost.v[unit - c->copied.v];
    return unit->kept != PD_DEDUP_NOWHERE &&
           pd_choice_stays(c, unit->kept, unit->kept_begin, unit->kept_end);
}

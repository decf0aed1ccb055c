/* run/dedup/choice.c - what stays by a choice of this rank: see src/run/dedup/choose.h */
#include "run/dedup/choose.h"

uint64_t pd_removal_behind(const struct pd_choice *c, const struct pd_fate *f, uint32_t begin)
{
    uint64_t lo = 0, hi = f->removed;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (c->removals.v[f->first + mid].end <= begin)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
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

/* base/recurring.c - see include/pardup/base/recurring.h */
#include "pardup/base/recurring.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/vec.h"

void pd_recurring_open(struct pd_recurring *r, uint64_t nslots)
{
    const uint64_t u64s = (nslots + PD_RECURRING_SLOTS - 1) / PD_RECURRING_SLOTS;
    *r = (struct pd_recurring){pd_alloc_huge(u64s, sizeof *r->v), u64s * PD_RECURRING_SLOTS};
    memset(r->v, 0, u64s * sizeof *r->v);
}

void pd_recurring_close(struct pd_recurring *r)
{
    free(r->v);
    *r = (struct pd_recurring){0};
}

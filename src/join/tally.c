/* join/tally.c - see include/pardup/join/tally.h */
#include "pardup/join/tally.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 6 };

void pd_tally_reset(struct pd_tally *t, size_t n)
{
    t->nslots = FIRST_SLOTS;
    while (t->nslots < 2 * n)
        t->nslots *= 2;
    if (t->cap < t->nslots) {
        free(t->slots);
        t->slots = pd_realloc(NULL, t->nslots, sizeof *t->slots);
        t->cap = t->nslots;
    }
    memset(t->slots, 0, t->nslots * sizeof *t->slots);
}

void pd_tally_release(struct pd_tally *t)
{
    free(t->slots);
    *t = (struct pd_tally){0};
}

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

uint64_t pd_tally_count(struct pd_tally *t, pd_sig sig)
{
    if (2 * (t->used + 1) > t->nslots) {
        struct pd_tally grown = {0};
        pd_tally_reset(&grown, 2 * (t->used + 1));
        for (size_t k = 0; k < t->nslots; k++)
            if (t->slots[k].n)
                *pd_tally_at(&grown, t->slots[k].sig) = t->slots[k];
        grown.used = t->used;
        pd_tally_release(t);
        *t = grown;
    }
    struct pd_tally_slot *slot = pd_tally_at(t, sig);
    t->used += slot->n == 0;
    slot->sig = sig;
    return ++slot->n;
}

void pd_tally_release(struct pd_tally *t)
{
    free(t->slots);
    *t = (struct pd_tally){0};
}

/* join/tally.c - see include/pardup/join/tally.h */
#include "pardup/join/tally.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/hash.h"
#include "pardup/base/vec.h"

enum { FIRST_SLOTS = 1 << 6 };

static struct pd_tally_slot *slot_of(const struct pd_tally *t, uint64_t number)
{
    size_t slot = pd_mix(number) & (t->nslots - 1);
    while (t->slots[slot].n && t->slots[slot].number != number)
        slot = (slot + 1) & (t->nslots - 1);
    return &t->slots[slot];
}

static void grow(struct pd_tally *t)
{
    struct pd_tally grown = {.nslots = t->nslots ? 2 * t->nslots : FIRST_SLOTS, .used = t->used};
    grown.slots = pd_realloc(NULL, grown.nslots, sizeof *grown.slots);
    memset(grown.slots, 0, grown.nslots * sizeof *grown.slots);
    for (size_t k = 0; k < t->nslots; k++)
        if (t->slots[k].n)
            *slot_of(&grown, t->slots[k].number) = t->slots[k];
    pd_tally_release(t);
    *t = grown;
}

uint64_t pd_tally_count(struct pd_tally *t, uint64_t number)
{
    if (2 * (t->used + 1) > t->nslots)
        grow(t);
    struct pd_tally_slot *slot = slot_of(t, number);
    t->used += slot->n == 0;
    slot->number = number;
    return ++slot->n;
}

void pd_tally_release(struct pd_tally *t)
{
    free(t->slots);
    *t = (struct pd_tally){0};
}

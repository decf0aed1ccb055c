/* base/hash_table.c - see include/pardup/base/hash_table.h */
#include "pardup/base/hash_table.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/hash.h"
#include "pardup/base/vec.h"

enum { FIRST_SLOTS = 1 << 6 };

/* The slot of the key, or the free slot where it belongs. */
static struct pd_hash_table_slot *slot_of(const struct pd_hash_table *t, uint64_t key)
{
    size_t k = pd_mix(key) & (t->nslots - 1);
    while (t->slots[k].value && t->slots[k].key != key)
        k = (k + 1) & (t->nslots - 1);
    return &t->slots[k];
}

static void grow(struct pd_hash_table *t)
{
    struct pd_hash_table grown = {.nslots = t->nslots ? 2 * t->nslots : FIRST_SLOTS, .n = t->n};
    grown.slots = pd_realloc(NULL, grown.nslots, sizeof *grown.slots);
    memset(grown.slots, 0, grown.nslots * sizeof *grown.slots);
    for (size_t k = 0; k < t->nslots; k++)
        if (t->slots[k].value)
            *slot_of(&grown, t->slots[k].key) = t->slots[k];
    pd_hash_table_release(t);
    *t = grown;
}

uint64_t *pd_hash_table_at(struct pd_hash_table *t, uint64_t key)
{
    if (2 * (t->n + 1) > t->nslots)
        grow(t);
    struct pd_hash_table_slot *slot = slot_of(t, key);
    t->n += slot->value == 0;
    slot->key = key;
    return &slot->value;
}

uint64_t pd_hash_table_get(const struct pd_hash_table *t, uint64_t key)
{
    return t->nslots ? slot_of(t, key)->value : 0;
}

void pd_hash_table_release(struct pd_hash_table *t)
{
    free(t->slots);
    *t = (struct pd_hash_table){0};
}

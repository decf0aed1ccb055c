/* feature/vocabulary.c - see include/pardup/feature/vocabulary.h */
#include "pardup/feature/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

enum { FIRST_SLOTS = 1 << 12 };

/* How many words fit before the table grows: a free slot must be near to end a search soon. */
static size_t capacity(size_t nslots) { return nslots / 4 * 3; }

/* The slot that holds `term`, or the free slot where it belongs. Terms are hashes already. */
static struct pd_slot *slot_of(const struct pd_vocabulary *v, uint64_t term)
{
    for (size_t slot_index = term & (v->nslots - 1);;
         slot_index = (slot_index + 1) & (v->nslots - 1)) {
        struct pd_slot *slot = &v->slots[slot_index];
        if (!slot->entry || slot->term == term)
            return slot;
    }
}

static void grow(struct pd_vocabulary *v)
{
    struct pd_slot *const old_slots = v->slots;
    const size_t nold = v->nslots;
    v->nslots = nold ? 2 * nold : FIRST_SLOTS;
    v->slots = pd_alloc_huge(v->nslots, sizeof *v->slots);
    memset(v->slots, 0, v->nslots * sizeof *v->slots);
    for (size_t k = 0; k < nold; k++)
        if (old_slots[k].entry)
            *slot_of(v, old_slots[k].term) = old_slots[k];
    free(old_slots);
}

struct pd_slot *pd_vocabulary_enter(struct pd_vocabulary *v, uint64_t term)
{
    if (v->n == capacity(v->nslots))
        grow(v);
    struct pd_slot *slot = slot_of(v, term);
    if (!slot->entry) {
        PD_CHECK(v->n < UINT32_MAX - 1);
        *slot = (struct pd_slot){.term = term, .entry = (uint32_t)++v->n};
    }
    return slot;
}

uint32_t pd_vocabulary_find(const struct pd_vocabulary *v, uint64_t term)
{
    return v->nslots ? slot_of(v, term)->entry - 1 : UINT32_MAX;
}

void pd_vocabulary_list(const struct pd_vocabulary *v, uint64_t *terms, uint32_t *df)
{
    for (size_t k = 0; k < v->nslots; k++) {
        const struct pd_slot *slot = &v->slots[k];
        if (slot->entry) {
            terms[slot->entry - 1] = slot->term;
            df[slot->entry - 1] = slot->df;
        }
    }
}

void pd_vocabulary_clear(struct pd_vocabulary *v)
{
    v->n = 0;
    if (v->slots)
        memset(v->slots, 0, v->nslots * sizeof *v->slots);
}

void pd_vocabulary_release(struct pd_vocabulary *v)
{
    free(v->slots);
    *v = (struct pd_vocabulary){0};
}

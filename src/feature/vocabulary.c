/* feature/vocabulary.c - see include/pardup/feature/vocabulary.h */
#include "pardup/feature/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

enum { FIRST_SLOTS = 1 << 12 };

static uint32_t tag_of(uint64_t term) { return (uint32_t)(term >> 32); }

/*
 * The slot that holds `term`, or the free one where it belongs. Terms are hashes already: low bits say
 * where to begin, the high half tells nearly all others apart without a look at the entries.
 */
static struct pd_slot *slot_of(const struct pd_vocabulary *v, uint64_t term)
{
    const uint32_t tag = tag_of(term);
    for (size_t at = term & (v->nslots - 1);; at = (at + 1) & (v->nslots - 1)) {
        struct pd_slot *slot = &v->slots[at];
        if (!slot->entry || (slot->tag == tag && v->entries[slot->entry - 1].term == term))
            return slot;
    }
}

static void grow(struct pd_vocabulary *v)
{
    struct pd_entry *const few = v->entries;
    free(v->slots);
    v->nslots = v->nslots ? 2 * v->nslots : FIRST_SLOTS;
    v->slots = pd_alloc_huge(v->nslots, sizeof *v->slots);
    memset(v->slots, 0, v->nslots * sizeof *v->slots);
    v->entries = pd_alloc_huge(v->nslots / 2, sizeof *v->entries);
    if (v->n)
        memcpy(v->entries, few, v->n * sizeof *few);
    free(few);
    for (size_t k = 0; k < v->n; k++) {
        const uint64_t term = v->entries[k].term;
        *slot_of(v, term) = (struct pd_slot){tag_of(term), (uint32_t)k + 1};
    }
}

uint32_t pd_vocabulary_enter(struct pd_vocabulary *v, uint64_t term)
{
    if (v->n == v->nslots / 2)
        grow(v);
    struct pd_slot *slot = slot_of(v, term);
    if (!slot->entry) {
        PD_CHECK(v->n < UINT32_MAX - 1);
        v->entries[v->n++] = (struct pd_entry){term, 0, 0};
        *slot = (struct pd_slot){tag_of(term), (uint32_t)v->n};
    }
    return slot->entry - 1;
}

uint32_t pd_vocabulary_find(const struct pd_vocabulary *v, uint64_t term)
{
    return v->nslots ? slot_of(v, term)->entry - 1 : UINT32_MAX;
}

void pd_vocabulary_clear(struct pd_vocabulary *v)
{
    v->n = 0;
    if (v->slots)
        memset(v->slots, 0, v->nslots * sizeof *v->slots);
}

void pd_vocabulary_release(struct pd_vocabulary *v)
{
    free(v->entries);
    free(v->slots);
    *v = (struct pd_vocabulary){0};
}

/* feature/vocabulary.c - see include/pardup/feature/vocabulary.h */
#include "pardup/feature/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

enum { FIRST_SLOTS = 1 << 12 };

/* The slot that holds `term`, or the free one where it belongs. Terms are hashes already. */
static size_t slot_of(const struct pd_vocabulary *v, uint64_t term)
{
    size_t at = term & (v->nslots - 1);
    while (v->slots[at] && v->entries.v[v->slots[at] - 1].term != term)
        at = (at + 1) & (v->nslots - 1);
    return at;
}

static void grow(struct pd_vocabulary *v)
{
    free(v->slots);
    v->nslots = v->nslots ? 2 * v->nslots : FIRST_SLOTS;
    v->slots = pd_realloc(NULL, v->nslots, sizeof *v->slots);
    memset(v->slots, 0, v->nslots * sizeof *v->slots);
    for (size_t k = 0; k < v->entries.n; k++)
        v->slots[slot_of(v, v->entries.v[k].term)] = (uint32_t)k + 1;
}

uint32_t pd_vocabulary_number(struct pd_vocabulary *v, uint64_t term)
{
    if (2 * (v->entries.n + 1) > v->nslots)
        grow(v);
    const size_t at = slot_of(v, term);
    if (!v->slots[at]) {
        PD_CHECK(v->entries.n < UINT32_MAX - 1);
        pd_entries_push(&v->entries, (struct pd_entry){term, 0, 0});
        v->slots[at] = (uint32_t)v->entries.n;
    }
    return v->slots[at] - 1;
}

uint32_t pd_vocabulary_find(const struct pd_vocabulary *v, uint64_t term)
{
    return v->nslots ? v->slots[slot_of(v, term)] - 1 : UINT32_MAX;
}

void pd_vocabulary_clear(struct pd_vocabulary *v)
{
    v->entries.n = 0;
    if (v->slots)
        memset(v->slots, 0, v->nslots * sizeof *v->slots);
}

void pd_vocabulary_release(struct pd_vocabulary *v)
{
    pd_entries_release(&v->entries);
    free(v->slots);
    *v = (struct pd_vocabulary){0};
}

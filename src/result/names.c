/* result/names.c - see include/pardup/result/names.h */
#include "pardup/result/names.h"

#include "pardup/base/hash.h"

enum { FIRST_CAP = 64 };

/* The slot of the text, or the free slot where it belongs (linear probing). */
static struct pd_name *find(const struct pd_names *t, uint64_t hash, const char *s, size_t n)
{
    for (size_t k = hash & (t->cap - 1);; k = (k + 1) & (t->cap - 1)) {
        struct pd_name *slot = &t->slots[k];
        if (!slot->at)
            return slot;
        if (slot->hash == hash && slot->n == n && memcmp(t->text.v + slot->at, s, n) == 0)
            return slot;
    }
}

/* Double the slots. */
static void grow(struct pd_names *t)
{
    struct pd_name *old = t->slots;
    const size_t n = t->cap;
    t->cap = n ? 2 * n : FIRST_CAP;
    t->slots = pd_realloc(NULL, t->cap, sizeof *t->slots);
    memset(t->slots, 0, t->cap * sizeof *t->slots);
    for (size_t k = 0; k < n; k++)
        if (old[k].at)
            *find(t, old[k].hash, (char *)t->text.v + old[k].at, old[k].n) = old[k];
    free(old);
}

uint64_t pd_names_put(struct pd_names *t, const char *s, size_t n, uint64_t fresh)
{
    const uint64_t hash = pd_hash_bytes(s, n);
    if (2 * t->n >= t->cap)
        grow(t);
    struct pd_name *slot = find(t, hash, s, n);
    if (slot->at)
        return slot->number;
    if (t->text.n == 0)
        pd_bytes_append(&t->text, "", 1);
    *slot = (struct pd_name){hash, fresh, t->text.n, n};
    pd_bytes_append(&t->text, s, n);
    pd_bytes_append(&t->text, "", 1);
    t->n++;
    return fresh;
}

void pd_names_release(struct pd_names *t)
{
    pd_bytes_release(&t->text);
    free(t->slots);
    *t = (struct pd_names){.n = 0};
}

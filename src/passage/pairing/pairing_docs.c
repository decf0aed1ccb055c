/* passage/pairing/pairing_docs.c - see src/passage/pairing/pairing_inside.h */
#include "pairing_inside.h"

enum { TABLE_LEAST = 1024 }; /* slots of the smallest table, a power of two */

/* Make an empty table of n slots, a power of two. */
static void make_table(struct pd_doc_table *t, size_t n)
{
    pd_doc_slots_reserve(&t->slots, n);
    t->slots.n = n;
    for (size_t k = 0; k < n; k++)
        t->slots.v[k] = (struct pd_doc_slot){.b = PD_NOBODY};
}

void pd_doc_table_init(struct pd_doc_table *t)
{
    *t = (struct pd_doc_table){0};
    make_table(t, TABLE_LEAST);
}

void pd_doc_table_release(struct pd_doc_table *t)
{
    pd_second_docs_release(&t->docs);
    pd_doc_slots_release(&t->slots);
}

void pd_doc_table_clear(struct pd_doc_table *t)
{
    for (size_t k = 0; k < t->docs.n; k++)
        t->slots.v[t->docs.v[k].slot].b = PD_NOBODY;
    t->docs.n = 0;
}

/* Double the table. */
static void grow_table(struct pd_doc_table *t)
{
    struct pd_doc_slots old = t->slots;
    t->slots = (struct pd_doc_slots){0};
    make_table(t, 2 * old.n);
    for (size_t k = 0; k < t->docs.n; k++) {
        struct pd_second_doc *doc = &t->docs.v[k];
        const struct pd_doc_slot *from = &old.v[doc->slot];
        doc->slot = pd_doc_table_home(t, from->b);
        while (t->slots.v[doc->slot].b != PD_NOBODY)
            doc->slot = pd_doc_table_next(t, doc->slot);
        t->slots.v[doc->slot] = *from;
    }
    pd_doc_slots_release(&old);
}

struct pd_doc_slot *pd_doc_table_enter(struct pd_doc_table *t, pd_doc b, uint32_t slot)
{
    const uint32_t doc_index = (uint32_t)t->docs.n;
    t->slots.v[slot] = (struct pd_doc_slot){.b = b, .doc_index = doc_index};
    pd_second_docs_reserve(&t->docs, (size_t)doc_index + 1);
    t->docs.v[t->docs.n++] = (struct pd_second_doc){.b = b, .slot = slot};
    if (2 * t->docs.n > t->slots.n)
        grow_table(t);
    return &t->slots.v[t->docs.v[doc_index].slot];
}

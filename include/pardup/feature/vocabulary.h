/*
 * feature/vocabulary.h - the words of some documents, numbered, with their document frequencies.
 *
 * Words are known by their 64-bit hash ("term"). Numbers are given in order of first appearance,
 * so frequent words have small ones. Frequencies here count the documents of one volume
 * (store/volume.h); the collection's are their sums.
 */
#ifndef PARDUP_FEATURE_VOCABULARY_H
#define PARDUP_FEATURE_VOCABULARY_H

#include <stdint.h>

#include "pardup/base/vec.h"

struct pd_entry {
    uint64_t term;
    uint32_t df;   /* documents of the volume with the word */
    uint32_t last; /* stamp of the last document that counted */
};

struct pd_slot {
    uint32_t tag, entry; /* half of the term; its number + 1, 0: free */
};

struct pd_vocabulary {
    struct pd_entry
        *entries; /* of the words, by number; room for half as many as there are slots */
    size_t n;
    struct pd_slot *slots; /* open addressing */
    size_t nslots;         /* a power of two, or 0 */
};

/*
 * Bring to the cache what pd_vocabulary_met(v, term) will look at: first the slot; when that has come,
 * the entry. Asked for in two steps, words before: PD_EXPECT_SLOT, PD_EXPECT_ENTRY.
 */
enum { PD_EXPECT_SLOT = 32, PD_EXPECT_ENTRY = 16 };

static inline void pd_vocabulary_expect_slot(const struct pd_vocabulary *v, uint64_t term)
{
    if (v->nslots)
        __builtin_prefetch(&v->slots[term & (v->nslots - 1)]);
}

static inline void pd_vocabulary_expect_entry(const struct pd_vocabulary *v, uint64_t term)
{
    if (v->nslots) {
        const uint32_t entry = v->slots[term & (v->nslots - 1)].entry;
        __builtin_prefetch(&v->entries[entry ? entry - 1 : 0], 1);
    }
}

/* The number of `term` when it is in its first slot, as most words met before; else PD_NOT_MET. */
#define PD_NOT_MET UINT32_MAX
static inline uint32_t pd_vocabulary_met(const struct pd_vocabulary *v, uint64_t term)
{
    if (v->nslots) {
        const uint32_t entry = v->slots[term & (v->nslots - 1)].entry;
        if (entry && v->entries[entry - 1].term == term)
            return entry - 1;
    }
    return PD_NOT_MET;
}

/* The number of any term. Amortised O(1). Panics beyond 2^32 - 2 words. */
uint32_t pd_vocabulary_enter(struct pd_vocabulary *v, uint64_t term);

/* Its number, or UINT32_MAX when it has not been met. */
uint32_t pd_vocabulary_find(const struct pd_vocabulary *v, uint64_t term);

/* Count word `number` for the document `stamp` (never 0), once however often it is called. */
static inline void pd_vocabulary_count(struct pd_vocabulary *v, uint32_t number, uint32_t stamp)
{
    struct pd_entry *e = &v->entries[number];
    e->df += e->last != stamp;
    e->last = stamp;
}

/* Forget all words; the memory stays for others. */
void pd_vocabulary_clear(struct pd_vocabulary *v);

void pd_vocabulary_release(struct pd_vocabulary *v);

#endif

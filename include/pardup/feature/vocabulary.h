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

/* A word: all that is looked at when it is met again, in a line or two of the cache. */
struct pd_slot {
    uint64_t term;
    uint32_t entry; /* its number + 1, 0: free */
    uint32_t last;  /* stamp of the last document that counted */
    uint32_t df;    /* documents of the volume with the word */
};

struct pd_vocabulary {
    struct pd_slot *slots; /* open addressing */
    size_t nslots;         /* a power of two, or 0 */
    size_t n;              /* words */
};

/*
 * Bring to the cache what pd_vocabulary_met(v, term) will look at. For a word this many before the one
 * at hand it has come when it is needed.
 */
enum { PD_WORDS_EXPECTED = 128 };

static inline void pd_vocabulary_expect(const struct pd_vocabulary *v, uint64_t term)
{
    if (v->nslots) {
        const struct pd_slot *slot = &v->slots[term & (v->nslots - 1)];
        __builtin_prefetch(&slot->term, 1);
        __builtin_prefetch(&slot->df, 1); /* of one slot in three in the next line */
    }
}

/* The slot of `term` when it is where it is looked for first, as most words met before; else NULL. */
static inline struct pd_slot *pd_vocabulary_met(const struct pd_vocabulary *v, uint64_t term)
{
    if (v->nslots) {
        struct pd_slot *const slot = &v->slots[term & (v->nslots - 1)];
        if (slot->term == term && slot->entry)
            return slot;
    }
    return NULL;
}

/* The slot of any term, until the next call. Amortised O(1). Panics beyond 2^32 - 2 words. */
struct pd_slot *pd_vocabulary_enter(struct pd_vocabulary *v, uint64_t term);

/* Its number, or UINT32_MAX when it has not been met. */
uint32_t pd_vocabulary_find(const struct pd_vocabulary *v, uint64_t term);

/* Count the word of the slot for the document `stamp` (never 0), once however often; its number. */
static inline uint32_t pd_vocabulary_count(struct pd_slot *slot, uint32_t stamp)
{
    slot->df += slot->last != stamp;
    slot->last = stamp;
    return slot->entry - 1;
}

/* Terms and frequencies of the n words, by number. */
void pd_vocabulary_list(const struct pd_vocabulary *v, uint64_t *terms, uint32_t *df);

/* Forget all words; the memory stays for others. */
void pd_vocabulary_clear(struct pd_vocabulary *v);

void pd_vocabulary_release(struct pd_vocabulary *v);

#endif

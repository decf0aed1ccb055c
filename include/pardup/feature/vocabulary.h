/*
 * feature/vocabulary.h - the words of some documents, numbered, with their document frequencies.
 *
 * A word is identified by its term, a 64-bit hash. Word numbers are given in order of first
 * appearance, so frequent words have small numbers. Frequencies count the documents of one volume
 * (store/volume.h). The frequencies of the collection are sums over all volumes.
 */
#ifndef PARDUP_FEATURE_VOCABULARY_H
#define PARDUP_FEATURE_VOCABULARY_H

#include <stdint.h>

#include "pardup/base/vec.h"

/* A slot of the hash table: everything that is read when a word is met again, 24 bytes. */
struct pd_slot {
    uint64_t term;
    uint32_t entry; /* word number + 1; 0: the slot is free */
    uint32_t last;  /* stamp of the last document in which the word was counted */
    uint32_t df;    /* documents of the volume with the word */
};

/* The words of a volume by their terms. A zeroed struct is empty. */
struct pd_vocabulary {
    struct pd_slot *slots; /* a hash table with open addressing */
    size_t nslots;         /* a power of two, or 0 */
    size_t n;              /* words */
};

/* How many words ahead to call pd_vocabulary_expect, so that the slot is in the cache in time. */
enum { PD_WORDS_EXPECTED = 128 };

/* Prefetch the slot at which pd_vocabulary_met(v, term) will look. */
static inline void pd_vocabulary_expect(const struct pd_vocabulary *v, uint64_t term)
{
    if (v->nslots) {
        const struct pd_slot *slot = &v->slots[term & (v->nslots - 1)];
        __builtin_prefetch(&slot->term, 1);
        __builtin_prefetch(&slot->df, 1); /* one slot in four has df in the next cache line */
    }
}

/*
 * The slot of `term` if it is the first slot of its probe sequence, as for most words that were met
 * before; else NULL, and pd_vocabulary_enter finds it.
 */
static inline struct pd_slot *pd_vocabulary_met(const struct pd_vocabulary *v, uint64_t term)
{
    if (v->nslots) {
        struct pd_slot *const slot = &v->slots[term & (v->nslots - 1)];
        if (slot->term == term && slot->entry)
            return slot;
    }
    return NULL;
}

/*
 * The slot of `term`, which gets a word number if it is new. Valid until the next call. Amortised
 * O(1). Panics beyond 2^32 - 2 words.
 */
struct pd_slot *pd_vocabulary_enter(struct pd_vocabulary *v, uint64_t term);

/* The word number of `term`, or UINT32_MAX if it is not in the vocabulary. */
uint32_t pd_vocabulary_find(const struct pd_vocabulary *v, uint64_t term);

/*
 * Count the word of `slot` in a document. Repeated calls for the same document count once.
 *   stamp  a number for the document, never 0
 * Returns the word number.
 */
static inline uint32_t pd_vocabulary_count(struct pd_slot *slot, uint32_t stamp)
{
    slot->df += slot->last != stamp;
    slot->last = stamp;
    return slot->entry - 1;
}

/* Fill terms[v->n] and df[v->n] with the term and the document frequency of each word number. */
void pd_vocabulary_list(const struct pd_vocabulary *v, uint64_t *terms, uint32_t *df);

/* Remove all words; the memory is kept for the words of other documents. */
void pd_vocabulary_clear(struct pd_vocabulary *v);

void pd_vocabulary_release(struct pd_vocabulary *v);

#endif

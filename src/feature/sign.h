/* feature/sign.h - private to feature/: one function for each feature, and what they share. */
#ifndef PARDUP_FEATURE_SIGN_H
#define PARDUP_FEATURE_SIGN_H

#include "pardup/base/hash.h"
#include "pardup/feature/imatch.h"
#include "pardup/feature/signer.h"

/* Two seeds make two hash functions of pd_mix (digits of pi, digits of the golden ratio). */
#define PD_SEED_FIRST  0x243F6A8885A308D3u
#define PD_SEED_SECOND 0x9E3779B97F4A7C15u

/* words: fill s->known from s->terms and s->flags. */
void pd_sign_words_begin(struct pd_signer *s);

/* Check the parameters. */
void pd_sign_shingles_begin(struct pd_signer *s);
void pd_sign_bytes_begin(struct pd_signer *s);
void pd_sign_spots_begin(struct pd_signer *s);
void pd_sign_pairs_begin(struct pd_signer *s);

/*
 * Fill s->set, which is empty before, with the signatures of a unit. Multisets, shingles, bytes,
 * spots and pairs do not set s->identity; the others do. feature/feature.h says which function
 * signs which feature.
 */
void pd_sign_words(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_multiset(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_bag(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_sequence(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_lengths(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_shingles(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_bytes(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_spots(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_pairs(struct pd_signer *s, const struct pd_unit *unit);

/*
 * words: replace the terms in s->set by names, one for each lexicon that has some of them, and set
 * s->room.n to the number of terms. O(set * lexicons).
 */
void pd_sign_lexicons(struct pd_signer *s);

/* Set s->identity from s->set. O(set). */
void pd_sign_identify(struct pd_signer *s);

/* Remove duplicates from s->set. Overwrites s->room. O(set). */
void pd_sign_distinct(struct pd_signer *s);

/*
 * Sums over a set, modulo 2^64, so that the order of its signatures does not matter: the sum of the
 * signatures, the sum of the mixed signatures, and their number. Signatures are hashes already, so
 * the plain sum is as good as a sum under a second hash function and saves mixing twice.
 */
struct pd_set_sums {
    uint64_t mixed, plain, n;
};

/* The identity of the set. */
static inline struct pd_identity pd_sign_sums(const struct pd_set_sums *s)
{
    const struct pd_imatch imatch = {s->mixed, s->n};
    return (struct pd_identity){{pd_imatch_signature(&imatch), pd_mix(s->plain + PD_SEED_SECOND)}};
}

/* The hash of a list that ends with `item`; `hash` is the hash of the items before, or a seed. */
static inline uint64_t pd_sign_next(uint64_t hash, uint64_t item) { return pd_mix(hash + item); }

/* The hash of a list of n items. */
static inline uint64_t pd_sign_list(uint64_t seed, const uint64_t *items, size_t n)
{
    for (size_t k = 0; k < n; k++)
        seed = pd_sign_next(seed, items[k]);
    return seed;
}

/* Set s->room to the terms of the unit's words in order; skip words with a flag of `without`. */
static inline void pd_sign_terms(struct pd_signer *s, const struct pd_unit *unit, unsigned without)
{
    size_t n = 0;
    pd_sigs_reserve(&s->room, unit->nwords);
    for (uint32_t k = 0; k < unit->nwords; k++) {
        const uint32_t word = unit->words[k];
        s->room.v[n] = s->terms[word];
        n += !(s->flags[word] & without);
    }
    s->room.n = n;
}

#endif

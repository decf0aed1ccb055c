/* feature/sign.h - private to feature/: one function for each feature, and what they share. */
#ifndef PARDUP_FEATURE_SIGN_H
#define PARDUP_FEATURE_SIGN_H

#include "pardup/base/hash.h"
#include "pardup/feature/imatch.h"
#include "pardup/feature/signer.h"

/* Two seeds make two hash functions of one (digits of pi, and of the golden ratio). */
#define PD_SEED_FIRST  0x243F6A8885A308D3u
#define PD_SEED_SECOND 0x9E3779B97F4A7C15u

void pd_sign_words_begin(struct pd_signer *s);

/* Each fills s->set, which is empty when called; all but shingles and spots also s->identity. */
void pd_sign_words(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_bag(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_sequence(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_lengths(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_shingles(struct pd_signer *s, const struct pd_unit *unit);
void pd_sign_spots(struct pd_signer *s, const struct pd_unit *unit);

/* Keep each signature of s->set once. Uses s->room. */
void pd_sign_distinct(struct pd_signer *s);

/*
 * Sums do not depend on the order. Two of them: of the signatures, which are hashes, and of what
 * pd_mix makes of them, which is as good as a second hash function and saves mixing twice.
 */
struct pd_set_sums {
    uint64_t mixed, plain, n;
};

static inline struct pd_identity pd_sign_sums(const struct pd_set_sums *s)
{
    const struct pd_imatch imatch = {s->mixed, s->n};
    return (struct pd_identity){{pd_imatch_signature(&imatch), pd_mix(s->plain + PD_SEED_SECOND)}};
}

/* Ordered lists are hashed by adding one item after the other to the hash of those before. */
static inline uint64_t pd_sign_next(uint64_t hash, uint64_t item) { return pd_mix(hash + item); }

static inline uint64_t pd_sign_list(uint64_t seed, const uint64_t *items, size_t n)
{
    for (size_t k = 0; k < n; k++)
        seed = pd_sign_next(seed, items[k]);
    return seed;
}

/* The terms of the unit's words in order, those with a flag of `without` left out, in s->room. */
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

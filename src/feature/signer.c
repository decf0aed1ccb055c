/* feature/signer.c - see include/pardup/feature/signer.h */
#include "pardup/feature/signer.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "sign.h"

void pd_signer_init(struct pd_signer *s)
{
    PD_CHECK(s->kind != PD_FEATURE_SHINGLE || s->ngram >= 1);
    PD_CHECK(s->kind != PD_FEATURE_SPOT || (s->spot_distance >= 1 && s->spot_chain >= 1));
}

void pd_signer_use(struct pd_signer *s, const uint64_t *terms, const unsigned char *flags,
                   size_t nterms)
{
    s->terms = terms;
    s->flags = flags;
    s->nterms = nterms;
    if (s->kind == PD_FEATURE_WORDS)
        pd_sign_words_begin(s);
}

void pd_signer_release(struct pd_signer *s)
{
    free(s->known);
    pd_sigs_release(&s->set);
    pd_sigs_release(&s->room);
    *s = (struct pd_signer){0};
}

size_t pd_signer_sign(struct pd_signer *s, const struct pd_unit *unit)
{
    static void (*const sign[])(struct pd_signer *, const struct pd_unit *) = {
        [PD_FEATURE_WORDS] = pd_sign_words,       [PD_FEATURE_BAG] = pd_sign_bag,
        [PD_FEATURE_SEQUENCE] = pd_sign_sequence, [PD_FEATURE_SHINGLE] = pd_sign_shingles,
        [PD_FEATURE_SPOT] = pd_sign_spots,        [PD_FEATURE_LENGTHS] = pd_sign_lengths};
    s->set.n = 0;
    sign[s->kind](s, unit);
    return s->set.n;
}

/*
 * A hash table with open addressing in s->room, whose terms are not needed any more. A slot holds
 * the index of a kept signature plus 1, or 0 if it is free. Sorting instead took four times as long
 * as all the hashing.
 */
void pd_sign_distinct(struct pd_signer *s)
{
    pd_sig *v = s->set.v;
    size_t kept = 0, nslots = 2;
    while (nslots < 2 * s->set.n)
        nslots *= 2;
    pd_sigs_reserve(&s->room, nslots);
    uint64_t *slots = s->room.v;
    memset(slots, 0, nslots * sizeof *slots);
    for (size_t k = 0; k < s->set.n; k++) {
        size_t slot = v[k] & (nslots - 1);
        while (slots[slot] && v[slots[slot] - 1] != v[k])
            slot = (slot + 1) & (nslots - 1);
        if (slots[slot])
            continue;
        v[kept++] = v[k];
        slots[slot] = kept;
    }
    s->set.n = kept;
}

static struct pd_identity identity_of_set(const struct pd_sigs *set)
{
    struct pd_set_sums sums = {.n = set->n};
    for (size_t k = 0; k < set->n; k++) {
        sums.mixed += pd_mix(set->v[k]);
        sums.plain += set->v[k];
    }
    return pd_sign_sums(&sums);
}

uint64_t pd_signer_identity(struct pd_signer *s, uint64_t *more)
{
    if (s->kind == PD_FEATURE_SHINGLE || s->kind == PD_FEATURE_SPOT)
        s->identity = identity_of_set(&s->set);
    *more = s->identity.v[1];
    return s->identity.v[0];
}

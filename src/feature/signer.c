/* feature/signer.c - see include/pardup/feature/signer.h */
#include "pardup/feature/signer.h"

#include <stdlib.h>
#include <string.h>

#include "sign.h"

/* The private columns of the table of features. */
#define ROW(kind, name, help, counts, result, input, sign, begin, identify)                        \
    [PD_FEATURE_##kind] = {sign, begin, identify},
static const struct {
    void (*sign)(struct pd_signer *s, const struct pd_unit *unit);
    void (*begin)(struct pd_signer *s);
    void (*identify)(struct pd_signer *s);
} rows[PD_NFEATURES] = {PD_FEATURES(ROW)};

void pd_signer_use(struct pd_signer *s, const uint64_t *terms, const unsigned char *flags,
                   size_t nterms)
{
    s->terms = terms;
    s->flags = flags;
    s->nterms = nterms;
    if (rows[s->kind].begin)
        rows[s->kind].begin(s);
}

void pd_signer_release(struct pd_signer *s)
{
    free(s->known);
    PD_RELEASE(pd_sigs, &s->set, &s->room);
    pd_bytes_release(&s->text);
    *s = (struct pd_signer){0};
}

size_t pd_signer_sign(struct pd_signer *s, const struct pd_unit *unit)
{
    s->set.n = 0;
    rows[s->kind].sign(s, unit);
    if (s->lexicons > 1)
        pd_sign_lexicons(s);
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

void pd_sign_identify(struct pd_signer *s)
{
    struct pd_set_sums sums = {.n = s->set.n};
    for (size_t k = 0; k < s->set.n; k++) {
        sums.mixed += pd_mix(s->set.v[k]);
        sums.plain += s->set.v[k];
    }
    s->identity = pd_sign_sums(&sums);
}

uint64_t pd_signer_identity(struct pd_signer *s, uint64_t *more)
{
    if (rows[s->kind].identify)
        rows[s->kind].identify(s);
    *more = s->identity.v[1];
    return s->identity.v[0];
}

uint64_t pd_signer_name(const struct pd_signer *s, size_t k, uint64_t *more)
{
    *more = s->room.v[k];
    return s->set.v[k];
}

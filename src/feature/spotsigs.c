/*
 * feature/spotsigs.c - spots: a frequent word and a chain of words after it, without stop words.
 *
 * Theobald, Siddharth, Paepcke, "SpotSigs: Robust and Efficient Near Duplicate Detection in Large
 * Web Collections", SIGIR 2008. Applied to sentences as in Zhang, Zhang, Yu, Huang, "Efficient
 * Partial-Duplicate Detection Based on Sequence Matching", SIGIR 2010, section 4.1.1.
 */
#include "pardup/base/error.h"
#include "sign.h"

void pd_sign_spots_begin(struct pd_signer *s)
{
    PD_CHECK(s->spot_distance >= 1 && s->spot_chain >= 1);
}

void pd_sign_spots(struct pd_signer *s, const struct pd_unit *unit)
{
    const uint64_t distance = s->spot_distance, reach = distance * s->spot_chain;
    size_t passed = 0; /* words of s->room up to and including the current word */
    pd_sign_terms(s, unit, PD_WORD_STOP);
    for (uint32_t k = 0; k < unit->nwords; k++) {
        const uint32_t word = unit->words[k];
        passed += !(s->flags[word] & PD_WORD_STOP);
        if (s->room.n - passed < reach)
            break;
        if (!(s->flags[word] & PD_WORD_ANTECEDENT))
            continue;
        uint64_t spot = pd_sign_next(PD_SEED_FIRST, s->terms[word]);
        for (uint64_t ahead = distance; ahead <= reach; ahead += distance)
            spot = pd_sign_next(spot, s->room.v[passed + ahead - 1]);
        pd_sigs_push(&s->set, spot);
    }
    pd_sign_distinct(s);
}

/*
 * feature/shingle.c - every run of n adjacent words of a unit.
 *
 * Broder, Glassman, Manasse, Zweig, "Syntactic Clustering of the Web", WWW 1997. Applied to
 * sentences as in Zhang, Zhang, Yu, Huang, "Efficient Partial-Duplicate Detection Based on
 * Sequence Matching", SIGIR 2010, section 4.1.
 */
#include "pardup/base/error.h"
#include "sign.h"

void pd_sign_shingles_begin(struct pd_signer *s) { PD_CHECK(s->ngram >= 1); }

/* Each run is hashed from scratch: a rolling hash saves nothing for n = 2 to 4. */
void pd_sign_shingles(struct pd_signer *s, const struct pd_unit *unit)
{
    const size_t n = unit->nwords < s->ngram ? unit->nwords : s->ngram;
    if (n == 0)
        return;
    pd_sign_terms(s, unit, 0);
    pd_sigs_reserve(&s->set, s->room.n - n + 1);
    for (size_t k = 0; k + n <= s->room.n; k++)
        s->set.v[s->set.n++] = pd_sign_list(PD_SEED_FIRST, s->room.v + k, n);
    pd_sign_distinct(s);
}

/* feature/imatch.c - see include/pardup/feature/imatch.h */
#include "pardup/feature/imatch.h"

#include <math.h>
#include <stdlib.h>

#include "pardup/base/error.h"
#include "pardup/base/search.h"
#include "sign.h"

double pd_imatch_idf(uint64_t df, uint64_t documents)
{
    if (documents < 2) /* log N is 0; a single document has nothing to match anyway */
        return 0;
    return log((double)documents / (double)df) / log((double)documents);
}

bool pd_imatch_counts(uint64_t df, uint64_t documents, double lo, double hi)
{
    const double idf = pd_imatch_idf(df, documents);
    return lo - PD_IDF_TOLERANCE <= idf && idf <= hi + PD_IDF_TOLERANCE;
}

/* The least df in [1, documents + 1] with idf <= bound + PD_IDF_TOLERANCE. */
static uint64_t least_df_below(uint64_t documents, double bound)
{
    uint64_t lo = 1, hi = documents + 1;
    PD_BISECT(lo, hi, mid, !(pd_imatch_counts(mid, documents, -INFINITY, bound)));
    return lo;
}

/*
 * True if idf is below `lo` and df above `always`, or df above its share. Then this holds for every
 * larger df, too.
 */
static bool is_too_frequent(uint64_t df, uint64_t documents, double lo, uint64_t always,
                            double most_share)
{
    return (df > always && !pd_imatch_counts(df, documents, lo, INFINITY)) ||
           (double)df > most_share * (double)documents;
}

struct pd_df_range pd_imatch_range(uint64_t documents, double lo, double hi, uint64_t always,
                                   double most_share)
{
    uint64_t fits = 1, end = documents + 1;
    PD_BISECT(fits, end, mid, !(is_too_frequent(mid, documents, lo, always, most_share)));
    return (struct pd_df_range){least_df_below(documents, hi), fits};
}

/* No unit has this stamp: a 64-bit counter of units does not get there. */
#define STAMP_LEFT_OUT UINT64_MAX

void pd_sign_words_begin(struct pd_signer *s)
{
    if (s->nterms >= s->known_cap) {
        s->known_cap = s->nterms + s->nterms / 4 + 1;
        free(s->known);
        s->known = pd_alloc_huge(s->known_cap, sizeof *s->known);
    }
    for (size_t k = 0; k < s->nterms; k++)
        s->known[k] =
            (struct pd_known){s->terms[k], s->flags[k] & PD_WORD_LEFT_OUT ? STAMP_LEFT_OUT : 0};
    s->stamp = 0;
}

/*
 * Collect the distinct counted words of a unit. This is the hottest loop of the program after
 * reading, so it neither sorts nor branches. Each term is written behind the set; it becomes a
 * member (sums.n grows) only if its stamp is older than the unit's.
 */
void pd_sign_words(struct pd_signer *s, const struct pd_unit *unit)
{
    const uint64_t stamp = ++s->stamp;
    struct pd_set_sums sums = {0};
    pd_sigs_reserve(&s->set, unit->nwords);
    for (uint32_t k = 0; k < unit->nwords; k++) {
        struct pd_known *word = &s->known[unit->words[k]];
        __builtin_prefetch(&s->known[unit->words[k + PD_WORDS_AHEAD]], 1);
        const uint64_t term = word->term, adds = -(uint64_t)(word->stamp < stamp); /* 0 or ~0 */
        s->set.v[sums.n] = term;
        sums.n -= adds;
        sums.plain += term & adds;
        sums.mixed += pd_mix(term) & adds;
        word->stamp ^= (word->stamp ^ stamp) & adds;
    }
    s->set.n = sums.n;
    s->identity = pd_sign_sums(&sums);
    if (s->empty && sums.n == 0) {
        s->identity = (struct pd_identity){{PD_SEED_FIRST, PD_SEED_SECOND}};
        pd_sigs_push(&s->set, PD_SEED_FIRST);
    }
}

/*
 * Is a term in lexicon k? The first lexicon has all terms, and each other one has two in three,
 * chosen by a hash, so that it is the same in every document.
 */
static bool in_lexicon(uint64_t term, uint32_t k)
{
    return k == 0 || pd_mix(term + k * PD_SEED_SECOND) % 3 != 0;
}

/* Sums over the terms of lexicon k. */
static struct pd_set_sums sums_of(const struct pd_sigs *terms, uint32_t k)
{
    struct pd_set_sums sums = {0};
    for (size_t t = 0; t < terms->n; t++)
        if (in_lexicon(terms->v[t], k)) {
            sums.n++;
            sums.plain += terms->v[t];
            sums.mixed += pd_mix(terms->v[t]);
        }
    return sums;
}

void pd_sign_lexicons(struct pd_signer *s)
{
    struct pd_identity names[PD_LEXICONS_MOST];
    uint32_t n = 0;
    PD_CHECK(s->lexicons <= PD_LEXICONS_MOST);
    for (uint32_t k = 0; k < s->lexicons; k++) {
        const struct pd_set_sums sums = sums_of(&s->set, k);
        const struct pd_identity id = pd_sign_sums(&sums);
        if (sums.n) /* names of two lexicons are never equal */
            names[n++] = (struct pd_identity){{pd_mix(id.v[0] + k), pd_mix(id.v[1] + k)}};
    }
    const size_t nterms = s->set.n;
    pd_sigs_reserve(&s->set, n);
    pd_sigs_reserve(&s->room, n);
    for (uint32_t k = 0; k < n; k++) {
        s->set.v[k] = names[k].v[0];
        s->room.v[k] = names[k].v[1];
    }
    s->set.n = n;
    s->room.n = nterms;
}

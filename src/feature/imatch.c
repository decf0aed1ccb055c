/* feature/imatch.c - see include/pardup/feature/imatch.h */
#include "pardup/feature/imatch.h"

#include <math.h>
#include <stdlib.h>

#include "sign.h"

double pd_imatch_idf(uint64_t df, uint64_t documents)
{
    if (documents < 2) /* log N is 0: a single document has nothing to match anyway */
        return 0;
    return log((double)documents / (double)df) / log((double)documents);
}

bool pd_imatch_counts(uint64_t df, uint64_t documents, double lo, double hi)
{
    const double idf = pd_imatch_idf(df, documents);
    return lo - PD_IDF_TOLERANCE <= idf && idf <= hi + PD_IDF_TOLERANCE;
}

/*
 * Stamps ascend, and a word that is left out has the last one from the start: one look tells whether
 * a word adds to the set.
 */
#define STAMP_LEFT_OUT UINT32_MAX

static void clear_stamps(struct pd_signer *s)
{
    for (size_t k = 0; k < s->nterms; k++)
        s->seen[k] = s->flags[k] & PD_WORD_LEFT_OUT ? STAMP_LEFT_OUT : 0;
    s->stamp = 0;
}

void pd_sign_words_begin(struct pd_signer *s)
{
    if (s->nterms >= s->seen_cap) {
        s->seen_cap = s->nterms + s->nterms / 4 + 1;
        free(s->seen);
        s->seen = pd_alloc_huge(s->seen_cap, sizeof *s->seen);
    }
    clear_stamps(s);
}

/* The program's hottest loop after reading: distinct words without sorting or branching. */
void pd_sign_words(struct pd_signer *s, const struct pd_unit *unit)
{
    if (++s->stamp == STAMP_LEFT_OUT) {
        clear_stamps(s);
        s->stamp++;
    }
    const uint32_t stamp = s->stamp;
    uint32_t *seen = s->seen;
    pd_sigs_reserve(&s->set, unit->ntokens);
    size_t n = 0;
    for (uint32_t k = 0; k < unit->ntokens; k++) {
        const uint32_t word = unit->tokens[k].term;
        const uint32_t last = seen[word];
        s->set.v[n] = s->terms[word];
        n += last < stamp;
        seen[word] = last < stamp ? stamp : last;
    }
    s->set.n = n;
}

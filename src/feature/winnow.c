/* feature/winnow.c - see include/pardup/feature/winnow.h */
#include "pardup/feature/winnow.h"

#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"

void pd_winnow_hash(const uint64_t *terms, const uint32_t *words, size_t nwords, size_t ngram,
                    uint64_t *hashes)
{
    uint64_t sum = 0, first = 1; /* the weight of the first word of a gram */
    for (size_t k = 0; k + 1 < ngram; k++) {
        sum = sum * PD_WINNOW_BASE + terms[words[k]];
        first *= PD_WINNOW_BASE;
    }
    for (size_t k = ngram - 1; k < nwords; k++) {
        const size_t gram = k + 1 - ngram;
        sum = sum * PD_WINNOW_BASE + terms[words[k]];
        hashes[gram] = pd_mix(sum);
        sum -= first * terms[words[gram]];
    }
}

uint64_t pd_winnow_hash_of(const uint64_t *terms, const uint32_t *words, size_t n)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum = sum * PD_WINNOW_BASE + terms[words[k]];
    return pd_mix(sum);
}

void pd_winnow_choose(const uint64_t *hashes, size_t n, size_t window, unsigned char *chosen)
{
    size_t least = 0;
    for (size_t end = 1; end <= n; end++) {
        const size_t from = end > window ? end - window : 0;
        if (least < from) { /* it has left the window */
            least = from;
            for (size_t k = from + 1; k < end; k++)
                least = hashes[k] <= hashes[least] ? k : least;
        } else if (hashes[end - 1] <= hashes[least]) {
            least = end - 1;
        }
        if (end >= pd_min_size(window, n))
            chosen[least] = 0;
    }
}

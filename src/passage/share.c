/* passage/share.c - see include/pardup/passage/share.h */
#include "pardup/passage/share.h"

#include <math.h>

#include "pardup/base/sort.h"

static bool ascending(const uint64_t *v, size_t n)
{
    size_t k = 1;
    while (k < n && v[k - 1] <= v[k])
        k++;
    return k >= n;
}

struct pd_share pd_share_of_own(uint64_t *passages, size_t n, uint64_t all)
{
    struct pd_share share = {0, all};
    uint64_t reached = 0;
    if (!ascending(passages, n)) /* most pairs have few passages, in the same order in a and b */
        pd_sort_records(passages, n, 1, 1);
    for (size_t k = 0; k < n; k++) {
        const uint64_t begin = passages[k] >> 32, end = (uint32_t)passages[k];
        const uint64_t from = begin > reached ? begin : reached;
        if (end > from) {
            share.covered += end - from;
            reached = end;
        }
    }
    return share;
}

struct pd_share pd_share_of_words(uint64_t *passages, size_t n, uint32_t words,
                                  const struct pd_aside_runs *aside)
{
    for (size_t k = 0; k < n; k++)
        passages[k] = pd_ij(pd_own_words(aside, (uint32_t)(passages[k] >> 32)),
                            pd_own_words(aside, (uint32_t)passages[k]));
    return pd_share_of_own(passages, n, pd_own_words(aside, words));
}

double pd_share_real(struct pd_share s) { return s.all ? (double)s.covered / (double)s.all : NAN; }

/* passage/pair.c - see include/pardup/passage/pair.h */
#include "pardup/passage/pair.h"

#include <math.h>

#include "pardup/base/sort.h"

static bool ascending(const uint64_t *v, size_t n)
{
    size_t k = 1;
    while (k < n && v[k - 1] <= v[k])
        k++;
    return k >= n;
}

/* The number of words in the union of n ranges. Each is given as pd_ij(begin, end). */
static uint64_t covered(uint64_t *ranges, size_t n)
{
    uint64_t sum = 0, reached = 0;
    if (!ascending(ranges, n)) /* most pairs have few passages, in the same order in a and b */
        pd_sort_records(ranges, n, 1, 1);
    for (size_t k = 0; k < n; k++) {
        const uint64_t begin = ranges[k] >> 32, end = (uint32_t)ranges[k];
        const uint64_t from = begin > reached ? begin : reached;
        if (end > from) {
            sum += end - from;
            reached = end;
        }
    }
    return sum;
}

/* NaN: all own words of the document are not known, or there are none. */
static double share_of(uint64_t part, uint64_t all)
{
    return all ? (double)part / (double)all : NAN;
}

struct pd_pair pd_pair_of(const struct pd_row *rows, size_t n, uint64_t *scratch)
{
    struct pd_pair pair = {.a = rows->a, .b = rows->b, .passages = n, .resemblance = NAN};
    for (size_t k = 0; k < n; k++) {
        pair.matched += rows[k].matched;
        pair.score += (double)rows[k].matched * rows[k].similarity;
        scratch[k] = rows[k].own_a;
    }
    pair.coverage_a = share_of(covered(scratch, n), rows->own >> 32);
    for (size_t k = 0; k < n; k++)
        scratch[k] = rows[k].own_b;
    pair.coverage_b = share_of(covered(scratch, n), (uint32_t)rows->own);
    return pair;
}

bool pd_pair_passes(const struct pd_passage *passages, size_t n, double theta_d, uint64_t delta)
{
    double score = 0;
    uint64_t matched = 0;
    for (size_t k = 0; k < n; k++) {
        score += passages[k].matched * passages[k].similarity;
        matched += passages[k].matched;
    }
    return score >= theta_d && matched > delta;
}

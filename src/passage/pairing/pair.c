/* passage/pairing/pair.c - see include/pardup/passage/pair.h */
#include "pardup/passage/pair.h"

#include <math.h>

#include "pardup/passage/share.h"

struct pd_pair pd_pair_of(const struct pd_row *rows, size_t n, uint64_t *scratch)
{
    struct pd_pair pair = {.a = rows->a, .b = rows->b, .passages = n, .resemblance = NAN};
    for (size_t k = 0; k < n; k++) {
        pair.matched += rows[k].matched;
        pair.score += (double)rows[k].matched * rows[k].similarity;
        scratch[k] = rows[k].own_a;
    }
    pair.coverage_a = pd_share_real(pd_share_of_own(scratch, n, rows->own >> 32));
    for (size_t k = 0; k < n; k++)
        scratch[k] = rows[k].own_b;
    pair.coverage_b = pd_share_real(pd_share_of_own(scratch, n, (uint32_t)rows->own));
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

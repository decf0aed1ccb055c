/* join/similarity.c - see include/pardup/join/similarity.h */
#include "pardup/join/similarity.h"

#include "pardup/base/minmax.h"

uint32_t pd_similarity_least(enum pd_join_kind kind, double tau, uint32_t n, uint32_t m)
{
    const uint32_t smaller = pd_min_u32(n, m), larger = pd_max_u32(n, m);
    const double guess =
        kind == PD_JOIN_JACCARD ? tau / (1 + tau) * ((double)n + m) : tau * (double)larger;
    uint32_t least = guess < smaller ? (uint32_t)guess : smaller;
    while (least > 0 && pd_similarity(kind, least - 1, n, m) >= tau)
        least--;
    while (least <= smaller && pd_similarity(kind, least, n, m) < tau)
        least++;
    return least;
}

uint32_t pd_similarity_smallest(double tau, uint32_t n)
{
    uint32_t least = (uint32_t)(tau * (double)n);
    while (least > 1 && (double)(least - 1) / (double)n >= tau)
        least--;
    while (least < n && (least == 0 || (double)least / (double)n < tau))
        least++;
    return least;
}

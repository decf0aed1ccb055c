/* passage/edges.c - see include/pardup/passage/edges.h */
#include "pardup/passage/edges.h"

#include "pardup/base/minmax.h"

uint32_t pd_edges_agree(const struct pd_beyond *a, const struct pd_beyond *b)
{
    const uint32_t known = pd_min_u32(a->n, b->n);
    const uint32_t near = pd_max_u32(a->near, b->near);
    const uint32_t limit = pd_min_u32(known, near);
    uint32_t n = 0; /* words that agree */
    while (n < limit && a->v[n].term == b->v[n].term)
        n++;
    return n;
}

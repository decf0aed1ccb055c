/*
 * run/stage/families/stars.h - connected components of a graph that lies on all ranks.
 *
 * Each component becomes a star around its smallest node. Method: Kiveris, Lattanzi, Mirrokni,
 * Rastogi and Vassilvitskii, "Connected components in MapReduce and beyond" (SoCC 2014), large-star
 * and small-star in turns. A link costs 16 bytes and spills. The number of rounds grows with the
 * logarithm of the longest path.
 */
#ifndef PARDUP_RUN_STARS_H
#define PARDUP_RUN_STARS_H

#include "pardup/store/spool.h"
#include "run/shuffle.h"

/* Two nodes of one component, in any order; u != v. */
struct pd_link {
    uint64_t u, v;
};

/* The rank that a node goes to; an owner of records that begin with a node, for any context. */
int pd_node_owner(uint64_t node, int nranks);
int pd_to_owner_of_node(const void *rec, int nranks, void *ctx);

/* The partition of a node (struct pd_flow) where all nodes are below `nodes`. */
static inline uint32_t pd_node_partition(uint64_t node, uint64_t nodes, uint32_t npartitions)
{
    const unsigned shift = nodes >> 48 ? 16 : 0; /* so that the product fits into 64 bits */
    return (uint32_t)((node >> shift) * npartitions / ((nodes >> shift) + 1));
}

/*
 * COLLECTIVE. Find the components.
 *   nodes  all nodes are below *nodes; borrowed while `stars` is open
 *   links  the links of this rank, struct pd_link; finished, and read to its end
 *   stars  receives an open, sorted shuffle: links {node, neighbour} in both directions, at the
 *          owner of the node. The first neighbour of a node is the smallest node of its component,
 *          unless the node is smaller. The caller closes it, also after a failure.
 * Agreed: PD_OK or a failure.
 */
int pd_stars_find(const struct pd_transport *t, const uint64_t *nodes, struct pd_spool *links,
                  struct pd_shuffle *stars);

#endif

/*
 * run/families/stars.h - connected components of a graph that lies on all ranks.
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

/* The rank that a node goes to. */
int pd_node_owner(uint64_t node, int nranks);

/*
 * COLLECTIVE. Find the components.
 *   links  the links of this rank, struct pd_link; finished, and read to its end
 *   stars  receives an open, sorted shuffle: links {node, neighbour} in both directions, at the
 *          owner of the node. The first neighbour of a node is the smallest node of its component,
 *          unless the node is smaller. The caller closes it, also after a failure.
 * Agreed: PD_OK or a failure.
 */
int pd_stars_find(const struct pd_transport *t, struct pd_spool *links, struct pd_shuffle *stars);

#endif

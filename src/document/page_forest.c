/* page_forest.c - see page_trees.h: walks through the trees. */
#include "page_trees.h"

/*
 * Walk through `n` trees at the same time, a step of each in turns: which way a node goes cannot be
 * predicted, so nothing may wait for it. A leaf stays where it is, as features[PD_TREE_LEAF] is
 * greater than its value, and its right child is itself. Returns the sum of their scores.
 */
static inline __attribute__((always_inline)) int32_t walk_trees(const struct pd_tree_node *nodes,
                                                                const uint16_t *roots, unsigned n,
                                                                const int16_t *features)
{
    uint32_t at[PD_SCORE_STRIDE];
    unsigned inner;
    int32_t sum = 0;
    for (unsigned t = 0; t < n; t++)
        at[t] = roots[t];
    do {
        inner = 0;
        for (unsigned t = 0; t < n; t++) {
            const struct pd_tree_node node = nodes[at[t]];
            at[t] += features[node.feature] <= node.value ? 1u : node.right;
            inner |= node.feature ^ PD_TREE_LEAF;
        }
    } while (inner);
    for (unsigned t = 0; t < n; t++)
        sum += nodes[at[t]].value;
    return sum;
}

int16_t pd_forest_score(const struct pd_forest *forest, const int16_t *features)
{
    int32_t score = forest->base;
    for (unsigned t = 0; t < forest->n; t += PD_SCORE_STRIDE) {
        if (score > PD_SCORE_SURE || score < -PD_SCORE_SURE)
            break;
        const uint16_t *roots = forest->roots + t;
        const unsigned left = forest->n - t;
        /* with a number of trees that is known, the loops over trees are unrolled */
        score += left >= PD_SCORE_STRIDE
                     ? walk_trees(forest->nodes, roots, PD_SCORE_STRIDE, features)
                     : walk_trees(forest->nodes, roots, left, features);
    }
    if (score > PD_SCORE_MOST)
        return PD_SCORE_MOST;
    return score < -PD_SCORE_MOST ? -PD_SCORE_MOST : (int16_t)score;
}

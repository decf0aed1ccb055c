/* page_forest.c - see page_trees.h: walks through the trees. */
#include "page_trees.h"

int16_t pd_forest_score(const struct pd_forest *forest, const int16_t *features)
{
    int32_t score = forest->base;
    for (unsigned t = 0; t < forest->n; t++) {
        if (t % PD_SCORE_STRIDE == 0 && (score > PD_SCORE_SURE || score < -PD_SCORE_SURE))
            break;
        const struct pd_tree_node *node = forest->nodes + forest->roots[t];
        while (node->feature != PD_TREE_LEAF)
            node += features[node->feature] <= node->value ? 1 : node->right;
        score += node->value;
    }
    if (score > PD_SCORE_MOST)
        return PD_SCORE_MOST;
    return score < -PD_SCORE_MOST ? -PD_SCORE_MOST : (int16_t)score;
}

/*
 * page_trees.h - decision trees that judge pages and blocks by their features (page_features.h).
 *
 * Private to document/. The trees are sums of small corrections (Friedman, "Greedy function
 * approximation: a gradient boosting machine", Annals of Statistics 2001), in integers.
 */
#ifndef PARDUP_DOCUMENT_PAGE_TREES_H
#define PARDUP_DOCUMENT_PAGE_TREES_H

#include <stddef.h>
#include <stdint.h>

/* A node. Its left child is the next node. */
struct pd_tree_node {
    int16_t value;   /* goes left when the feature is at most this; the score of a leaf */
    uint8_t feature; /* PD_TREE_LEAF for a leaf */
    uint8_t right;   /* nodes from this one to its right child; 0 for a leaf */
};
#define PD_TREE_LEAF 255

/* Trees whose scores add up. */
struct pd_forest {
    const struct pd_tree_node *nodes;
    const uint16_t *roots; /* index of the root of each tree */
    uint16_t n;            /* trees */
    int16_t base;          /* score without trees */
};

/* page_trees.c, which scripts/data/train_content.py writes. */
enum { PD_KIND_ARTICLE };                        /* the first kind */
extern const struct pd_forest pd_kind_forests[]; /* PD_PAGE_NKINDS: scores of the kinds of a page */
extern const struct pd_forest pd_block_forest;   /* how likely a block is main content */

enum {
    PD_SCORE_UNIT = 128,  /* a score of this is a natural logarithm of 1 */
    PD_SCORE_MOST = 1023, /* scores beyond are cut */
    PD_SCORE_SURE = 320,  /* a score beyond after a multiple of PD_SCORE_STRIDE trees is final */
    PD_SCORE_STRIDE = 10,
    PD_TREE_LEAVES = 16, /* most leaves of a tree */
    PD_FOREST_ROWS = 32  /* rows of features that pd_forest_scores() judges */
};

enum { PD_FEATURES_ROOM = PD_TREE_LEAF + 1 }; /* room for the features that trees ask for */

/*
 * The sum of the trees' scores, cut to -PD_SCORE_MOST to PD_SCORE_MOST.
 *   features  PD_FEATURES_ROOM of them; features[PD_TREE_LEAF] is INT16_MAX, and leaves are less
 */
int16_t pd_forest_score(const struct pd_forest *forest, const int16_t *features);

/*
 * The same for PD_FOREST_ROWS rows at once, to `scores`, which is much faster.
 *   features  how many of a row the trees may ask for
 */
void pd_forest_scores(const struct pd_forest *forest, const int16_t rows[][PD_FEATURES_ROOM],
                      unsigned features, int16_t *scores);

#endif

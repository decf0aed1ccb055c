/* page_forest.c - see page_trees.h: walks through the trees. */
#include "page_trees.h"

#include <stdbool.h>

#include "pardup/base/vector.h"

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

static int16_t cut(int32_t score)
{
    if (score > PD_SCORE_MOST)
        return PD_SCORE_MOST;
    return score < -PD_SCORE_MOST ? -PD_SCORE_MOST : (int16_t)score;
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
    return cut(score);
}

/* Numbers of some rows. Comparisons give -1 for true. */
typedef int16_t pack __attribute__((vector_size(32)));
enum { PACK = sizeof(pack) / sizeof(int16_t), PACKS = PD_FOREST_ROWS / PACK };

/* The rows of some blocks, a column for each feature. */
struct columns {
    pack v[PD_FEATURES_ROOM][PACKS];
};

/* Copy the first `n` features of all rows, and up to 7 more, to columns. */
static void turn(const int16_t rows[][PD_FEATURES_ROOM], unsigned n, struct columns *columns)
{
#ifdef PD_VECTORS
    for (unsigned f = 0; f < n; f += 8) {
        for (unsigned row = 0; row < PD_FOREST_ROWS; row += 8) {
            __m128i a[8], b[8]; /* halves, quarters and eighths of the square are exchanged */
            for (unsigned k = 0; k < 8; k++)
                a[k] = _mm_loadu_si128((const __m128i *)&rows[row + k][f]);
            for (unsigned k = 0; k < 4; k++) {
                b[2 * k] = _mm_unpacklo_epi16(a[k], a[k + 4]);
                b[2 * k + 1] = _mm_unpackhi_epi16(a[k], a[k + 4]);
            }
            for (unsigned k = 0; k < 4; k++) {
                a[2 * k] = _mm_unpacklo_epi16(b[k], b[k + 4]);
                a[2 * k + 1] = _mm_unpackhi_epi16(b[k], b[k + 4]);
            }
            for (unsigned k = 0; k < 4; k++) {
                b[2 * k] = _mm_unpacklo_epi16(a[k], a[k + 4]);
                b[2 * k + 1] = _mm_unpackhi_epi16(a[k], a[k + 4]);
            }
            for (unsigned k = 0; k < 8; k++)
                _mm_storeu_si128((__m128i *)((int16_t *)columns->v[f + k] + row), b[k]);
        }
    }
#else
    for (unsigned f = 0; f < n; f++)
        for (unsigned row = 0; row < PD_FOREST_ROWS; row++)
            ((int16_t *)columns->v[f])[row] = rows[row][f];
#endif
}

/*
 * Add the scores of a tree for all rows to the sums. Each node is visited with a mask of the rows
 * that come there; the masks of right children wait on a stack.
 */
static inline __attribute__((always_inline)) void
add_tree(const struct pd_tree_node *node, const struct columns *columns, pack sums[PACKS])
{
    pack waiting[PD_TREE_LEAVES][PACKS], here[PACKS];
    unsigned n = 0;
    for (unsigned k = 0; k < PACKS; k++)
        here[k] = (pack){0} == 0;
    for (;; node++) {
        if (node->feature != PD_TREE_LEAF) {
            for (unsigned k = 0; k < PACKS; k++) {
                const pack right = columns->v[node->feature][k] > node->value;
                waiting[n][k] = here[k] & right;
                here[k] &= ~right;
            }
            n++;
            continue;
        }
        for (unsigned k = 0; k < PACKS; k++)
            sums[k] += here[k] & node->value;
        if (n-- == 0)
            return;
        for (unsigned k = 0; k < PACKS; k++)
            here[k] = waiting[n][k];
    }
}

/* Write the scores of all rows. */
static inline __attribute__((always_inline)) void
judge(const struct pd_forest *forest, const struct columns *columns, pack scores[PACKS])
{
    for (unsigned k = 0; k < PACKS; k++)
        scores[k] = (pack){0} + forest->base;
    for (unsigned t = 0; t < forest->n;) {
        pack sums[PACKS] = {{0}}, all_sure = {0};
        all_sure = all_sure == 0;
        for (unsigned k = 0; k < PD_SCORE_STRIDE && t < forest->n; k++, t++)
            add_tree(forest->nodes + forest->roots[t], columns, sums);
        for (unsigned k = 0; k < PACKS; k++) {
            pack sure = (scores[k] > PD_SCORE_SURE) | (scores[k] < -PD_SCORE_SURE);
            scores[k] += sums[k] & ~sure;
            all_sure &= (scores[k] > PD_SCORE_SURE) | (scores[k] < -PD_SCORE_SURE);
        }
        bool sure = true;
        for (unsigned k = 0; k < PACK; k++)
            sure &= all_sure[k] != 0;
        if (sure)
            break;
    }
}

#ifdef __SSE2__
__attribute__((target("avx2"))) static void
judge_wide(const struct pd_forest *forest, const struct columns *columns, pack scores[PACKS])
{
    judge(forest, columns, scores);
}
#endif

void pd_forest_scores(const struct pd_forest *forest, const int16_t rows[][PD_FEATURES_ROOM],
                      unsigned features, int16_t *scores)
{
    struct columns columns;
    pack packs[PACKS];
    turn(rows, features, &columns);
#ifdef __SSE2__
    if (__builtin_cpu_supports("avx2"))
        judge_wide(forest, &columns, packs);
    else
#endif
        judge(forest, &columns, packs);
    for (unsigned row = 0; row < PD_FOREST_ROWS; row++)
        scores[row] = cut(packs[row / PACK][row % PACK]);
}

/* Passages of one pair: edges by hand, then random dots against a slow definition. */
#include "pardup/passage/diagonal.h"

#include <stdlib.h>
#include <string.h>

#include "pd_blocks.h"
#include "pd_cunit.h"
#include "pd_random.h"

struct dot {
    uint64_t ij; /* i in the high half, j in the low */
    double similarity;
};
PD_VEC(dots, struct dot);

static uint32_t i_of(const struct dot *d) { return (uint32_t)(d->ij >> 32); }
static uint32_t j_of(const struct dot *d) { return (uint32_t)d->ij; }

static void similar(struct dots *d, uint32_t i, uint32_t j, double similarity)
{
    dots_push(d, (struct dot){pd_ij(i, j), similarity});
}

static void dot(struct dots *d, uint32_t i, uint32_t j) { similar(d, i, j, 1); }

static void diagonal(struct dots *d, uint32_t i, uint32_t j, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        dot(d, i + k, j + k);
}

enum way { ONE_EACH, PIECES, REPEATED_PIECES };

/* Dots as blocks: one each, or the partners of a sentence in pieces of 3 and out of order. */
static void make_blocks(const struct dots *dots, enum way way, struct block_list *list)
{
    for (size_t k = 0, end; k < dots->n; k = end) {
        const struct dot *first = &dots->v[k];
        for (end = k + 1; way != ONE_EACH && end < dots->n && end < k + 3; end++)
            if (i_of(&dots->v[end]) != i_of(first) || dots->v[end].similarity != first->similarity)
                break;
        for (int times = way == REPEATED_PIECES && k % 4 == 0 ? 2 : 1; times > 0; times--) {
            const uint32_t nj = (uint32_t)(end - k);
            struct pd_block *block = add_block(list, 1, nj, first->similarity, k % 3 == 0);
            block->units[0] = i_of(first);
            for (uint32_t u = 0; u < nj; u++)
                block->units[1 + u] = j_of(&dots->v[k + u]);
        }
    }
    for (size_t k = 0; way == REPEATED_PIECES && 2 * k + 1 < list->n; k += 2) {
        struct pd_block *swap = list->v[k];
        list->v[k] = list->v[list->n - 1 - k];
        list->v[list->n - 1 - k] = swap;
    }
}

static size_t find_in(const struct block_list *list, uint32_t gamma, uint32_t gap,
                      struct pd_passages *out)
{
    struct pd_diagonals d = {0};
    out->n = 0;
    const struct pd_pair_dots pair = {.b = 1, .blocks = blocks_of(list), .n = list->n};
    pd_diagonals_find(&d, &pair, gamma, gap, out);
    pd_diagonals_release(&d);
    return out->n;
}

static int same(const struct pd_passages *x, const struct pd_passages *y)
{
    return x->n == y->n && (!x->n || memcmp(x->v, y->v, x->n * sizeof *x->v) == 0);
}

static int by_ij(const void *pa, const void *pb)
{
    const uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;
    return (a > b) - (a < b);
}

/* Dots of identical sentences, some given twice, need no blocks. */
static void find_plain(const struct dots *dots, uint32_t gamma, uint32_t gap,
                       struct pd_passages *out)
{
    struct pd_diagonals d = {0};
    struct pd_u64s ij = {0};
    for (size_t k = 0; k < dots->n; k++)
        for (size_t times = k % 5 == 0 ? 2 : 1; times > 0; times--)
            pd_u64s_push(&ij, dots->v[k].ij);
    qsort(ij.v, ij.n, sizeof *ij.v, by_ij);
    out->n = 0;
    pd_diagonals_find(&d, &(struct pd_pair_dots){.b = 1, .dots = ij.v, .n = ij.n}, gamma, gap, out);
    pd_u64s_release(&ij);
    pd_diagonals_release(&d);
}

static int all_identical(const struct dots *dots)
{
    for (size_t k = 0; k < dots->n; k++)
        if (dots->v[k].similarity < 1)
            return 0;
    return 1;
}

static size_t find(const struct dots *dots, uint32_t gamma, uint32_t gap, struct pd_passages *out)
{
    struct pd_passages again = {0};
    for (enum way way = ONE_EACH; way <= REPEATED_PIECES; way++) {
        struct block_list list = {0};
        make_blocks(dots, way, &list);
        find_in(&list, gamma, gap, way == ONE_EACH ? out : &again);
        CU_ASSERT(way == ONE_EACH || same(&again, out));
        release_blocks(&list);
    }
    if (all_identical(dots)) {
        find_plain(dots, gamma, gap, &again);
        CU_ASSERT(same(&again, out));
    }
    pd_passages_release(&again);
    return out->n;
}

static void test_gamma_is_exclusive(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    diagonal(&dots, 10, 2, 4);
    CU_ASSERT_EQUAL(find(&dots, 4, 0, &got), 0);
    CU_ASSERT_EQUAL(find(&dots, 4, 2, &got), 0);
    CU_ASSERT_EQUAL(find(&dots, 3, 2, &got), 1);
    CU_ASSERT_EQUAL(find(&dots, 3, 0, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].start_a, 10);
    CU_ASSERT_EQUAL(got.v[0].start_b, 2);
    CU_ASSERT_EQUAL(got.v[0].length_a, 4);
    CU_ASSERT_EQUAL(got.v[0].matched, 4);
    CU_ASSERT_EQUAL(got.v[0].similarity, 1);
    dots_release(&dots);
    pd_passages_release(&got);
}

static void test_gap_bridges_either_side(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    diagonal(&dots, 0, 0, 3);
    diagonal(&dots, 5, 4, 3); /* 2 unmatched sentences in a, 1 in b */
    CU_ASSERT_EQUAL(find(&dots, 2, 0, &got), 2);
    CU_ASSERT_EQUAL(find(&dots, 2, 1, &got), 2);
    CU_ASSERT_EQUAL(find(&dots, 2, 2, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].length_a, 8);
    CU_ASSERT_EQUAL(got.v[0].length_b, 7);
    CU_ASSERT_EQUAL(got.v[0].matched, 6);
    dots_release(&dots);
    pd_passages_release(&got);
}

static void test_repeats_do_not_inflate(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 6; j++)
            dot(&dots, i, j); /* one sentence 4 times in a, 6 times in b */
    CU_ASSERT_EQUAL(find(&dots, 3, 1, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, 4);
    CU_ASSERT_EQUAL(find(&dots, 3, 0, &got), 3); /* three full diagonals of 4 */
    dots_release(&dots);
    pd_passages_release(&got);
}

static void test_sum_is_taken_in_order(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    const double sims[] = {0.1, 0.2, 0.3};
    for (uint32_t k = 0; k < 3; k++) {
        similar(&dots, k, k, sims[k]);
        similar(&dots, k, 10 + k, sims[2 - k]);
    }
    similar(&dots, 9, 5, 0.7); /* alone */
    CU_ASSERT_EQUAL(find(&dots, 0, 0, &got), 3);
    CU_ASSERT(0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1);
    CU_ASSERT_EQUAL(got.v[0].similarity, (0.1 + 0.2 + 0.3) / 3);
    CU_ASSERT_EQUAL(got.v[1].similarity, (0.3 + 0.2 + 0.1) / 3);
    CU_ASSERT_EQUAL(got.v[2].similarity, 0.7);
    dots_release(&dots);
    pd_passages_release(&got);
}

static void test_dots_count_before_sums(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    for (uint32_t k = 0; k < 3; k++)
        similar(&dots, k, k, 0.25);
    dot(&dots, 1, 0); /* with (2, 2) two dots of a greater sum than the three */
    CU_ASSERT_EQUAL(find(&dots, 0, 1, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, 3);
    CU_ASSERT_EQUAL(got.v[0].similarity, 0.25);
    dot(&dots, 2, 1);
    dot(&dots, 3, 2); /* three dots as well */
    CU_ASSERT_EQUAL(find(&dots, 0, 1, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, 3);
    CU_ASSERT_EQUAL(got.v[0].similarity, 1);
    dots_release(&dots);
    pd_passages_release(&got);
}

/* Two runs turn out to be one only after the best chain of the passage was found in the younger. */
static void test_best_chain_of_merged_runs(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    dot(&dots, 0, 2); /* the older run: (0, 2), (1, 4), (3, 6) */
    similar(&dots, 0, 5, 0.9);
    dot(&dots, 1, 4);
    similar(&dots, 1, 6, 0.6);
    similar(&dots, 2, 8, 0.7);
    dot(&dots, 3, 6);
    dot(&dots, 3, 7); /* of the younger, behind (1, 6) */
    similar(&dots, 3, 9, 0.9);
    similar(&dots, 4, 10, 0.6);
    dot(&dots, 5, 8); /* behind (3, 6) and (3, 7): four dots up to here */
    CU_ASSERT_EQUAL(find(&dots, 0, 1, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, 5);
    CU_ASSERT_EQUAL(got.v[0].similarity, (0.9 + 0.6 + 0.7 + 0.9 + 0.6) / 5);

    dots.n = 0;
    similar(&dots, 0, 3, 1);
    similar(&dots, 1, 2, 1);
    similar(&dots, 2, 3, 0.75); /* behind (1, 2) */
    similar(&dots, 2, 4, 0.5);  /* behind (0, 3) and (1, 2): merges them in the same row */
    CU_ASSERT_EQUAL(find(&dots, 0, 1, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, 2);
    CU_ASSERT_EQUAL(got.v[0].similarity, 1.75 / 2);
    dots_release(&dots);
    pd_passages_release(&got);
}

/* The best chain that ends in a dot: the most dots, of those the greatest sum. */
struct chain {
    uint32_t dots;
    double sum;
};

static int improve(struct chain *best, uint32_t dots, double sum)
{
    const int better = dots != best->dots ? dots > best->dots : sum > best->sum;
    if (better)
        *best = (struct chain){dots, sum};
    return better;
}

static int linked(const struct dot *x, const struct dot *y, uint32_t gap)
{
    /* also when y is not behind x: wraps around */
    return i_of(y) - i_of(x) - 1 <= gap && j_of(y) - j_of(x) - 1 <= gap;
}

static void try_chains(const struct dots *dots, uint32_t gap, size_t x, uint32_t n, double sum,
                       struct chain *best)
{
    improve(&best[x], n, sum);
    for (size_t y = 0; y < dots->n; y++)
        if (linked(&dots->v[x], &dots->v[y], gap))
            try_chains(dots, gap, y, n + 1, sum + dots->v[y].similarity, best);
}

/* Every chain there is, one by one. */
static void try_all_chains(const struct dots *dots, uint32_t gap, struct chain *best)
{
    for (size_t x = 0; x < dots->n; x++)
        try_chains(dots, gap, x, 1, dots->v[x].similarity, best);
}

/* Lengthen chains until no dot has a better one: for more dots than can be tried. */
static void lengthen_chains(const struct dots *dots, uint32_t gap, struct chain *best)
{
    for (size_t x = 0; x < dots->n; x++)
        best[x] = (struct chain){1, dots->v[x].similarity};
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t x = 0; x < dots->n; x++)
            for (size_t y = 0; y < dots->n; y++)
                if (linked(&dots->v[x], &dots->v[y], gap))
                    changed |=
                        improve(&best[y], best[x].dots + 1, best[x].sum + dots->v[y].similarity);
    }
}

/* Spread labels over links until nothing changes. */
static void label_components(const struct dots *dots, uint32_t gap, size_t *label)
{
    for (size_t k = 0; k < dots->n; k++)
        label[k] = k;
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t x = 0; x < dots->n; x++)
            for (size_t y = 0; y < dots->n; y++)
                if (label[x] != label[y] && linked(&dots->v[x], &dots->v[y], gap)) {
                    label[x] = label[y] = label[x] < label[y] ? label[x] : label[y];
                    changed = 1;
                }
    }
}

/* The definition, as slowly as it reads. */
static void define(const struct dots *dots, uint32_t gamma, uint32_t gap,
                   void (*find_chains)(const struct dots *, uint32_t, struct chain *),
                   struct pd_passages *out)
{
    const size_t n = dots->n;
    size_t *label = pd_realloc(NULL, n + 1, sizeof *label);
    struct chain *chain = pd_realloc(NULL, n + 1, sizeof *chain);
    memset(chain, 0, n * sizeof *chain);
    find_chains(dots, gap, chain);
    label_components(dots, gap, label);
    for (size_t l = 0; l < n; l++) {
        uint32_t i0 = UINT32_MAX, j0 = UINT32_MAX, i1 = 0, j1 = 0;
        struct chain best = {0, 0};
        for (size_t k = 0; k < n; k++) {
            if (label[k] != l)
                continue;
            const uint32_t i = i_of(&dots->v[k]), j = j_of(&dots->v[k]);
            i0 = i < i0 ? i : i0;
            j0 = j < j0 ? j : j0;
            i1 = i > i1 ? i : i1;
            j1 = j > j1 ? j : j1;
            improve(&best, chain[k].dots, chain[k].sum);
        }
        if (best.dots > gamma)
            pd_passages_push(out, (struct pd_passage){0, 1, i0, j0, i1 - i0 + 1, j1 - j0 + 1,
                                                      best.dots, 0, best.sum / best.dots});
    }
    free(label);
    free(chain);
}

static int by_place(const void *pa, const void *pb)
{
    const struct pd_passage *a = pa, *b = pb;
    const uint32_t va[] = {a->start_a, a->start_b, a->length_a, a->length_b};
    const uint32_t vb[] = {b->start_a, b->start_b, b->length_a, b->length_b};
    for (int k = 0; k < 4; k++)
        if (va[k] != vb[k])
            return va[k] < vb[k] ? -1 : 1;
    return 0;
}

/* Few values, so that chains are often equally long; most sums of them are rounded. */
static double some_similarity(uint64_t *seed)
{
    static const double some[] = {1, 0.9, 0.6, 2 / 3., 1 / 3., 0.7};
    return some[pd_random_below(seed, sizeof some / sizeof *some)];
}

static void test_against_definition(void)
{
    struct pd_passages got = {0}, want = {0};
    uint64_t seed = 11;
    for (int round = 0; round < 600; round++) {
        struct dots dots = {0};
        const int identical = round % 3 == 0;
        const uint32_t side = 4 + pd_random_below(&seed, 16);
        const uint32_t share = 1 + pd_random_below(&seed, 5);
        for (uint32_t i = 0; i < side; i++)
            for (uint32_t j = 0; j < side; j++)
                if (pd_random_below(&seed, 10) < (i == j ? 8 : share))
                    similar(&dots, i, j, identical ? 1 : some_similarity(&seed));
        const uint32_t gamma = pd_random_below(&seed, 4), gap = pd_random_below(&seed, 4);
        want.n = got.n = 0;
        define(&dots, gamma, gap, lengthen_chains, &want);
        qsort(want.v, want.n, sizeof *want.v, by_place);
        if (dots.n)
            find(&dots, gamma, gap, &got);
        CU_ASSERT(same(&got, &want));
        for (size_t k = 0; identical && k < got.n; k++)
            CU_ASSERT_EQUAL(got.v[k].similarity, 1);
        dots_release(&dots);
    }
    pd_passages_release(&got);
    pd_passages_release(&want);
}

enum { MOST_CLASSES = 6, SIDE = 8 };

/* The sentences of class x and those of class y, as the join delivers them: n * m dots. */
static void pair_classes(const uint32_t *a, uint32_t x, const uint32_t *b, uint32_t y,
                         double similarity, struct block_list *list, struct dots *dots)
{
    uint32_t is[SIDE], js[SIDE], ni = 0, nj = 0;
    for (uint32_t k = 0; k < SIDE; k++) {
        if (a[k] == x)
            is[ni++] = k;
        if (b[k] == y)
            js[nj++] = k;
    }
    if (ni == 0 || nj == 0)
        return;
    struct pd_block *block = add_block(list, ni, nj, similarity, 0);
    memcpy(block->units, is, ni * sizeof *is);
    memcpy(block->units + ni, js, nj * sizeof *js);
    for (uint32_t k = 0; k < ni; k++)
        for (uint32_t l = 0; l < nj; l++)
            similar(dots, is[k], js[l], similarity);
}

/* Sentences in classes, some similar to each other: a row has its dots in several blocks. */
static void test_classes_against_all_chains(void)
{
    struct pd_passages got = {0}, want = {0};
    uint64_t seed = 12;
    for (int round = 0; round < 400; round++) {
        struct dots dots = {0};
        struct block_list list = {0};
        uint32_t a[SIDE], b[SIDE];
        const uint32_t classes = 2 + pd_random_below(&seed, MOST_CLASSES - 1);
        for (uint32_t k = 0; k < SIDE; k++) {
            a[k] = pd_random_below(&seed, classes);
            b[k] = pd_random_below(&seed, 2) ? a[k] : pd_random_below(&seed, classes);
        }
        for (uint32_t x = 0; x < classes; x++)
            for (uint32_t y = 0; y < classes; y++)
                if (x == y || pd_random_below(&seed, 3) == 0)
                    pair_classes(a, x, b, y, x == y ? 1 : some_similarity(&seed), &list, &dots);
        const uint32_t gamma = pd_random_below(&seed, 4), gap = pd_random_below(&seed, 4);
        want.n = got.n = 0;
        define(&dots, gamma, gap, try_all_chains, &want);
        qsort(want.v, want.n, sizeof *want.v, by_place);
        if (list.n)
            find_in(&list, gamma, gap, &got);
        CU_ASSERT(same(&got, &want));
        release_blocks(&list);
        dots_release(&dots);
    }
    pd_passages_release(&got);
    pd_passages_release(&want);
}

/*
 * One sentence n times in a and m times in b: n * m dots, never held, and far more runs than kept.
 */
static void look_into_large_block(double similarity)
{
    enum { N = 600, M = 700 };
    struct pd_passages got = {0};
    struct block_list list = {0};
    struct pd_block *block = add_block(&list, N, M, similarity, 0);
    for (uint32_t k = 0; k < N; k++)
        block->units[k] = 2 * k; /* every second sentence: no two dots on a diagonal touch */
    for (uint32_t k = 0; k < M; k++)
        block->units[N + k] = 3 * k;
    CU_ASSERT_EQUAL(find_in(&list, 0, 0, &got), N * M);
    CU_ASSERT_EQUAL(got.v[N].similarity, similarity);
    CU_ASSERT_EQUAL(find_in(&list, 1, 0, &got), 0);
    /* 2 on in a, 3 in b: a component a diagonal */
    CU_ASSERT_EQUAL(find_in(&list, N - 1, 2, &got), M - N + 1);
    CU_ASSERT_EQUAL(got.v[M - N].similarity, similarity);
    /* also 4 on in a: they hang together */
    CU_ASSERT_EQUAL(find_in(&list, N - 1, 3, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, N);
    CU_ASSERT_EQUAL(got.v[0].length_b, 3 * M - 2);
    CU_ASSERT_EQUAL(got.v[0].similarity, similarity);
    pd_passages_release(&got);
    release_blocks(&list);
}

static void test_large_block(void)
{
    look_into_large_block(1);
    look_into_large_block(0.75);
}

enum { CORNER = 16, RUNS_MOST = 2000, FAR = 1000 };

/*
 * Add dots of row i far to the right of the corner: n dots, each linked with one dot of the row
 * before, if i is odd, and with no other.
 */
static void add_short_runs(struct dots *dots, uint32_t i, uint32_t n)
{
    const uint32_t from = FAR + i / 2 * 20 * RUNS_MOST + i % 2;
    for (uint32_t k = 0; k < n; k++)
        dot(dots, i, from + 10 * k);
}

/* Finished components are cleared away in the middle of some dots, which are found as if alone. */
static void test_clearing_changes_nothing(void)
{
    struct pd_passages got = {0}, want = {0};
    uint64_t seed = 21;
    for (int round = 0; round < 40; round++) {
        struct dots corner = {0}, all = {0};
        const int identical = round % 2;
        const uint32_t gamma = 2 + pd_random_below(&seed, 2), gap = pd_random_below(&seed, 4);
        const uint32_t share = 1 + pd_random_below(&seed, 3);
        const uint32_t runs = 600 + pd_random_below(&seed, RUNS_MOST - 600);
        for (uint32_t i = 0; i < CORNER; i++)
            for (uint32_t j = 0; j < CORNER; j++)
                if (pd_random_below(&seed, 10) < (i == j ? 8 : share))
                    similar(&corner, i, j, identical ? 1 : some_similarity(&seed));
        for (uint32_t i = 0, k = 0; i < CORNER; i++) {
            for (; k < corner.n && i_of(&corner.v[k]) == i; k++)
                dots_push(&all, corner.v[k]);
            add_short_runs(&all, i, runs);
        }
        want.n = got.n = 0;
        define(&corner, gamma, gap, lengthen_chains, &want);
        qsort(want.v, want.n, sizeof *want.v, by_place);
        find(&all, gamma, gap, &got);
        CU_ASSERT(same(&got, &want));
        dots_release(&corner);
        dots_release(&all);
    }
    pd_passages_release(&got);
    pd_passages_release(&want);
}

/* Thousands of finished runs are cleared away while others go on: none is lost or told twice. */
static void test_many_runs(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    for (uint32_t i = 0; i < 3000; i++)
        for (uint32_t k = 0; k < 12; k++)
            if ((i + k) % 5 != 4 || k == 0)
                similar(&dots, i, i + 40 * k,
                        1 / (1.0 + k % 4)); /* 0 runs through, others in fours */
    const size_t n = find(&dots, 3, 0, &got);
    /*
     * of 3000 sentences 600 are missing; 4 of the 11 broken diagonals begin or end with a full run
     */
    const size_t fours = 4 * 600 + 7 * 599;
    CU_ASSERT_EQUAL(n, 1 + fours);
    uint64_t matched = 0;
    for (size_t k = 0; k < n; k++) {
        matched += got.v[k].matched;
        const uint32_t diagonal_no = (got.v[k].start_b - got.v[k].start_a) / 40;
        CU_ASSERT_DOUBLE_EQUAL(got.v[k].similarity, 1 / (1.0 + diagonal_no % 4), 1e-15);
    }
    CU_ASSERT_EQUAL(matched, 3000 + 4 * fours);
    dots_release(&dots);
    pd_passages_release(&got);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_gamma_is_exclusive),
                                        PD_TEST(test_gap_bridges_either_side),
                                        PD_TEST(test_repeats_do_not_inflate),
                                        PD_TEST(test_sum_is_taken_in_order),
                                        PD_TEST(test_dots_count_before_sums),
                                        PD_TEST(test_best_chain_of_merged_runs),
                                        PD_TEST(test_against_definition),
                                        PD_TEST(test_classes_against_all_chains),
                                        PD_TEST(test_large_block),
                                        PD_TEST(test_many_runs),
                                        PD_TEST(test_clearing_changes_nothing),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/diagonal", tests);
}

/* Passages of one pair: edges by hand, then random dots against a slow definition. */
#include "pardup/passage/diagonal.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"

static void dot(struct pd_dots *d, uint32_t i, uint32_t j)
{
    pd_dots_push(d, (struct pd_dot){0, 1, pd_ij(i, j)});
}

static void diagonal(struct pd_dots *d, uint32_t i, uint32_t j, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        dot(d, i + k, j + k);
}

static size_t find(const struct pd_dots *dots, uint32_t gamma, uint32_t gap,
                   struct pd_passages *out)
{
    struct pd_diagonals d = {0};
    struct pd_dots copy = {0};
    pd_dots_reserve(&copy, dots->n);
    memcpy(copy.v, dots->v, dots->n * sizeof *dots->v);
    copy.n = dots->n;
    out->n = 0;
    pd_sort_records(copy.v, copy.n, PD_DOT_WORDS, PD_DOT_WORDS);
    pd_diagonals_find(&d, copy.v, copy.n, gamma, gap, out);
    pd_dots_release(&copy);
    pd_diagonals_release(&d);
    return out->n;
}

static void test_gamma_is_exclusive(void)
{
    struct pd_dots dots = {0};
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
    pd_dots_release(&dots);
    pd_passages_release(&got);
}

static void test_gap_bridges_either_side(void)
{
    struct pd_dots dots = {0};
    struct pd_passages got = {0};
    diagonal(&dots, 0, 0, 3);
    diagonal(&dots, 5, 4, 3); /* 2 unmatched sentences in a, 1 in b */
    CU_ASSERT_EQUAL(find(&dots, 2, 0, &got), 2);
    CU_ASSERT_EQUAL(find(&dots, 2, 1, &got), 2);
    CU_ASSERT_EQUAL(find(&dots, 2, 2, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].length_a, 8);
    CU_ASSERT_EQUAL(got.v[0].length_b, 7);
    CU_ASSERT_EQUAL(got.v[0].matched, 6);
    pd_dots_release(&dots);
    pd_passages_release(&got);
}

static void test_repeats_do_not_inflate(void)
{
    struct pd_dots dots = {0};
    struct pd_passages got = {0};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 6; j++)
            dot(&dots, i, j); /* one sentence 4 times in a, 6 times in b */
    CU_ASSERT_EQUAL(find(&dots, 3, 1, &got), 1);
    CU_ASSERT_EQUAL(got.v[0].matched, 4);
    CU_ASSERT_EQUAL(find(&dots, 3, 0, &got), 3); /* three full diagonals of 4 */
    pd_dots_release(&dots);
    pd_passages_release(&got);
}

/* The definition, as slowly as it reads: spread labels over links until nothing changes. */
static void define(const struct pd_dots *dots, uint32_t gamma, uint32_t gap,
                   struct pd_passages *out)
{
    const size_t n = dots->n;
    size_t *label = pd_realloc(NULL, n + 1, sizeof *label);
    uint32_t *chain = pd_realloc(NULL, n + 1, sizeof *chain);
    for (size_t k = 0; k < n; k++) {
        label[k] = k;
        chain[k] = 1;
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t x = 0; x < n; x++)
            for (size_t y = 0; y < n; y++) {
                const uint32_t di = pd_dot_i(dots->v[y]) - pd_dot_i(dots->v[x]) - 1;
                const uint32_t dj = pd_dot_j(dots->v[y]) - pd_dot_j(dots->v[x]) - 1;
                if (di > gap || dj > gap) /* also when y is not behind x: wraps around */
                    continue;
                if (label[x] != label[y]) {
                    label[x] = label[y] = label[x] < label[y] ? label[x] : label[y];
                    changed = 1;
                }
                if (chain[y] < chain[x] + 1) {
                    chain[y] = chain[x] + 1;
                    changed = 1;
                }
            }
    }
    for (size_t l = 0; l < n; l++) {
        uint32_t i0 = UINT32_MAX, j0 = UINT32_MAX, i1 = 0, j1 = 0, matched = 0;
        for (size_t k = 0; k < n; k++) {
            if (label[k] != l)
                continue;
            const uint32_t i = pd_dot_i(dots->v[k]), j = pd_dot_j(dots->v[k]);
            i0 = i < i0 ? i : i0;
            j0 = j < j0 ? j : j0;
            i1 = i > i1 ? i : i1;
            j1 = j > j1 ? j : j1;
            matched = chain[k] > matched ? chain[k] : matched;
        }
        if (matched > gamma)
            pd_passages_push(
                out, (struct pd_passage){0, 1, i0, j0, i1 - i0 + 1, j1 - j0 + 1, matched, 0, 1.0});
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

static void test_against_definition(void)
{
    struct pd_passages got = {0}, want = {0};
    uint64_t seed = 11;
    for (int round = 0; round < 600; round++) {
        struct pd_dots dots = {0};
        const uint32_t side = 4 + pd_random_below(&seed, 16);
        const uint32_t share = 1 + pd_random_below(&seed, 5);
        for (uint32_t i = 0; i < side; i++)
            for (uint32_t j = 0; j < side; j++)
                if (pd_random_below(&seed, 10) < (i == j ? 8 : share))
                    dot(&dots, i, j);
        const uint32_t gamma = pd_random_below(&seed, 4), gap = pd_random_below(&seed, 4);
        want.n = 0;
        define(&dots, gamma, gap, &want);
        qsort(want.v, want.n, sizeof *want.v, by_place);
        const size_t n = dots.n ? find(&dots, gamma, gap, &got) : 0;
        CU_ASSERT_EQUAL(n, want.n);
        CU_ASSERT(n != want.n || !n || memcmp(got.v, want.v, n * sizeof *got.v) == 0);
        pd_dots_release(&dots);
    }
    pd_passages_release(&got);
    pd_passages_release(&want);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_gamma_is_exclusive), PD_TEST(test_gap_bridges_either_side),
        PD_TEST(test_repeats_do_not_inflate), PD_TEST(test_against_definition), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/diagonal", tests);
}

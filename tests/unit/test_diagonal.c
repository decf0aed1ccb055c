/* Passages of one pair: edges by hand, then random dots against a slow definition. */
#include "pardup/passage/diagonal.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/bytes.h"
#include "pd_cunit.h"
#include "pd_random.h"

PD_VEC(dots, uint64_t); /* i in the high half, j in the low */

static uint32_t i_of(uint64_t dot) { return (uint32_t)(dot >> 32); }
static uint32_t j_of(uint64_t dot) { return (uint32_t)dot; }

static void dot(struct dots *d, uint32_t i, uint32_t j) { dots_push(d, pd_ij(i, j)); }

static void diagonal(struct dots *d, uint32_t i, uint32_t j, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        dot(d, i + k, j + k);
}

/* Dots as blocks: one each, or (rows) one for each sentence of a, its partners in two pieces. */
static size_t find_as(const struct dots *dots, uint32_t gamma, uint32_t gap, int rows,
                      struct pd_passages *out)
{
    struct pd_diagonals d = {0};
    struct pd_bytes bytes = {0};
    const struct pd_block **blocks = pd_realloc(NULL, dots->n + 1, sizeof *blocks);
    size_t n = 0;
    out->n = 0;
    pd_bytes_reserve(&bytes, dots->n * 32);
    for (size_t k = 0; k < dots->n;) {
        struct pd_block *block = (struct pd_block *)(void *)(bytes.v + bytes.n);
        *block = (struct pd_block){.ni = 1, .a = 0, .b = 1};
        block->units[0] = i_of(dots->v[k]);
        do
            block->units[1 + block->nj++] = j_of(dots->v[k++]);
        while (rows && k < dots->n && i_of(dots->v[k]) == block->units[0] && block->nj < 3);
        block->size = pd_block_size(1, block->nj);
        bytes.n += block->size;
        blocks[n++] = block;
    }
    pd_diagonals_find(&d, blocks, n, gamma, gap, out);
    free(blocks);
    pd_bytes_release(&bytes);
    pd_diagonals_release(&d);
    return out->n;
}

static size_t find(const struct dots *dots, uint32_t gamma, uint32_t gap, struct pd_passages *out)
{
    struct pd_passages again = {0};
    const size_t n = find_as(dots, gamma, gap, 0, out);
    CU_ASSERT_EQUAL(find_as(dots, gamma, gap, 1, &again), n);
    CU_ASSERT(again.n != n || !n || memcmp(again.v, out->v, n * sizeof *again.v) == 0);
    pd_passages_release(&again);
    return n;
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

/* The definition, as slowly as it reads: spread labels over links until nothing changes. */
static void define(const struct dots *dots, uint32_t gamma, uint32_t gap, struct pd_passages *out)
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
                const uint32_t di = i_of(dots->v[y]) - i_of(dots->v[x]) - 1;
                const uint32_t dj = j_of(dots->v[y]) - j_of(dots->v[x]) - 1;
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
            const uint32_t i = i_of(dots->v[k]), j = j_of(dots->v[k]);
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
        struct dots dots = {0};
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
        dots_release(&dots);
    }
    pd_passages_release(&got);
    pd_passages_release(&want);
}

/* One sentence n times in a and m times in b: n * m dots, never held, and far more runs than kept. */
static void test_large_block(void)
{
    enum { N = 600, M = 700 };
    struct pd_diagonals d = {0};
    struct pd_passages got = {0};
    struct pd_block *block = pd_realloc(NULL, pd_block_size(N, M), 1);
    *block = (struct pd_block){pd_block_size(N, M), N, M, 0, 1};
    for (uint32_t k = 0; k < N; k++)
        block->units[k] = 2 * k; /* every second sentence: no two dots on a diagonal touch */
    for (uint32_t k = 0; k < M; k++)
        block->units[N + k] = 3 * k;
    const struct pd_block *one = block;
    pd_diagonals_find(&d, &one, 1, 0, 0, &got);
    CU_ASSERT_EQUAL(got.n, N * M);
    got.n = 0;
    pd_diagonals_find(&d, &one, 1, 1, 0, &got);
    CU_ASSERT_EQUAL(got.n, 0);
    pd_diagonals_find(&d, &one, 1, N - 1, 2, &got); /* 2 on in a, 3 in b: a component a diagonal */
    CU_ASSERT_EQUAL(got.n, M - N + 1);
    got.n = 0;
    pd_diagonals_find(&d, &one, 1, N - 1, 3, &got); /* also 4 on in a: they hang together */
    CU_ASSERT_EQUAL(got.n, 1);
    CU_ASSERT_EQUAL(got.v[0].matched, N);
    CU_ASSERT_EQUAL(got.v[0].length_b, 3 * M - 2);
    pd_passages_release(&got);
    pd_diagonals_release(&d);
    free(block);
}

/* Thousands of finished runs are cleared away while others go on: none is lost or told twice. */
static void test_many_runs(void)
{
    struct dots dots = {0};
    struct pd_passages got = {0};
    for (uint32_t i = 0; i < 3000; i++)
        for (uint32_t k = 0; k < 12; k++)
            if ((i + k) % 5 != 4 || k == 0)
                dot(&dots, i, i + 40 * k); /* diagonal 0 runs through, the others in fours */
    const size_t n = find(&dots, 3, 0, &got);
    /* of 3000 sentences 600 are missing; 4 of the 11 broken diagonals begin or end with a full run */
    const size_t fours = 4 * 600 + 7 * 599;
    CU_ASSERT_EQUAL(n, 1 + fours);
    uint64_t matched = 0;
    for (size_t k = 0; k < n; k++)
        matched += got.v[k].matched;
    CU_ASSERT_EQUAL(matched, 3000 + 4 * fours);
    dots_release(&dots);
    pd_passages_release(&got);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_gamma_is_exclusive),
                                        PD_TEST(test_gap_bridges_either_side),
                                        PD_TEST(test_repeats_do_not_inflate),
                                        PD_TEST(test_against_definition),
                                        PD_TEST(test_large_block),
                                        PD_TEST(test_many_runs),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/diagonal", tests);
}

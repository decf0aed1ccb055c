/*
 * tests/unit/test_finder.c - the finder finds what the function of its way finds, and equal
 * documents have one passage in every way.
 */
#include "pardup/passage/finder.h"

#include "pd_blocks.h"
#include "pd_cunit.h"

enum { GAMMA = 3, GAP = 2 };

static const struct pd_best_options options = {
    .limits = PD_BEST_LIMITS, .gamma = GAMMA, .gap = GAP};

/* Five dots on a diagonal, and five on one that overlaps it: the best passages leave some out. */
static const uint64_t dots[] = {
    (uint64_t)0 << 32 | 0,  (uint64_t)1 << 32 | 1,  (uint64_t)2 << 32 | 2, (uint64_t)2 << 32 | 9,
    (uint64_t)3 << 32 | 3,  (uint64_t)3 << 32 | 10, (uint64_t)4 << 32 | 4, (uint64_t)4 << 32 | 11,
    (uint64_t)5 << 32 | 12, (uint64_t)6 << 32 | 13};
static const struct pd_pair_dots pair = {
    .a = 1, .b = 2, .dots = dots, .n = sizeof dots / sizeof *dots};

static bool same(const struct pd_passages *x, const struct pd_passages *y)
{
    return x->n > 0 && x->n == y->n && memcmp(x->v, y->v, x->n * sizeof *x->v) == 0;
}

/* A finder of each way gives the passages of diagonal.h, best.h or region.h. */
static void test_each_way(void)
{
    struct pd_passages want[3] = {{0}}, got = {0};
    struct pd_diagonals diagonals = {0};
    struct pd_regions regions = {0};
    struct pd_best *best = pd_best_new(&options);
    pd_diagonals_find(&diagonals, &pair, GAMMA, GAP, &want[PD_FIND_ALL]);
    pd_best_find(best, &pair, &want[PD_FIND_BEST]);
    pd_regions_find(&regions, &pair, GAMMA, GAP, &want[PD_FIND_REGIONS]);
    CU_ASSERT(!same(&want[PD_FIND_ALL], &want[PD_FIND_BEST]));
    for (enum pd_finder_way way = PD_FIND_ALL; way <= PD_FIND_REGIONS; way++) {
        struct pd_finder f;
        pd_finder_init(&f, way, &options);
        for (int times = 0; times < 2; times++) {
            got.n = 0;
            CU_ASSERT(!pd_finder_find(&f, &pair, &got));
            CU_ASSERT(same(&got, &want[way]));
        }
        pd_finder_release(&f);
        pd_passages_release(&want[way]);
    }
    pd_diagonals_release(&diagonals);
    pd_regions_release(&regions);
    pd_best_free(best);
    pd_passages_release(&got);
}

/* Equal documents of one unit and of two: one passage of all units, though gamma is 3. */
static void test_equal_documents(void)
{
    struct block_list list = {0};
    struct pd_block *block = add_block(&list, 1, 1, 1, false); /* room for two numbers */
    block->ni = 0;
    block->nj = 2;
    block->units[0] = 1;
    block->units[1] = 2;
    for (enum pd_finder_way way = PD_FIND_ALL; way <= PD_FIND_REGIONS; way++) {
        struct pd_finder f;
        struct pd_passages got = {0};
        pd_finder_init(&f, way, &options);
        CU_ASSERT(pd_finder_find(
            &f, &(struct pd_pair_dots){.b = 1, .blocks = blocks_of(&list), .n = 1}, &got));
        CU_ASSERT_EQUAL_FATAL(got.n, 1);
        CU_ASSERT(got.v[0].copy == PD_COPY_WHOLE && got.v[0].matched == 1 &&
                  got.v[0].similarity == 1);
        CU_ASSERT(got.v[0].length_a == 1 && got.v[0].length_b == 2 && got.v[0].b == 1);
        pd_finder_release(&f);
        pd_passages_release(&got);
    }
    release_blocks(&list);
}

/* Brief documents that share text: one passage from first to last unit, unless gamma keeps one. */
static void test_brief_documents(void)
{
    static const struct pd_brief brief = {4, 9, 2, 5};
    for (enum pd_finder_way way = PD_FIND_ALL; way <= PD_FIND_REGIONS; way++) {
        struct pd_pair_dots brief_pair = {.a = 1, .b = 2, .brief = &brief};
        struct pd_finder f;
        struct pd_passages got = {0};
        pd_finder_init(&f, way, &options);
        for (int times = 0; times < 2; times++) { /* without dots, then with too few */
            got.n = 0;
            CU_ASSERT(pd_finder_find(&f, &brief_pair, &got));
            CU_ASSERT_EQUAL_FATAL(got.n, 1);
            CU_ASSERT(got.v[0].a == 1 && got.v[0].b == 2 && got.v[0].copy == PD_COPY_BRIEF);
            CU_ASSERT(got.v[0].start_a == 4 && got.v[0].length_a == 6);
            CU_ASSERT(got.v[0].start_b == 2 && got.v[0].length_b == 4 && got.v[0].matched == 4);
            brief_pair.dots = dots;
            brief_pair.n = 1;
        }
        got.n = 0;
        brief_pair.n = sizeof dots / sizeof *dots;
        CU_ASSERT(!pd_finder_find(&f, &brief_pair, &got) && got.n > 0);
        for (size_t k = 0; k < got.n; k++)
            CU_ASSERT_EQUAL(got.v[k].copy, PD_COPY_NO);
        pd_finder_release(&f);
        pd_passages_release(&got);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_each_way), PD_TEST(test_equal_documents),
                                        PD_TEST(test_brief_documents), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/finder", tests);
}

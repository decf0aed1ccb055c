/* Regions, against components that are found by joining all close dots again and again. */
#include "pardup/passage/region.h"

#include <stdlib.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { DOTS = 40, GAP = 3 };

static uint32_t i_of(uint64_t dot) { return (uint32_t)(dot >> 32); }
static uint32_t j_of(uint64_t dot) { return (uint32_t)dot; }
static bool near(uint32_t x, uint32_t y) { return (x < y ? y - x : x - y) <= GAP; }

/* Number the components: close dots take the smaller number until nothing changes. */
static void number(const uint64_t *dots, size_t n, size_t *component)
{
    for (size_t k = 0; k < n; k++)
        component[k] = k;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < n; k++)
            for (size_t m = 0; m < n; m++)
                if (component[m] < component[k] && near(i_of(dots[k]), i_of(dots[m])) &&
                    near(j_of(dots[k]), j_of(dots[m]))) {
                    component[k] = component[m];
                    changed = true;
                }
    }
}

/* Is the component of dot `root` among the regions? Returns its matched units of a. */
static uint32_t is_listed(const struct pd_passages *found, const uint64_t *dots, size_t n,
                          const size_t *component, size_t root, bool *listed)
{
    uint32_t low_j = UINT32_MAX, high_j = 0, high_i = 0, matched = 0;
    for (size_t k = 0; k < n; k++) {
        if (component[k] != root)
            continue;
        matched += matched == 0 || i_of(dots[k]) != high_i; /* dots ascend */
        high_i = i_of(dots[k]);
        low_j = j_of(dots[k]) < low_j ? j_of(dots[k]) : low_j;
        high_j = j_of(dots[k]) > high_j ? j_of(dots[k]) : high_j;
    }
    *listed = false;
    for (size_t k = 0; k < found->n; k++) {
        const struct pd_passage *p = &found->v[k];
        *listed |= p->start_a == i_of(dots[root]) && p->start_b == low_j &&
                   p->length_a == high_i - p->start_a + 1 && p->length_b == high_j - low_j + 1 &&
                   p->matched == matched;
    }
    return matched;
}

static void test_components(void)
{
    uint64_t seed = 1;
    struct pd_regions regions = {0};
    struct pd_passages found = {0};
    for (int round = 0; round < 500; round++) {
        uint64_t dots[DOTS];
        size_t component[DOTS], expected = 0;
        const uint32_t gamma = pd_random_below(&seed, 3);
        const uint32_t side = 5 + pd_random_below(&seed, 60);
        for (size_t k = 0; k < DOTS; k++)
            dots[k] = pd_ij(pd_random_below(&seed, side), pd_random_below(&seed, side));
        pd_sort_records(dots, DOTS, 1, 1);
        number(dots, DOTS, component);
        found.n = 0;
        pd_regions_find(&regions, &(struct pd_pair_dots){.a = 1, .b = 2, .dots = dots, .n = DOTS},
                        gamma, GAP, &found);
        for (size_t k = 0; k < DOTS; k++) {
            bool listed;
            if (component[k] != k || (k > 0 && dots[k] == dots[k - 1]))
                continue;
            const bool large = is_listed(&found, dots, DOTS, component, k, &listed) > gamma;
            expected += large;
            CU_ASSERT_EQUAL(listed, large);
        }
        CU_ASSERT_EQUAL(found.n, expected);
        for (size_t k = 1; k < found.n; k++)
            CU_ASSERT(found.v[k - 1].start_a <= found.v[k].start_a);
    }
    pd_regions_release(&regions);
    pd_passages_release(&found);
}

/* A block says the same as its dots. */
static void test_blocks(void)
{
    struct pd_regions regions = {0};
    struct pd_passages of_dots = {0}, of_block = {0};
    uint64_t room[8] = {0};
    struct pd_block *block = (struct pd_block *)(void *)room;
    const uint32_t units[4] = {1, 3, 10, 12};
    const uint64_t dots[4] = {pd_ij(1, 10), pd_ij(1, 12), pd_ij(3, 10), pd_ij(3, 12)};
    *block = (struct pd_block){.size = pd_block_size(2, 2), .ni = 2, .nj = 2, .a = 1, .b = 2};
    memcpy(block->units, units, sizeof units);
    pd_regions_find(&regions, &(struct pd_pair_dots){.a = 1, .b = 2, .dots = dots, .n = 4}, 0, GAP,
                    &of_dots);
    pd_regions_find(
        &regions,
        &(struct pd_pair_dots){.a = 1, .b = 2, .blocks = &(const struct pd_block *){block}, .n = 1},
        0, GAP, &of_block);
    CU_ASSERT_EQUAL_FATAL(of_dots.n, 1);
    CU_ASSERT_EQUAL_FATAL(of_block.n, 1);
    CU_ASSERT(memcmp(of_dots.v, of_block.v, sizeof *of_dots.v) == 0);
    CU_ASSERT_EQUAL(of_dots.v[0].matched, 2);
    pd_regions_release(&regions);
    pd_passages_release(&of_dots);
    pd_passages_release(&of_block);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_components), PD_TEST(test_blocks),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/region", tests);
}

/* Counts that leave the counter of pairs add up to how often each pair was counted. */
#include "pardup/join/pair_counter.h"

#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { CLASSES = 12, ROUNDS = 20000 };

static void add_up(const struct pd_pair_count *left, uint64_t sums[CLASSES][CLASSES])
{
    CU_ASSERT(left->n > 0 && left->x < left->y && left->y < CLASSES);
    CU_ASSERT_EQUAL(left->nx, 100 + left->x);
    CU_ASSERT_EQUAL(left->ny, 200 + left->y);
    if (left->x < CLASSES && left->y < CLASSES)
        sums[left->x][left->y] += left->n;
}

static void check_sums(uint64_t bytes, uint64_t seed)
{
    uint64_t counted[CLASSES][CLASSES] = {{0}}, sums[CLASSES][CLASSES] = {{0}};
    struct pd_pair_counter counter;
    struct pd_pair_count left;
    pd_pair_counter_init(&counter, bytes);
    CU_ASSERT(bytes < 2 * sizeof left || sizeof left << counter.bits <= bytes);
    for (int k = 0; k < ROUNDS; k++) {
        const uint32_t x = pd_random_below(&seed, CLASSES - 1);
        const uint32_t y = x + 1 + pd_random_below(&seed, CLASSES - 1 - x);
        const struct pd_pair_count pair = {x, y, 100 + x, 200 + y, 0};
        counted[x][y]++;
        if (pd_pair_counter_add(&counter, &pair, &left))
            add_up(&left, sums);
    }
    while (pd_pair_counter_flush(&counter, &left))
        add_up(&left, sums);
    CU_ASSERT_EQUAL(memcmp(counted, sums, sizeof sums), 0);
    pd_pair_counter_release(&counter);
}

static void test_sums(void)
{
    for (uint64_t bytes = 0; bytes < 1 << 16; bytes = 2 * bytes + 40)
        check_sums(bytes, 7 + bytes);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_sums), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/pair_counter", tests);
}

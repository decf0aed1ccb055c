/* Counts that leave the counter add up to how often each signature was counted. */
#include "pardup/join/counter.h"

#include <string.h>

#include "pardup/base/hash.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { DISTINCT = 64 };

static void add_up(const struct pd_sig_count *left, const pd_sig *sigs, uint64_t *sums)
{
    size_t k = 0;
    CU_ASSERT(left->n > 0);
    while (k < DISTINCT && sigs[k] != left->sig)
        k++;
    CU_ASSERT(k < DISTINCT);
    if (k < DISTINCT)
        sums[k] += left->n;
}

/* Signatures below 2^bits of the slots' range: few bits make many of them share a slot. */
static void check_sums(unsigned bits, uint64_t seed)
{
    struct pd_sig_counter counter;
    struct pd_sig_count left;
    pd_sig sigs[DISTINCT];
    uint64_t counted[DISTINCT] = {0}, sums[DISTINCT] = {0};
    for (size_t k = 0; k < DISTINCT; k++)
        sigs[k] = pd_mix(k + seed) >> bits; /* 0 is never among them: pd_mix is a bijection */
    pd_sig_counter_init(&counter);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 5000; k++) {
            const uint32_t which = pd_random_below(&seed, DISTINCT);
            const uint64_t times = 1 + pd_random_below(&seed, 3);
            counted[which] += times;
            if (pd_sig_counter_add(&counter, sigs[which], times, &left))
                add_up(&left, sigs, sums);
        }
        while (pd_sig_counter_flush(&counter, &left))
            add_up(&left, sigs, sums);
        pd_sig_counter_clear(&counter);
    }
    CU_ASSERT_EQUAL(memcmp(counted, sums, sizeof sums), 0);
    pd_sig_counter_release(&counter);
}

static void test_sums(void)
{
    for (unsigned bits = 0; bits < 24; bits += 5)
        check_sums(bits, 100 + bits);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_sums), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/counter", tests);
}

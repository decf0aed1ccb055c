/* Superimposed signatures and bit sampling: weights, the number sampled, who shares a bucket. */
#include "pardup/feature/superimposed.h"

#include <math.h>
#include <stdbool.h>

#include "pd_cunit.h"
#include "pd_random.h"

static void test_weight(void)
{
    for (unsigned bits = 1; bits <= PD_SUPERIMPOSED_MOST_BITS; bits++)
        for (unsigned weight = 1; weight <= bits; weight++)
            for (pd_sig sig = 0; sig < 5; sig++) {
                const uint64_t v = pd_superimposed(&sig, 1, bits, weight);
                CU_ASSERT_EQUAL(__builtin_popcountll(v), (int)weight);
                CU_ASSERT(bits == 64 || v >> bits == 0);
            }
}

static void test_or(void)
{
    uint64_t seed = 5;
    CU_ASSERT_EQUAL(pd_superimposed(NULL, 0, 32, 2), 0);
    for (int round = 0; round < 200; round++) {
        pd_sig set[20];
        uint64_t all = 0;
        for (size_t k = 0; k < 20; k++) {
            set[k] = pd_random(&seed);
            all |= pd_superimposed(&set[k], 1, 48, 3);
            CU_ASSERT_EQUAL(pd_superimposed(set, k + 1, 48, 3), all);
        }
    }
}

/* Every bit is as likely as any other, the highest and the lowest too. */
static void test_bits_are_used_evenly(void)
{
    enum { BITS = 24, WEIGHT = 3, SIGS = 24000, EACH = SIGS * WEIGHT / BITS };
    int count[BITS] = {0};
    uint64_t seed = 9;
    for (int k = 0; k < SIGS; k++) {
        const pd_sig sig = pd_random(&seed);
        const uint64_t v = pd_superimposed(&sig, 1, BITS, WEIGHT);
        for (int bit = 0; bit < BITS; bit++)
            count[bit] += (int)(v >> bit & 1);
    }
    for (int bit = 0; bit < BITS; bit++) /* standard deviation: 51 */
        CU_ASSERT(abs(count[bit] - EACH) < 5 * 51);
}

static bool reaches(unsigned k, unsigned bits, unsigned diffbit, unsigned tables)
{
    return 1 - pow(1 - pow(1 - (double)diffbit / bits, k), tables) >= PD_BIT_SAMPLING_TARGET;
}

static void test_number_sampled(void)
{
    static const unsigned tables[] = {1, 2, 3, 8, 20, 64};
    struct pd_bit_sampling s;
    for (unsigned bits = 1; bits <= 64; bits++)
        for (unsigned diffbit = 0; diffbit <= bits; diffbit++)
            for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
                pd_bit_sampling_make(&s, bits, diffbit, tables[t]);
                const unsigned k = (unsigned)__builtin_popcountll(s.masks[0]);
                CU_ASSERT(k == 1 || reaches(k, bits, diffbit, tables[t]));
                CU_ASSERT(k == bits || !reaches(k + 1, bits, diffbit, tables[t]));
                CU_ASSERT_EQUAL(s.n, tables[t]);
                for (unsigned x = 0; x < s.n; x++) {
                    CU_ASSERT_EQUAL(__builtin_popcountll(s.masks[x]), (int)k);
                    CU_ASSERT(bits == 64 || s.masks[x] >> bits == 0);
                }
            }
}

/* Settings of the paper by hand: 0.95 is reached with 20 tables at (19/24)^8, not at (19/24)^9. */
static void test_known_numbers(void)
{
    struct pd_bit_sampling s;
    pd_bit_sampling_make(&s, 24, 5, 20);
    CU_ASSERT_EQUAL(__builtin_popcountll(s.masks[19]), 8);
    pd_bit_sampling_make(&s, 48, 48, 64);
    CU_ASSERT_EQUAL(__builtin_popcountll(s.masks[0]), 1);
    pd_bit_sampling_make(&s, 48, 0, 1);
    CU_ASSERT_EQUAL(s.masks[0], ((uint64_t)1 << 48) - 1);
}

static void test_masks_differ_and_repeat(void)
{
    struct pd_bit_sampling s, again;
    pd_bit_sampling_make(&s, 64, 5, 32);
    pd_bit_sampling_make(&again, 64, 5, 32);
    for (unsigned x = 0; x < s.n; x++) {
        CU_ASSERT_EQUAL(s.masks[x], again.masks[x]);
        for (unsigned y = 0; y < x; y++)
            CU_ASSERT_NOT_EQUAL(s.masks[x], s.masks[y]);
    }
}

/* Same bucket exactly when the sampled bits are the same and so is the table. */
static void test_buckets(void)
{
    uint64_t seed = 21;
    struct pd_bit_sampling s;
    pd_bit_sampling_make(&s, 16, 3, 12);
    for (int round = 0; round < 300; round++) {
        const uint64_t a = pd_random(&seed) & 0xFFFF;
        const uint64_t b = a ^ (uint64_t)1 << pd_random_below(&seed, 16);
        for (unsigned x = 0; x < s.n; x++)
            for (unsigned y = 0; y < s.n; y++) {
                const bool same = x == y && ((a ^ b) & s.masks[x]) == 0;
                CU_ASSERT_EQUAL(
                    pd_bit_sampling_bucket(&s, x, a) == pd_bit_sampling_bucket(&s, y, b), same);
            }
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_weight),
                                        PD_TEST(test_or),
                                        PD_TEST(test_bits_are_used_evenly),
                                        PD_TEST(test_number_sampled),
                                        PD_TEST(test_known_numbers),
                                        PD_TEST(test_masks_differ_and_repeat),
                                        PD_TEST(test_buckets),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "feature/superimposed", tests);
}

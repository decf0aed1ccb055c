/* Copies add up as byte by byte, and weights are the facts of the paper. */
#include "tools/eval/mosaic.h"

#include <math.h>
#include <stdbool.h>

#include "pd_cunit.h"
#include "pd_random.h"

static bool is(double x, double y) { return fabs(x - y) < 1e-9; }

static void test_weights(void)
{
    CU_ASSERT(is(pd_mosaic_weight(1), 1) && is(pd_mosaic_weight(0.9), 0.62));
    CU_ASSERT(is(pd_mosaic_weight(0.5), 0.17) && is(pd_mosaic_weight(0), 0));
    CU_ASSERT(is(pd_mosaic_weight(0.7), (0.17 + 0.62) / 2) && is(pd_mosaic_weight(0.95), 0.81));
    CU_ASSERT(is(pd_mosaic_weight(0.25), 0.085));
}

static void test_against_bytes(void)
{
    enum { DOCUMENTS = 5, LENGTH = 100, ROUNDS = 300 };
    uint64_t seed = 2026;
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_copied_texts texts = {0};
        struct pd_mosaic m = {0};
        double best[DOCUMENTS][LENGTH] = {{0}}, mass = 0;
        uint64_t copied = 0;
        for (uint32_t n = pd_random_below(&seed, 30); n > 0; n--) {
            const uint64_t doc = pd_random_below(&seed, DOCUMENTS);
            const uint64_t begin = pd_random_below(&seed, LENGTH - 1);
            const uint64_t end = begin + 1 + pd_random_below(&seed, (uint32_t)(LENGTH - begin));
            const uint64_t lightness = UINT64_C(100000000) * pd_random_below(&seed, 10);
            pd_copied_texts_push(&texts, (struct pd_copied_text){doc, lightness, begin, end});
            for (uint64_t k = begin; k < end; k++)
                best[doc][k] = fmax(best[doc][k], 1 - (double)lightness / 1e9);
        }
        for (int k = 0; k < DOCUMENTS * LENGTH; k++) {
            copied += best[k / LENGTH][k % LENGTH] > 0;
            mass += best[k / LENGTH][k % LENGTH];
        }
        pd_mosaic_add(&m, &texts);
        CU_ASSERT(m.copied == copied && fabs(m.mass - mass) < 1e-6);
        pd_copied_texts_release(&texts);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_weights), PD_TEST(test_against_bytes),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "tools/eval/mosaic", tests);
}

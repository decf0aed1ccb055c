/* Hashes that were met twice recur; few others are said to. */
#include "pardup/base/recurring.h"

#include "pardup/base/hash.h"
#include "pd_cunit.h"

enum { HASHES = 10000, SLOTS_A_HASH = 8, AGAIN = 7 }; /* every AGAINth hash is met twice */

static void test_hashes(void)
{
    struct pd_recurring r;
    unsigned missed = 0, lone = 0, wrong = 0;
    pd_recurring_open(&r, HASHES * SLOTS_A_HASH);
    for (uint64_t k = 0; k < HASHES; k++)
        pd_recurring_meet(&r, pd_mix(k));
    for (uint64_t k = 0; k < HASHES; k += AGAIN)
        pd_recurring_meet(&r, pd_mix(k));
    for (uint64_t k = 0; k < HASHES; k++) {
        const bool has = pd_recurring_has(&r, pd_mix(k));
        missed += k % AGAIN == 0 && !has;
        lone += k % AGAIN != 0;
        wrong += k % AGAIN != 0 && has;
    }
    CU_ASSERT_EQUAL(missed, 0);
    CU_ASSERT(wrong > 0 && wrong < lone / (SLOTS_A_HASH - 2));
    pd_recurring_close(&r);
}

/* One slot for all: what was met in it recurs once two hashes were met. */
static void test_few_slots(void)
{
    struct pd_recurring r;
    pd_recurring_open(&r, 1);
    CU_ASSERT_EQUAL(r.nslots, PD_RECURRING_SLOTS);
    pd_recurring_meet(&r, 1);
    CU_ASSERT(!pd_recurring_has(&r, 1));
    CU_ASSERT(!pd_recurring_has(&r, UINT64_MAX));
    pd_recurring_meet(&r, 2);
    CU_ASSERT(pd_recurring_has(&r, 1));
    pd_recurring_meet(&r, UINT64_MAX);
    CU_ASSERT(!pd_recurring_has(&r, UINT64_MAX));
    pd_recurring_close(&r);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_hashes), PD_TEST(test_few_slots),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/recurring", tests);
}

/* The table of memory: what lives at the same time fits, and every budget has a share. */
#include "run/budget.h"

#include "pd_cunit.h"

static void test_fits(void) { CU_ASSERT(pd_budget_fits()); }

/* Every budget has a row: none is all of the memory, and none is nothing. */
static void test_all_rows(void)
{
    const uint64_t memory = 1u << 30;
    for (int k = 0; k < PD_BUDGETS; k++) {
        const uint64_t bytes = pd_budget_bytes(memory, (enum pd_budget)k);
        CU_ASSERT(memory / 64 <= bytes && bytes <= memory / 2);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_fits), PD_TEST(test_all_rows),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/budget", tests);
}

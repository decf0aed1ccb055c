/* Student's distribution, kappa and Wilson's interval beside printed tables and examples. */
#include "tools/eval/paired.h"

#include <math.h>

#include "pd_cunit.h"
#include "tools/eval/kappa.h"

static bool near(double x, double y, double most) { return fabs(x - y) <= most; }

/* The critical values of common tables, which have three digits behind the point. */
static void test_student(void)
{
    static const struct {
        double degrees, t, p;
    } table[] = {{1, 12.706, 0.05},  {1, 63.657, 0.01},     {2, 4.303, 0.05},  {4, 2.776, 0.05},
                 {9, 2.262, 0.05},   {9, 3.250, 0.01},      {30, 2.042, 0.05}, {60, 2.660, 0.01},
                 {120, 1.980, 0.05}, {100000, 1.960, 0.05}, {10, 1.812, 0.10}, {5, 0.727, 0.50}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        CU_ASSERT(near(pd_student(table[k].t, table[k].degrees), table[k].p, 2e-4));
        CU_ASSERT(near(pd_student(-table[k].t, table[k].degrees), table[k].p, 2e-4));
    }
    CU_ASSERT(near(pd_student(0, 7), 1, 1e-12));
    CU_ASSERT(
        near(pd_student(1, 1), 0.5, 1e-12)); /* Cauchy's distribution has its quartiles at 1 */
    CU_ASSERT(near(pd_student(sqrt(2), 2), 1 - sqrt(0.5), 1e-12)); /* closed form of two degrees */
    CU_ASSERT(pd_student(1e3, 1e6) >= 0 && pd_student(1e3, 1e6) < 1e-100);
}

/* Two labellers, 50 items: both yes 20, yes and no 5, no and yes 10, both no 15. */
static void test_cohen(void)
{
    uint32_t labels[2 * 51];
    for (int k = 0; k < 50; k++) {
        labels[2 * k] = k < 25 ? 1 : 2;
        labels[2 * k + 1] = k < 20 || (k >= 25 && k < 35) ? 1 : 2;
    }
    labels[100] = 0; /* an item that one has not labelled does not count */
    labels[101] = 1;
    const struct pd_kappa k = pd_kappa_of(labels, 51, 2, 2);
    CU_ASSERT(k.items == 50 && near(k.observed, 0.7, 1e-12) && near(k.kappa, 0.4, 1e-12));
    CU_ASSERT(isnan(pd_kappa_of(labels, 20, 2, 2).kappa)); /* all labels are equal */
    CU_ASSERT(isnan(pd_kappa_of(labels, 0, 2, 2).observed));
}

/* A textbook example: 14 labellers, 10 items, 5 labels; kappa is 0.210. */
static void test_fleiss(void)
{
    static const int votes[10][5] = {
        {0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
        {7, 7, 0, 0, 0},  {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}};
    uint32_t labels[10 * 14];
    size_t n = 0;
    for (int item = 0; item < 10; item++)
        for (uint32_t label = 0; label < 5; label++)
            for (int vote = 0; vote < votes[item][label]; vote++)
                labels[n++] = label + 1;
    const struct pd_kappa k = pd_kappa_of(labels, 10, 14, 5);
    CU_ASSERT(n == 140 && near(k.observed, 0.378, 5e-4) && near(k.kappa, 0.210, 5e-4));
}

/* An example of Newcombe, "Two-Sided Confidence Intervals for the Single Proportion", 1998. */
static void test_wilson(void)
{
    double low, high;
    pd_share_interval(81, 263, &low, &high);
    CU_ASSERT(near(low, 0.2553, 5e-5) && near(high, 0.3662, 5e-5));
    pd_share_interval(0, 20, &low, &high);
    CU_ASSERT(low == 0 && near(high, 0.1611, 5e-5));
    pd_share_interval(20, 20, &low, &high);
    CU_ASSERT(near(low, 1 - 0.1611, 5e-5) && high == 1);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_student), PD_TEST(test_cohen),
                                        PD_TEST(test_fleiss), PD_TEST(test_wilson),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "tools/eval/paired", tests);
}

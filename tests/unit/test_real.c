/* Real numbers are printed with few digits, and read back as the same number. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/hash.h"
#include "pardup/base/real.h"
#include "pd_cunit.h"

static void expect(double x, const char *want)
{
    char text[PD_REAL_ROOM];
    CU_ASSERT_EQUAL(pd_real_print(x, text), strlen(want));
    CU_ASSERT_STRING_EQUAL(text, want);
}

/* Shares and thresholds look as people write them. */
static void test_few_digits(void)
{
    expect(0, "0");
    expect(1, "1");
    expect(.1, "0.1");
    expect(.0325, "0.0325");
    expect(-.1 - .2, "-0.30000000000000004");
    expect(2.0 / 3, "0.6666666666666666");
    expect(1e300, "1e+300");
    expect(5e-324, "4.94065645841247e-324");
    expect(-DBL_MAX, "-1.7976931348623157e+308");
    expect(NAN, "nan");
    expect(INFINITY, "inf");
}

/* Every number comes back. */
static void test_same_number(void)
{
    char text[PD_REAL_ROOM];
    size_t wrong = 0;
    for (uint64_t k = 1; k < 20000; k++) {
        const uint64_t bits = pd_mix(k);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isnan(x))
            continue;
        wrong += pd_real_print(x, text) >= PD_REAL_ROOM || strtod(text, NULL) != x;
        const float single = (float)k / 7919;
        pd_real_print_single(single, text);
        wrong += strtof(text, NULL) != single;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    pd_real_print_single(.1F, text);
    CU_ASSERT_STRING_EQUAL(text, "0.1");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_few_digits), PD_TEST(test_same_number),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/real", tests);
}

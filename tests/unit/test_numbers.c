/* tests/unit/test_numbers.c - counts and shares as a person reads them. */
#include "pardup/base/numbers.h"

#include <string.h>

#include "pd_cunit.h"

static void test_count(void)
{
    static const struct {
        uint64_t n;
        const char *text;
    } cases[] = {{0, "0"},
                 {999, "999"},
                 {1000, "1,000"},
                 {12345, "12,345"},
                 {123456789, "123,456,789"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    char text[PD_COUNT_ROOM];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CU_ASSERT_STRING_EQUAL(pd_count(text, cases[k].n), cases[k].text);
}

static void test_percent(void)
{
    static const struct {
        uint64_t part, all;
        const char *text;
    } cases[] = {{0, 0, "0 %"},
                 {0, 7, "0 %"},
                 {7, 7, "100 %"},
                 {1, 100000, "under 0.1 %"},
                 {1, 1000, "0.1 %"},
                 {99, 1000, "9.9 %"},
                 {1, 10, "10 %"},
                 {98, 100, "98 %"},
                 {99999, 100000, "99.9 %"}};
    char text[PD_COUNT_ROOM];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CU_ASSERT_STRING_EQUAL(pd_percent(text, cases[k].part, cases[k].all), cases[k].text);
}

static void test_size(void)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0.0 kB"},       {49, "0.0 kB"},
                 {50, "0.1 kB"},      {99949, "99.9 kB"},
                 {100000, "0.1 MB"},  {1049999, "1.0 MB"},
                 {1050000, "1.1 MB"}, {1234567890123, "1,234,567.9 MB"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CU_ASSERT_STRING_EQUAL(pd_size(cases[k].bytes), cases[k].text);
}

/* A message may hold as many numbers as there are texts. */
static void test_several_at_once(void)
{
    const char *texts[PD_COUNTS_AT_ONCE];
    for (size_t k = 0; k < PD_COUNTS_AT_ONCE; k++)
        texts[k] = k % 2 ? pd_share_of(k, 10) : pd_grouped(1000 * k);
    CU_ASSERT_STRING_EQUAL(texts[0], "0");
    CU_ASSERT_STRING_EQUAL(texts[1], "10 %");
    CU_ASSERT_STRING_EQUAL(texts[2], "2,000");
    CU_ASSERT_STRING_EQUAL(texts[PD_COUNTS_AT_ONCE - 1], "70 %");
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_count), PD_TEST(test_percent),
                                        PD_TEST(test_size), PD_TEST(test_several_at_once),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/numbers", tests);
}

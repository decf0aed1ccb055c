/* tests/unit/test_date.c - dates of documents. */
#include "pardup/base/date.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pd_cunit.h"

static struct pd_date parse(const char *text) { return pd_date_parse(text, strlen(text)); }

static void check(const char *text, const char *want)
{
    char got[PD_DATE_ROOM];
    pd_date_print(parse(text), got);
    CU_ASSERT_STRING_EQUAL(got, want);
}

static void test_forms(void)
{
    check("2009", "2009");
    check(" 2009-01 ", "2009-01");
    check("2009-01-13", "2009-01-13");
    check("20090113", "2009-01-13");
    check("20090113101530", "2009-01-13T10:15:30Z");
    check("2009-01-13T10:15:30Z", "2009-01-13T10:15:30Z");
    check("2009-01-13 10:15", "2009-01-13T10:15:00Z");
    check("2009-01-13T10:15:30.123456+01:00", "2009-01-13T09:15:30Z");
    check("20090113T101530Z", "2009-01-13T10:15:30Z");
    check("2009-01-01T00:30:00+01", "2008-12-31T23:30:00Z");
    check("Tue, 13 Jan 2009 10:15:30 +0100", "2009-01-13T09:15:30Z");
    check("3 feb 2009", "2009-02-03");
    check("Tue, 13 Jan 2009 10:15 GMT", "2009-01-13T10:15:00Z");
    check("Tue, 13 Jan 2009 10:15:30 -0800 (PST)", "2009-01-13T18:15:30Z");
    check("2000-02-29", "2000-02-29");
    check("0001-01-01", "0001-01-01");
    check("2009-01-13t10:15:30,5z", "2009-01-13T10:15:30Z");
    check("2009-01-13T10:15:60Z", "2009-01-13T10:16:00Z");
    check("20090113T1015", "2009-01-13T10:15:00Z");
    check("20090113T101530+0130", "2009-01-13T08:45:30Z");
    check("20090113T10:15", "2009-01-13T10:15:00Z");
    check("13 Jan 2009 10:15:30 utc", "2009-01-13T10:15:30Z");
    check("13 Jan 2009 10:15:30 +01", "2009-01-13T09:15:30Z");
    check("13 Jan 2009 10:15:30 +01 (CET)", "2009-01-13T09:15:30Z");
}

static void test_none(void)
{
    static const char *const wrong[] = {"",
                                        "x",
                                        "209",
                                        "2009-00",
                                        "2009-02-29",
                                        "1900-02-29",
                                        "2009-01-32",
                                        "2009-01-13T25:00",
                                        "2009-01-13x",
                                        "13 Foo 2009",
                                        "Tue,",
                                        "2009-01-13T10:60",
                                        "0000-01-01T00:00+01:00",
                                        "20090",
                                        "0 Jan 2009",
                                        "2009-01-13T10:15:30 +1",
                                        "2009-01-13T10",
                                        "2009-01-13T1",
                                        "2009-01-13T10:15:61",
                                        "2009-01-13T10:15:3",
                                        "20090113T10153",
                                        "2009-01-13T10:15:30+01:60",
                                        "2009-01-13T10:15:30+01:x",
                                        "2009-01-13T10:15:30+01:00x",
                                        "13 Jan 2009 10:15:30 CET",
                                        "13 Jan 2009 10",
                                        "13 Jan 209",
                                        "32 Jan 2009"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        CU_ASSERT(!pd_date_is_known(parse(wrong[k])));
        if (pd_date_is_known(parse(wrong[k])))
            printf("\n%s", wrong[k]);
    }
    check("no date", "");
}

static void test_order(void)
{
    static const char *const dates[] = {
        "2008-12-31T23:59:59Z", "2009",    "2009-01", "2009-01-01", "2009-01-01T00:00:00Z",
        "2009-01-01T00:00:01Z", "2009-02", "2010"};
    for (size_t k = 1; k < sizeof dates / sizeof *dates; k++)
        CU_ASSERT(pd_date_compare(parse(dates[k - 1]), parse(dates[k])) < 0);
}

/* Every day of 800 years, against the C library. */
static void test_days(void)
{
    char text[PD_DATE_ROOM], want[PD_DATE_ROOM];
    size_t wrong = 0;
    const uint64_t year_0 = parse("0000").first;
    for (time_t day = -400 * 365; day < 400 * 365; day++) {
        struct tm utc;
        const time_t seconds = day * 86400;
        strftime(want, sizeof want, "%Y-%m-%d", gmtime_r(&seconds, &utc));
        pd_date_print(parse(want), text);
        wrong += strcmp(text, want) != 0 || parse(want).last - parse(want).first != 86399;
        wrong += parse(want).first - year_0 != (uint64_t)(seconds + 62167219200);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_forms), PD_TEST(test_none),
                                        PD_TEST(test_order), PD_TEST(test_days), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/date", tests);
}

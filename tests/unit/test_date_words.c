/* tests/unit/test_date_words.c - dates as people write them: a table of spellings. */
#include "pardup/base/date.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pd_cunit.h"

/* What is written, the first and the last day ("": open), and whether it is sure. */
static const struct spelling {
    const char *text, *first, *last;
    bool sure;
} spellings[] = {
    {"1626", "1626-01-01", "1626-12-31", true},
    {"1626.", "1626-01-01", "1626-12-31", true},
    {"1626-1627", "1626-01-01", "1627-12-31", true},
    {"1626\xE2\x80\x93"
     "1627",
     "1626-01-01", "1627-12-31", true},
    {"1914/18", "1914-01-01", "1918-12-31", true},
    {"1914-18", "1914-01-01", "1918-12-31", true},
    {"1691/2", "1691-01-01", "1692-12-31", true},
    {"1626-7", "1626-01-01", "1627-12-31", true},
    {"1903/04", "1903-01-01", "1904-12-31", true},
    {"1914/08", "1914-08-01", "1914-08-31", true},
    {"c. 1633", "1633-01-01", "1633-12-31", false},
    {"ca. 1633", "1633-01-01", "1633-12-31", false},
    {"circa 1633-1640", "1633-01-01", "1640-12-31", false},
    {"um 1633", "1633-01-01", "1633-12-31", false},
    {"vers 1633", "1633-01-01", "1633-12-31", false},
    {"1608?", "1608-01-01", "1608-12-31", false},
    {"[1599]", "1599-01-01", "1599-12-31", false},
    {"[ca. 1599-1601?]", "1599-01-01", "1601-12-31", false},
    {"1649 [i.e. 1650]", "1650-01-01", "1650-12-31", false},
    {"before 1700", "", "1699-12-31", true},
    {"vor 1700", "", "1699-12-31", true},
    {"by 1700", "", "1700-12-31", true},
    {"not after 1700", "", "1700-12-31", true},
    {"after 1700", "1701-01-01", "", true},
    {"not before 1700", "1700-01-01", "", true},
    {"1700-", "1700-01-01", "", true},
    {"../1699", "", "1699-12-31", true},
    {"17th century", "1601-01-01", "1700-12-31", true},
    {"the seventeenth century", "1601-01-01", "1700-12-31", true},
    {"s. XVII", "1601-01-01", "1700-12-31", true},
    {"saec. XVI-XVII", "1501-01-01", "1700-12-31", true},
    {"16. Jh.", "1501-01-01", "1600-12-31", true},
    {"16.-17. Jahrhundert", "1501-01-01", "1700-12-31", true},
    {"XVIIe si\xC3\xA8"
     "cle",
     "1601-01-01", "1700-12-31", true},
    {"early 17th century", "1601-01-01", "1633-12-31", true},
    {"second half of the 17th century", "1651-01-01", "1700-12-31", true},
    {"2. H\xC3\xA4lfte 17. Jh.", "1651-01-01", "1700-12-31", true},
    {"first quarter of the 16th century", "1501-01-01", "1525-12-31", true},
    {"1620s", "1620-01-01", "1629-12-31", true},
    {"162X", "1620-01-01", "1629-12-31", true},
    {"16XX", "1600-01-01", "1699-12-31", true},
    {"Spring 1920", "1920-03-01", "1920-05-31", true},
    {"Herbst 1920", "1920-09-01", "1920-11-30", true},
    {"Winter 1920", "1920-01-01", "1921-02-28", true},
    {"Michaelmas 1685", "1685-09-01", "1685-12-31", true},
    {"Trinity Term, 1685", "1685-04-01", "1685-07-31", true},
    {"44 BC", "-0043-01-01", "-0043-12-31", true},
    {"44-31 B.C.", "-0043-01-01", "-0030-12-31", true},
    {"31 BCE - 14 CE", "-0030-01-01", "0014-12-31", true},
    {"-0043-03-15", "-0043-03-15", "-0043-03-15", true},
    {"1st century BC", "-0099-01-01", "0000-12-31", true},
    {"100 v. Chr.", "-0099-01-01", "-0099-12-31", true},
    {"AD 79", "0079-01-01", "0079-12-31", true},
    {"13 January 2009", "2009-01-13", "2009-01-13", true},
    {"January 13th, 2009", "2009-01-13", "2009-01-13", true},
    {"3. M\xC3\xA4rz 1848", "1848-03-03", "1848-03-03", true},
    {"le 14 juillet 1789", "1789-07-14", "1789-07-14", true},
    {"ao\xC3\xBBt 1792", "1792-08-01", "1792-08-31", true},
    {"13.01.2009", "2009-01-13", "2009-01-13", true},
    {"13/01/2009", "2009-01-13", "2009-01-13", true},
    {"1/13/2009", "2009-01-13", "2009-01-13", true},
    {"03/04/2009", "2009-03-04", "2009-04-03", true},
    {"2009/01/13", "2009-01-13", "2009-01-13", true},
    {"12.IV.1926", "1926-04-12", "1926-04-12", true},
    {"May 5-7, 1920", "1920-05-05", "1920-05-07", true},
    {"12-14 May 1920", "1920-05-12", "1920-05-14", true},
    {"May-June 1920", "1920-05-01", "1920-06-30", true},
    {"28 Dec 1919 - 3 Jan 1920", "1919-12-28", "1920-01-03", true},
    {"between 1600 and 1610", "1600-01-01", "1610-12-31", true},
    {"de 1600 \xC3\xA0 1610", "1600-01-01", "1610-12-31", true},
    {"1626 or 1627", "1626-01-01", "1627-12-31", true},
    {"Anno Dom. MDCXXVI", "1626-01-01", "1626-12-31", true},
    {"M.DC.XXVI.", "1626-01-01", "1626-12-31", true},
    {"Printed in the yeare 1626", "1626-01-01", "1626-12-31", true},
    {"2004-06/2006-08", "2004-06-01", "2006-08-31", true},
    {"209-215 AD", "0209-01-01", "0215-12-31", true},
    {"2009-13", "2009-01-01", "2013-12-31", true},
    {"late 1633", "1633-09-01", "1633-12-31", true},
    {"1800s", "1800-01-01", "1899-12-31", true},
    {"1620er Jahre", "1620-01-01", "1629-12-31", true},
    {"May\xC2\xA0"
     "1920",
     "1920-05-01", "1920-05-31", true},
    {"\xC2\xAB"
     "1626\xC2\xBB",
     "1626-01-01", "1626-12-31", true},
    {"5/1920", "1920-05-01", "1920-05-31", true},
    {"1903/4", "1903-01-01", "1904-12-31", true},
    {"MDCXX-MDCXXX", "1620-01-01", "1630-12-31", true},
    {"May 1920-1922", "1920-05-01", "1922-12-31", true},
    {"16th-17th century", "1501-01-01", "1700-12-31", true},
    {"-0043/-0030", "-0043-01-01", "-0030-12-31", true},
};

/* A day at an end of a date; "": it is open. */
static void print_day(uint64_t first, uint64_t last, char to[PD_DATE_ROOM])
{
    const uint64_t day = 86400, begin = (first ? first : last) / day * day;
    const bool open = first == 0 && last == PD_DATE_OPEN;
    pd_date_print((struct pd_date){open ? UINT64_MAX : begin, begin + day - 1}, to);
}

static void test_spellings(void)
{
    char first[PD_DATE_ROOM], last[PD_DATE_ROOM], text[PD_DATE_ROOM];
    for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
        const struct spelling *s = &spellings[k];
        const struct pd_date d = pd_date_parse(s->text, strlen(s->text));
        const uint64_t end = d.last & ~PD_DATE_UNSURE;
        print_day(d.first, d.first ? 0 : PD_DATE_OPEN, first);
        print_day(end == PD_DATE_OPEN ? 0 : end, end, last);
        const bool right = pd_date_is_known(d) && strcmp(first, s->first) == 0 &&
                           strcmp(last, s->last) == 0 && pd_date_is_sure(d) == s->sure;
        CU_ASSERT(right);
        if (!right)
            fprintf(stderr, "%s: %s to %s, %s\n", s->text, first, last,
                    pd_date_is_known(d) ? pd_date_is_sure(d) ? "sure" : "unsure" : "no date");
        pd_date_print(d, text); /* what is printed is the same date */
        const struct pd_date again = pd_date_parse(text, strlen(text));
        CU_ASSERT(again.first == d.first && again.last == d.last);
        if (again.first != d.first || again.last != d.last)
            fprintf(stderr, "%s: printed as %s\n", s->text, text);
    }
}

static void test_none(void)
{
    static const char *const wrong[] = {
        "chapter 12",
        "12",
        "May",
        "the",
        "c.",
        "n.d.",
        "s. d.",
        "1626 1627",
        "1627-1626",
        "31 June 1920",
        "0th century",
        "5th half of the 17th century",
        "London, 1626 x",
        "before",
        "-",
        "../..",
        "99999",
        "1626-1627-1628",
        "2009-01-13x",
        "17",
        "spring",
        "\xFF",
        "7 Idibus 1626",
        "101st century",
        "12345",
        "13/32/1920",
        "40/50/1920",
        "before 31 June 1920",
        "before 1600-1700",
        "1920-45 May",
        "1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1",
        "1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1..1",
        "a a a a a a a a a a a a a a a a a a a a a a a a a a",
        ("the year of our Lord, so to say, when the great fire came to "
         "the town and all the books were lost, which was 1626")};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const bool known = pd_date_is_known(pd_date_parse(wrong[k], strlen(wrong[k])));
        CU_ASSERT(!known);
        if (known)
            fprintf(stderr, "%s: is read as a date\n", wrong[k]);
    }
}

/* Each comes before the next one. */
static void test_order(void)
{
    static const char *const dates[] = {
        "before 1600",  "1600",       "1601-05", "1626-01-03", "1620s", "1630",
        "17th century", "after 1500", "c. 1500", "1608?",      ""};
    for (size_t k = 0; k + 1 < sizeof dates / sizeof *dates; k++) {
        const struct pd_date a = pd_date_parse(dates[k], strlen(dates[k])),
                             b = pd_date_parse(dates[k + 1], strlen(dates[k + 1]));
        CU_ASSERT(pd_date_compare(a, b) < 0);
        CU_ASSERT(pd_date_compare(b, a) > 0);
        CU_ASSERT_EQUAL(pd_date_compare(a, a), 0);
        if (pd_date_compare(a, b) >= 0)
            fprintf(stderr, "%s is not before %s\n", dates[k], dates[k + 1]);
    }
}

/* A date of the table of spellings or of ISO 8601. */
static struct pd_date parse(const char *text) { return pd_date_parse(text, strlen(text)); }

/* In time an unsure date stands among sure ones, and behind an equal one. */
static void test_times(void)
{
    static const char *const dates[] = {"c. 1500", "1600", "1608", "1608?", "1609", "1700?", ""};
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++)
        for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
            const int order = pd_date_compare_times(parse(dates[k]), parse(dates[i]));
            CU_ASSERT_EQUAL((order > 0) - (order < 0), (k > i) - (k < i));
        }
}

static void test_middle(void)
{
    CU_ASSERT_DOUBLE_EQUAL(pd_date_middle(parse("1626")), 1626.5, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(pd_date_middle(parse("1626?")), 1626.5, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(pd_date_middle(parse("1600-1699")), 1650, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(pd_date_middle(parse("44 BC")), -42.5, 1e-6);
    CU_ASSERT(isnan(pd_date_middle(parse("after 1700"))));
    CU_ASSERT(isnan(pd_date_middle(parse("before 1700"))));
    CU_ASSERT(isnan(pd_date_middle(PD_NO_DATE)));
}

/* A text is as long as its caller says: a zero byte in it is no end. */
static void test_zero(void) { CU_ASSERT(!pd_date_is_known(pd_date_parse("1626\0x", 6))); }

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_spellings), PD_TEST(test_none), PD_TEST(test_order), PD_TEST(test_times),
        PD_TEST(test_middle),    PD_TEST(test_zero), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/date_words", tests);
}

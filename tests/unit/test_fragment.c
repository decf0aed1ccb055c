/* Ends of sentences, braces, numbers and names, in several scripts. */
#include "pardup/document/fragment.h"

#include <string.h>

#include "pd_cunit.h"

static bool ends(const char *s) { return pd_ends_sentence((const unsigned char *)s, strlen(s)); }
static bool braces(const char *s) { return pd_has_braces((const unsigned char *)s, strlen(s)); }
static bool digit(const char *s) { return pd_has_digit((const unsigned char *)s, strlen(s)); }
static bool name(const char *s, bool first)
{
    return pd_may_be_name((const unsigned char *)s, strlen(s), first);
}

static void test_ends(void)
{
    static const char *const yes[] = {"So it is.", "Is it?",       "No!",         "(So it is.)",
                                      "\"Yes!\"",  "„So ist es.“", "那就是。",    "这样吗？",
                                      "هل هذا؟",   "ไม่รู้",          "He said so.*"};
    static const char *const no[] = {
        "",           "ZIP code",        "ZIP code:", "return x;", "and so on...",
        "and so on…", "Time zone (UTC)", ")",         "名前",      "a, b,"};
    for (size_t k = 0; k < sizeof yes / sizeof *yes; k++)
        CU_ASSERT(ends(yes[k]));
    for (size_t k = 0; k < sizeof no / sizeof *no; k++)
        CU_ASSERT(!ends(no[k]));
}

static void test_braces(void)
{
    CU_ASSERT(braces("int main(void)\n{\n    return 0."));
    CU_ASSERT(braces("while (x) {\r\n x--."));
    CU_ASSERT(braces("}"));
    CU_ASSERT(!braces("the set {a, b} of two.") && !braces("") && !braces("plain"));
}

static void test_facts(void)
{
    CU_ASSERT(digit("7") && digit("x7") && digit("٣") && !digit("seven") && !digit(""));
    CU_ASSERT(name("Ann", false) && name("Éva", false) && name("Ωmega", false));
    CU_ASSERT(!name("Ann", true) && !name("ann", false) && !name("éva", false) &&
              !name("7", false));
    CU_ASSERT(name("名", true) && name("كتاب", false) && !name("", false));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_ends), PD_TEST(test_braces),
                                        PD_TEST(test_facts), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/fragment", tests);
}

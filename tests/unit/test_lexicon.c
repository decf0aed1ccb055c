/*
 * The lexicon of sentence ends: words of all lengths, in capitals or not, and those that are in
 * none.
 */
#include "document/sentence/lexicon.h"

#include <ctype.h>
#include <string.h>

#include "pd_cunit.h"

/* At the end of the text, and with other text behind. */
static unsigned look_up(const char *word)
{
    unsigned char text[64];
    const size_t n = strlen(word);
    memset(text, 'x', sizeof text);
    memcpy(text, word, n);
    const unsigned kind = pd_lexicon(text, n, sizeof text);
    CU_ASSERT_EQUAL(pd_lexicon((const unsigned char *)word, n, n), kind);
    return kind;
}

static void test_lengths(void)
{
    CU_ASSERT_EQUAL(look_up(""), 0);
    CU_ASSERT_EQUAL(look_up("a") & PD_STARTER, PD_STARTER);
    CU_ASSERT_EQUAL(look_up("mr"), PD_TITLE);
    CU_ASSERT_EQUAL(look_up("etc"), PD_ETC);
    CU_ASSERT_EQUAL(look_up("blvd"), PD_ENDER);
    CU_ASSERT_EQUAL(look_up("evang"), PD_ENDER);
    CU_ASSERT_EQUAL(look_up("messrs"), PD_TITLE);
    CU_ASSERT_EQUAL(look_up("dott.ss"), 0);
    CU_ASSERT_EQUAL(look_up("although"), PD_STARTER);
    CU_ASSERT_EQUAL(look_up("yesterday"), PD_STARTER);
    CU_ASSERT_EQUAL(look_up("everything"), 0);
    CU_ASSERT_EQUAL(look_up("furthermore"), PD_STARTER);
    CU_ASSERT_EQUAL(look_up("nevertheless"), PD_STARTER);
    CU_ASSERT_EQUAL(look_up("neverthelesses"), 0);
    CU_ASSERT_EQUAL(look_up("nevertheless, no"), 0);
}

/* One letter other than in the list, or in upper case. */
static void test_letters(void)
{
    static const char *const words[] = {"the",    "than",      "yahoo",        "jeopardy",
                                        "monday", "wednesday", "nevertheless", "furthermore",
                                        "einst",  "bldg",      "c.-à-d",       "etcétera"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const unsigned known = look_up(words[w]);
        for (size_t k = 0; k < strlen(words[w]); k++) {
            char other[32];
            strcpy(other, words[w]);
            other[k] = (char)toupper((unsigned char)other[k]);
            CU_ASSERT_EQUAL(look_up(other), known);
            other[k] = '#';
            CU_ASSERT_EQUAL(look_up(other), 0);
        }
    }
    CU_ASSERT_EQUAL(look_up("sept") & (PD_ENDER | PD_CAPITAL),
                    0); /* an abbreviation with a capital only */
    CU_ASSERT_EQUAL(look_up("Sept") & PD_ENDER, PD_ENDER);
}

/*
 * The end of the word is enough: what cannot be an abbreviation, behind white space or joined to
 * something.
 */
static bool lacks(const char *text)
{
    return pd_lexicon_lacks((const unsigned char *)text + strlen(text));
}

static void test_lacks(void)
{
    CU_ASSERT(!lacks("        Mr"));
    CU_ASSERT(!lacks("        etc"));
    CU_ASSERT(!lacks("    messrs"));
    CU_ASSERT(!lacks("jeopardy"));
    CU_ASSERT(!lacks("so jeopardy"));
    CU_ASSERT(lacks("        mister"));
    CU_ASSERT(lacks("        the"));
    CU_ASSERT(lacks("everything"));
    CU_ASSERT(!lacks("       (end"));
    CU_ASSERT(!lacks("       U.S"));
    CU_ASSERT(!lacks("     etcétera"));
    CU_ASSERT(!lacks("      x/approx"));
    CU_ASSERT(lacks("      x/ending"));
}

int main(int argc, char **argv)
{
    pd_lexicon_load();
    static const CU_TestInfo tests[] = {PD_TEST(test_lengths), PD_TEST(test_lacks),
                                        PD_TEST(test_letters), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/lexicon", tests);
}

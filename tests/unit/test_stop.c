/* Stops told by the bytes around them: what the rules say of each. */
#include "document/sentence/stop.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "document/sentence/sentence.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

/* The stops that are told by the bytes around them, and all of them by the rules. */
static void check_rules(const struct pd_bytes *text)
{
    struct pd_sentences quick = {0}, plain = {0};
    pd_sentences_split(text->v, text->n, &quick);
    pd_sentences_split_plain(text->v, text->n, &plain);
    bool same = quick.n == plain.n;
    for (size_t k = 0; same && k < quick.n; k++)
        same = quick.v[k].begin == plain.v[k].begin && quick.v[k].end == plain.v[k].end;
    CU_ASSERT(same);
    if (!same)
        fprintf(stderr, "  not as the rules say: \"%.*s\"\n", (int)text->n, (const char *)text->v);
    pd_sentences_release(&quick);
    pd_sentences_release(&plain);
}

static void test_as_the_rules(void)
{
    static const char *const words[] = {
        "end",          "the",        "Mr",       "etc",   "Jr",       "no",         "vs",
        "messrs",       "evang",      "yahoo",    "U.S",   "x",        "iv",         "six",
        "taxi",         "MIX",        "ii",       "I",     "a",        "jeopardy",   "jeopardys",
        "running",      "3",          "12",       "1.2",   "v2",       "2nd",        "a.m",
        "e.g",          "prof.ssa",   "etcétera", "naïve", "été",      "мир",        "им",
        "java.lang",    "foo.barbar", "a-no",     "l'inc", "x/approx", "re-running", "DataFrame",
        "Buffer",       "The",        "Then",     "BSD",   "A",        "Is",         "Ix",
        "eBay",         "(a",         "(iv",      "b2b",   "か",       "これは",     "好",
        "\u0627\u0644", "[1",         "-",        "•",     "*",        "«",          "\u00A0"};
    static const char *const marks[] = {
        ".",      ".",      ".",  "!",   "?",   ")", "",   "",   "..",     "...",
        ". .",    ".)",     ").", "?!",  ":",   ";", "。", "、", "\u061F", "\u06D4",
        "\u037E", "\u0589", "．", ".\"", ".12", ",", "’",  "…",  "！"};
    static const char *const gaps[] = {
        " ",     " ",    " ",    "",   "",       "\n",     "\n\n", "\n\n",    "\n\n\n", "\n\n> ",
        " \n\n", "\n  ", "\r\n", "  ", "\u00A0", "\u3000", "\n- ", "\n\n1. ", " 2) ",   ": (a) "};
    enum { ROUNDS = 60000, MOST_WORDS = 24 };
    struct pd_random random = {2718};
    struct pd_bytes made = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes text = {0}; /* exactly as long as the text, for sanitizers */
        made.n = 0;
        for (uint32_t k = 1 + pd_random_below(&random, MOST_WORDS); k > 0; k--) {
            const char *const parts[] = {
                words[pd_random_below(&random, sizeof words / sizeof *words)],
                marks[pd_random_below(&random, sizeof marks / sizeof *marks)],
                gaps[pd_random_below(&random, sizeof gaps / sizeof *gaps)]};
            for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
                pd_bytes_append(&made, parts[p], strlen(parts[p]));
        }
        pd_bytes_append(&text, made.v, made.n);
        check_rules(&text);
        pd_bytes_release(&text);
    }
    pd_bytes_release(&made);
}

/* Around a stop, every byte and pairs of them. */
static void test_bytes_around(void)
{
    static const char stops[] = ".!?)\n\r";
    static const char around[] = "aivXzAI01 .,)'-\n\t_";
    enum { KINDS = sizeof around - 1, AT = 14 };
    for (const char *stop = stops; *stop; stop++)
        for (unsigned k = 0; k < KINDS * KINDS * KINDS * KINDS; k++) {
            unsigned char v[] = "So it was so ??.??ose, and so it stayed for ever.";
            struct pd_bytes text = {v, sizeof v - 1, sizeof v};
            v[AT - 1] = (unsigned char)around[k % KINDS];
            v[AT] = (unsigned char)around[k / KINDS % KINDS];
            v[AT + 1] = (unsigned char)*stop;
            v[AT + 2] = (unsigned char)around[k / KINDS / KINDS % KINDS];
            v[AT + 3] = (unsigned char)around[k / KINDS / KINDS / KINDS];
            check_rules(&text);
        }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_as_the_rules), PD_TEST(test_bytes_around),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/stop", tests);
}

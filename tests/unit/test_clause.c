/* Clauses: which marks part words, which do not, and that they hold all words. */
#include "document/sentence/clause.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/document/word.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

static void cut(struct pd_document *d, const char *text, size_t n)
{
    d->text = (const unsigned char *)text;
    d->text_n = n;
    d->sentences.n = d->words.n = d->norm.n = 0;
    pd_words_scan(d->text, 0, (uint32_t)n, d);
    pd_clauses_group(d->text, d);
}

/* The units of `text`, with '|' between them. */
static const char *units(enum pd_base_kind kind, const char *text)
{
    static char got[512];
    struct pd_document d = {.base = kind};
    size_t n = 0;
    cut(&d, text, strlen(text));
    for (size_t k = 0; k < d.sentences.n; k++) {
        const struct pd_sentence *s = &d.sentences.v[k];
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%.*s", k ? "|" : "",
                              (int)(s->end - s->begin), text + s->begin);
    }
    got[n] = '\0';
    pd_document_release(&d);
    return got;
}

static const char *clauses(const char *text) { return units(PD_BASE_CLAUSE, text); }
static const char *stops(const char *text) { return units(PD_BASE_STOP, text); }

static void test_marks(void)
{
    CU_ASSERT_STRING_EQUAL(clauses("One, two; three: four. Five! (six) \"seven\"? eight"),
                           "One|two|three|four|Five|six|seven|eight");
    CU_ASSERT_STRING_EQUAL(clauses("3.14 and don't and 1,000 stay"),
                           "3.14 and don't and 1,000 stay");
    CU_ASSERT_STRING_EQUAL(clauses("well-known and/or this - that \xE2\x80\x94 all one"),
                           "well-known and/or this - that \xE2\x80\x94 all one");
    CU_ASSERT_STRING_EQUAL(clauses("\xE2\x80\x9CQuoted\xE2\x80\x9D he\xE2\x80\x99s said"),
                           "Quoted|he\xE2\x80\x99s said");
    CU_ASSERT_STRING_EQUAL(clauses("\xE4\xB8\x80\xE4\xBA\x8C\xEF\xBC\x8C\xE4\xB8\x89\xE3\x80\x82"),
                           "\xE4\xB8\x80\xE4\xBA\x8C|\xE4\xB8\x89");
    CU_ASSERT_STRING_EQUAL(clauses("..."), "");
}

static void test_stops(void)
{
    CU_ASSERT_STRING_EQUAL(stops("One, two; three: four. Five! (six) \"seven\"? eight"),
                           "One, two|three: four|Five|six) \"seven|eight");
    CU_ASSERT_STRING_EQUAL(stops("3.14 and 1,000 stay"), "3.14 and 1,000 stay");
    CU_ASSERT_STRING_EQUAL(stops("a [b] {c} <d>|e \xE2\x80\x9C"
                                 "f\xE2\x80\x9D g\xE2\x80\xA6 h"),
                           "a [b] {c} <d>|e \xE2\x80\x9C"
                           "f\xE2\x80\x9D g\xE2\x80\xA6 h");
    static const char *const wide[] = {"。", "！", "．", "；", "？"};
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++) {
        char text[16];
        snprintf(text, sizeof text, "ab%sc", wide[k]);
        CU_ASSERT_STRING_EQUAL(stops(text), "ab|c");
    }
    CU_ASSERT_STRING_EQUAL(stops("一，二、三：四。五"), "一，二、三：四|五");
    CU_ASSERT_STRING_EQUAL(stops("one\ntwo\n\nthree"), "one\ntwo|three");
}

static void test_line_ends(void)
{
    CU_ASSERT_STRING_EQUAL(clauses("one\ntwo\r\nthree"), "one\ntwo\r\nthree");
    CU_ASSERT_STRING_EQUAL(clauses("one\n\ntwo"), "one|two");
    CU_ASSERT_STRING_EQUAL(clauses("one \r\n \t\r\n two"), "one|two");
    CU_ASSERT_STRING_EQUAL(clauses("one\n-\ntwo"),
                           "one\n-\ntwo"); /* the line between is not empty */
}

/* Random text: every word in one clause, in order, bounds on words. */
static void test_random(void)
{
    struct pd_document d = {0};
    struct pd_bytes text = {0};
    static const uint32_t traps[] = {'.', ',', ' ', '\n', '(', 0x2019, 0x3002, 0xFF0C, 'a', '1', 0};
    struct pd_random random = {5};
    for (int round = 0; round < 200; round++) {
        d.base = round % 2 ? PD_BASE_STOP : PD_BASE_CLAUSE;
        text.n = 0;
        pd_random_text(&random, traps, 100, &text);
        cut(&d, (const char *)text.v, text.n);
        uint32_t next = 0;
        for (size_t k = 0; k < d.sentences.n; k++) {
            const struct pd_sentence *s = &d.sentences.v[k];
            CU_ASSERT_EQUAL(s->word, next);
            CU_ASSERT(s->nwords > 0);
            CU_ASSERT_EQUAL(s->begin, d.words.v[s->word].begin);
            CU_ASSERT_EQUAL(s->end, d.words.v[s->word + s->nwords - 1].end);
            next += s->nwords;
        }
        CU_ASSERT_EQUAL(next, d.words.n);
    }
    pd_bytes_release(&text);
    pd_document_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_marks), PD_TEST(test_stops),
                                        PD_TEST(test_line_ends), PD_TEST(test_random),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/clause", tests);
}

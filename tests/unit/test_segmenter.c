/* Chinese and Japanese words by ICU's dictionary: which they are, and that they tile the text. */
#include <string.h>

#include "pardup/document/word.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

static struct pd_document doc = {.words_kind = PD_WORDS_ICU};

static void scan(const unsigned char *text, size_t n)
{
    doc.words.n = doc.norm.n = 0;
    pd_words_scan(text, 0, (uint32_t)n, &doc);
}

/* The compared forms of the words of `text`, with a | behind each. */
static void check(const char *text, const char *want)
{
    char got[512];
    size_t n = 0;
    scan((const unsigned char *)text, strlen(text));
    for (size_t k = 0; k < doc.words.n; k++)
        n += (size_t)snprintf(got + n, sizeof got - n, "%.*s|", (int)doc.words.v[k].norm_n,
                              (const char *)doc.norm.v + doc.words.v[k].norm);
    got[n] = '\0';
    CU_ASSERT_STRING_EQUAL(got, want);
    if (strcmp(got, want) != 0)
        fprintf(stderr, "  got \"%s\", not \"%s\"\n", got, want);
}

static void test_deltas(void)
{
    check("我们的城市，很大。", "我们|的|城市|很大|");
    check("「日本語」と学校", "日本語|と|学校|");
    check("カタカナabcカタカナ 3.14", "カタカナ|abc|カタカナ|3.14|");
    check("ABC中国GmbH", "abc|中国|gmbh|");
    check("一\u200B一", "一|一|");
    check("Only English here.", "only|english|here|");
    check("ｶﾀｶﾅ", "カタカナ|"); /* the compared form is NFKC as ever */
}

/* The same run has the same words wherever it stands. */
static void test_context(void)
{
    check("城市，我们的城市", "城市|我们|的|城市|");
    check("x我们的城市x", "x|我们|的|城市|x|");
}

static void test_characters_stay_default(void)
{
    doc.words_kind = PD_WORDS_CHAR;
    check("我们的", "我|们|的|");
    doc.words_kind = PD_WORDS_ICU;
}

/* Words are in order and disjoint, and leave out no character that is one by itself. */
static void test_random(void)
{
    static const uint32_t traps[] = {0x4E00, 0x6211,  0x4EEC, 0x304B, 0x3099, 0x30AB,
                                     0x30FC, 0x20000, 0x3002, 0x200D, 0xFE0F, 'a',
                                     '1',    '.',     0xFF76, 0x3005, 0xAD,   0};
    struct pd_random random = {17};
    struct pd_bytes text = {0};
    for (int round = 0; round < 2000; round++) {
        struct pd_document single = {0};
        text.n = 0;
        pd_random_text(&random, traps, 60, &text);
        scan(text.v, text.n);
        pd_words_scan(text.v, 0, (uint32_t)text.n, &single);
        size_t end = 0, k = 0;
        for (size_t w = 0; w < doc.words.n; w++) {
            CU_ASSERT(doc.words.v[w].begin >= end && doc.words.v[w].end > doc.words.v[w].begin);
            end = doc.words.v[w].end;
            for (; k < single.words.n && single.words.v[k].begin < end; k++)
                CU_ASSERT(single.words.v[k].begin >= doc.words.v[w].begin);
        }
        CU_ASSERT(end <= text.n);
        CU_ASSERT_EQUAL(k, single.words.n);
        pd_document_release(&single);
    }
    pd_bytes_release(&text);
    pd_document_release(&doc);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_deltas), PD_TEST(test_context),
                                        PD_TEST(test_characters_stay_default), PD_TEST(test_random),
                                        CU_TEST_INFO_NULL};
    static const CU_TestInfo without[] = {PD_TEST(test_characters_stay_default), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/segmenter", pd_words_have_icu() ? tests : without);
}

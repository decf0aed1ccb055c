/* Unit tests of base/wide: UTF-16 and UTF-32 without a mark are told only when there is no doubt. */
#include "pd_cunit.h"

#include <stdbool.h>
#include <string.h>

#include "pardup/base/wide.h"
#include "pd_random.h"

enum { MOST = 2048 };

/* Write the characters of `text` in a form. Returns the bytes. */
static size_t write_form(enum pd_wide form, const uint32_t *text, size_t n, unsigned char *to)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t bytes = pd_wide_bytes(form);
        const bool big = form == PD_WIDE_16BE || form == PD_WIDE_32BE;
        for (size_t b = 0; b < bytes; b++)
            to[k++] = (unsigned char)(text[i] >> 8 * (big ? bytes - 1 - b : b));
    }
    return k;
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const uint32_t latin[] = {'A', 'l', 'p', 'h', 'a', ' ', 0xE9, '.'};
static const uint32_t russian[] = {0x41F, 0x440, 0x438, '\n', 0x43C, 0x438, 0x440, '.', ' ', 0x42F};
static const uint32_t chinese[] = {0x8FD9, 0x662F, 0x4E2D, 0x6587, 0x6587, 0x672C, 0x3002, 0x8FD9,
                                   0x662F, 0x6D4B, 0x8BD5, 0xFF0C, 0x5929, 0x6C14, 0x5F88, 0x597D};

static void test_texts(void)
{
    static const struct {
        const uint32_t *v;
        size_t n;
    } texts[] = {{latin, COUNT(latin)}, {russian, COUNT(russian)}, {chinese, COUNT(chinese)}};
    unsigned char s[MOST];
    for (size_t t = 0; t < COUNT(texts); t++)
        for (enum pd_wide form = PD_WIDE_16LE; form <= PD_WIDE_32BE; form++) {
            const size_t n = write_form(form, texts[t].v, texts[t].n, s);
            CU_ASSERT_EQUAL(pd_wide_seen(s, n), form);
            s[n] = 0; /* a unit that is cut */
            CU_ASSERT_EQUAL(pd_wide_seen(s, n + 1), form);
            CU_ASSERT_EQUAL(pd_wide_marked(s, n), PD_WIDE_NO);
        }
}

static void test_not_text(void)
{
    static const uint32_t controls[] = {'a', 'b', 1, 'c', 'd', 'e'};
    static const uint32_t lone[] = {'a', 'b', 0xD800, 'c', 'd', 'e'};
    static const uint32_t nonchar[] = {'a', 'b', 0xFFFE, 'c', 'd', 'e'};
    static const uint32_t low[] = {'a', 'b', 0xDC00, 'c', 'd', 'e'};
    unsigned char s[MOST];
    CU_ASSERT_EQUAL(pd_wide_seen(s, write_form(PD_WIDE_16LE, controls, 6, s)), PD_WIDE_NO);
    CU_ASSERT_EQUAL(pd_wide_seen(s, write_form(PD_WIDE_16BE, lone, 6, s)), PD_WIDE_NO);
    CU_ASSERT_EQUAL(pd_wide_seen(s, write_form(PD_WIDE_16LE, nonchar, 6, s)), PD_WIDE_NO);
    CU_ASSERT_EQUAL(pd_wide_seen(s, write_form(PD_WIDE_32LE, low, 6, s)), PD_WIDE_NO);
    CU_ASSERT_EQUAL(pd_wide_seen(s, write_form(PD_WIDE_16LE, latin, 3, s)), PD_WIDE_NO); /* short */
    CU_ASSERT_EQUAL(pd_wide_seen(NULL, 0), PD_WIDE_NO);
    CU_ASSERT_EQUAL(pd_wide_marked(NULL, 0), PD_WIDE_NO);
    const char *text = "Alpha one is here, and this is plain text. \xC3\xA9";
    CU_ASSERT_EQUAL(pd_wide_seen((const unsigned char *)text, strlen(text)), PD_WIDE_NO);
}

/* Random bytes are never told to be a text. */
static void test_random(void)
{
    uint64_t state = 5;
    unsigned char s[MOST];
    for (int round = 0; round < 2000; round++) {
        const size_t n = 64 + (size_t)round % (MOST - 64);
        for (size_t k = 0; k < n; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            s[k] = (unsigned char)(state >> 40);
        }
        CU_ASSERT_EQUAL(pd_wide_seen(s, n), PD_WIDE_NO);
    }
}

static void test_pairs_and_marks(void)
{
    static const unsigned char pairs[] = "a\0b\0\x3D\xD8\0\xDE c\0d\0";
    unsigned char s[] = {'a', 0, 'b', 0, 0x3D, 0xD8, 0, 0xDE, 'c', 0, 'd', 0};
    CU_ASSERT_EQUAL(pd_wide_seen(s, sizeof s), PD_WIDE_16LE);
    CU_ASSERT_EQUAL(pd_wide_seen(pairs, sizeof pairs - 1), PD_WIDE_NO);
    CU_ASSERT_EQUAL(pd_wide_marked((const unsigned char *)"\xFF\xFE\0\0", 4), PD_WIDE_32LE);
    CU_ASSERT_EQUAL(pd_wide_marked((const unsigned char *)"\xFF\xFE"
                                                          "a\0",
                                   4),
                    PD_WIDE_16LE);
    CU_ASSERT_EQUAL(pd_wide_marked((const unsigned char *)"\0\0\xFE\xFF", 4), PD_WIDE_32BE);
    CU_ASSERT_EQUAL(pd_wide_marked((const unsigned char *)"\xFE\xFF", 2), PD_WIDE_16BE);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_texts), PD_TEST(test_not_text),
                                        PD_TEST(test_random), PD_TEST(test_pairs_and_marks),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "base/wide", tests);
}

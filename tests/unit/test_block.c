/* Blocks of text as bits: the fast way and the plain one say the same. */
#include "document/block.h"
#include "document/find.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

/* Fill with random bytes: any, or of those that mean something. */
static void fill(struct pd_random *r, unsigned char *s, size_t n)
{
    static const unsigned char traps[] =
        "\n\r.!?):;',_azAZ09 @[`{/\xC2\xC3\xCD\xD6\xD8\xDB\xE0\xE2\xE3\xE4"
        "\xEF\x7F\x80\xFF-|\xDC\xDF\xEA\xF0\x90\xAF\xB0\x9D";
    const bool any = pd_random_below(r, 4) == 0;
    for (size_t k = 0; k < n; k++)
        s[k] = any ? (unsigned char)pd_random_below(r, 256)
                   : traps[pd_random_below(r, sizeof traps - 1)];
}

static void check_words(struct pd_block_words fast, struct pd_block_words plain)
{
    CU_ASSERT_EQUAL(fast.form, plain.form);
    CU_ASSERT_EQUAL(fast.digit, plain.digit);
    CU_ASSERT_EQUAL(fast.quote, plain.quote);
    CU_ASSERT_EQUAL(fast.point, plain.point);
    CU_ASSERT_EQUAL(fast.beyond, plain.beyond);
    CU_ASSERT_EQUAL(fast.lead, plain.lead);
    CU_ASSERT_EQUAL(fast.latin, plain.latin);
    CU_ASSERT_EQUAL(fast.dash, plain.dash);
    CU_ASSERT_EQUAL(fast.bar, plain.bar);
}

static void check(const unsigned char block[PD_BLOCK])
{
    unsigned char lower[PD_BLOCK], lower_plain[PD_BLOCK];
    const struct pd_block_words plain = pd_block_words_plain(block, lower_plain);
    check_words(pd_block_words(block, lower), plain);
    CU_ASSERT_EQUAL(memcmp(lower, lower_plain, PD_BLOCK), 0);
    CU_ASSERT_EQUAL(pd_block_stops(block, false), pd_block_stops_plain(block, false));
    CU_ASSERT_EQUAL(pd_block_stops(block, true), pd_block_stops_plain(block, true));
#ifdef __SSE2__
    if (pd_block_has_32()) {
        memset(lower, 0, sizeof lower);
        check_words(pd_block_words_32(block, lower), plain);
        CU_ASSERT_EQUAL(memcmp(lower, lower_plain, PD_BLOCK), 0);
        CU_ASSERT_EQUAL(pd_block_stops_32(block, false), pd_block_stops_plain(block, false));
        CU_ASSERT_EQUAL(pd_block_stops_32(block, true), pd_block_stops_plain(block, true));
    }
#endif
#ifdef PD_VECTORS
    memset(lower, 0, sizeof lower);
    check_words(pd_block_words_16(block, lower), plain);
    CU_ASSERT_EQUAL(memcmp(lower, lower_plain, PD_BLOCK), 0);
    CU_ASSERT_EQUAL(pd_block_stops_16(block, false), pd_block_stops_plain(block, false));
    CU_ASSERT_EQUAL(pd_block_stops_16(block, true), pd_block_stops_plain(block, true));
#endif
}

static void test_every_byte(void)
{
    unsigned char block[PD_BLOCK];
    for (unsigned c = 0; c < 256; c++) {
        memset(block, ' ', sizeof block);
        block[c % PD_BLOCK] = (unsigned char)c;
        check(block);
        memset(block, (int)c, sizeof block);
        check(block);
    }
}

static void test_random(void)
{
    enum { ROUNDS = 20000 };
    struct pd_random random = {64};
    unsigned char block[PD_BLOCK];
    for (int round = 0; round < ROUNDS; round++) {
        fill(&random, block, sizeof block);
        check(block);
    }
}

static void test_meaning(void)
{
    unsigned char lower[PD_BLOCK], block[PD_BLOCK] = "A.b) c:\n\xC3\xA9; d'e_9,-|";
    const struct pd_block_words w = pd_block_words(block, lower);
    CU_ASSERT_EQUAL(lower[0], 'a');
    CU_ASSERT_EQUAL(pd_block_stops(block, false), 1u << 1 | 1u << 3 | 1u << 7 | 1u << 10);
    CU_ASSERT_EQUAL(w.form, 1u << 0 | 1u << 2 | 1u << 5 | 1u << 12 | 7u << 14);
    CU_ASSERT_EQUAL(w.digit, 1u << 16);
    CU_ASSERT_EQUAL(w.quote, 1u << 13);
    CU_ASSERT_EQUAL(w.point, 1u << 1 | 1u << 17);
    CU_ASSERT_EQUAL(w.beyond, 3u << 8);
    CU_ASSERT_EQUAL(w.dash, 1u << 18);
    CU_ASSERT_EQUAL(w.bar, 1u << 19);
    block[0] = ';';
    CU_ASSERT_EQUAL(pd_block_stops(block, true) & 1, 1);
    CU_ASSERT_EQUAL(pd_block_stops(block, false) & 1, 0);
}

/* A block that the text ends in is filled up with zeros, and nothing behind the text is read. */
static void test_last_block(void)
{
    enum { LENGTH = 150 };
    struct pd_bytes text = {0};
    unsigned char copy[PD_BLOCK], lower[PD_BLOCK];
    pd_bytes_reserve(&text, LENGTH);
    memset(text.v, 'x', LENGTH);
    CU_ASSERT_PTR_EQUAL(pd_block_at(text.v, LENGTH, 70, copy), text.v + 70);
    const unsigned char *last = pd_block_at(text.v, LENGTH, 2 * PD_BLOCK, copy);
    CU_ASSERT_PTR_EQUAL(last, copy);
    CU_ASSERT_EQUAL(pd_block_words(last, lower).form, (UINT64_C(1) << LENGTH % PD_BLOCK) - 1);
    pd_bytes_release(&text);
}

static void test_find(void)
{
    enum { ROUNDS = 5000, MOST = 70 };
    struct pd_random random = {16};
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_bytes s = {0};
        const size_t n = 1 + pd_random_below(&random, MOST);
        pd_bytes_reserve(&s, n);
        fill(&random, s.v, n);
        size_t one = 0, either = 0;
        while (one < n && s.v[one] != '!')
            one++;
        while (either < n && s.v[either] != '!' && s.v[either] != 0x80)
            either++;
        CU_ASSERT_PTR_EQUAL(pd_find(s.v, s.v + n, '!'), s.v + one);
        CU_ASSERT_PTR_EQUAL(pd_find_either(s.v, s.v + n, '!', 0x80), s.v + either);
        pd_bytes_release(&s);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_every_byte), PD_TEST(test_random),
                                        PD_TEST(test_meaning),    PD_TEST(test_last_block),
                                        PD_TEST(test_find),       CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/block", tests);
}

/* Unit tests of document/page_text: masks, counts and words of the text of a page. */
#include "document/page/page_text.h"

#include <stdlib.h>

#include "document/chars.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

static struct pd_page_text text;
static struct pd_bytes bytes;
static struct pd_random random_state = {7};

static uint32_t below(uint32_t n) { return pd_random_below(&random_state, n); }

/* Fill `bytes` with words, signs, spaces and characters of several scripts. */
static void make_text(unsigned chars, bool ascii)
{
    static const uint32_t others[] = {0xA0,   0x3000, 0x2014, 0xE9,   0x4E2D, 0x3042, 0x30A2,
                                      0xFF0C, 0x3002, 0xBB,   0x20AC, 0x41F,  0x1F600};
    static const char plain[] = "abcXYZ019 \n\n\n\n\t.,!?|/>$-'_  aAe";
    bytes.n = 0;
    for (unsigned k = 0; k < chars; k++)
        pd_push_utf8(&bytes, ascii || below(4) ? (unsigned char)plain[below(sizeof plain - 1)]
                                               : others[below(sizeof others / sizeof *others)]);
    pd_page_text_release(&text);
    pd_page_text_read(&text, bytes.v, bytes.n);
}

/* A bound of characters. */
static size_t bound(void)
{
    size_t i = below((uint32_t)bytes.n + 1);
    while (i < bytes.n && (bytes.v[i] & 0xC0) == 0x80)
        i++;
    return i;
}

static void test_masks(void)
{
    unsigned char block[PD_BLOCK], lower[2][PD_BLOCK];
    for (int round = 0; round < 1000; round++) {
        for (unsigned k = 0; k < PD_BLOCK; k++)
            block[k] = (unsigned char)(round < 4 ? (unsigned)round * PD_BLOCK + k : below(256));
        const struct pd_text_masks a = pd_text_masks_of(block, lower[0]);
        const struct pd_text_masks b = pd_text_masks_plain(block, lower[1]);
        CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
        CU_ASSERT_EQUAL(memcmp(lower[0], lower[1], PD_BLOCK), 0);
    }
}

static bool is_japanese(uint32_t c) { return is_han(c) || is_hiragana(c) || is_katakana(c); }

/* Count one character after the other. */
static struct pd_text_counts count(size_t begin, size_t end, bool *inside)
{
    struct pd_text_counts n = {0};
    unsigned len;
    for (size_t i = begin; i < end; i += len) {
        const uint32_t c = char_at(bytes.v + i, &len);
        const bool wordy = c >= 0x80 || is_ascii_digit(c) || is_ascii_lower(c | 0x20);
        if (is_japanese(c) || is_white(c)) {
            n.halves += is_japanese(c);
            *inside = false;
        } else if (wordy && !*inside) {
            n.halves += 2;
            n.capitals += is_ascii_upper(c);
            *inside = true;
        }
        n.chars++;
        n.digits += is_ascii_digit(c);
        n.commas += c == ',' || c == 0xFF0C;
        n.stops += c == '.' || c == '!' || c == '?' || c == 0x3002;
        n.signs += c == '|' || c == '/' || c == '>' || c == 0xBB;
        n.prices += c == '$' || c == 0x20AC;
    }
    return n;
}

static void test_counts(void)
{
    for (int round = 0; round < 3000; round++) {
        make_text(below(300), round % 2);
        size_t begin = bound(), end = bound();
        if (begin > end) {
            const size_t swap = begin;
            begin = end;
            end = swap;
        }
        bool inside = false;
        const struct pd_text_counts want = count(begin, end, &inside);
        const struct pd_text_counts got = pd_page_text_count(&text, begin, end);
        CU_ASSERT_EQUAL(memcmp(&got, &want, sizeof got), 0);
        bool was = round % 3 == 0, is = was;
        const uint32_t halves = count(begin, end, &was).halves;
        CU_ASSERT_EQUAL(pd_page_text_halves(&text, begin, end, &is), halves);
        CU_ASSERT_EQUAL(is, was);
    }
}

static void test_block_end(void)
{
    for (int round = 0; round < 500; round++) {
        make_text(below(300), round % 2);
        const size_t begin = bound();
        size_t end = begin;
        while (end < bytes.n && memcmp(bytes.v + end, "\n\n", bytes.n - end < 2 ? 1 : 2) != 0)
            end++;
        if (end + 1 == bytes.n)
            end++;
        CU_ASSERT_EQUAL(pd_page_text_block_end(&text, begin), end);
    }
}

static void test_words(void)
{
    for (int round = 0; round < 2000; round++) {
        make_text(below(200), round % 2);
        const size_t begin = bound(), end = begin + (bytes.n - begin) / (1 + (unsigned)round % 2);
        const bool digits = round % 3;
        struct pd_page_words w = pd_page_words_of(&text, begin, end, digits);
        for (size_t i = begin; i < end;) {
            const size_t from = i;
            bool beyond = false;
            for (; i < end; i++) {
                const unsigned char c = bytes.v[i];
                if (!(c >= 0x80 || is_ascii_lower(c | 0x20u) || (digits && is_ascii_digit(c))))
                    break;
                beyond |= c >= 0x80;
            }
            if (i == from) {
                i++;
                continue;
            }
            CU_ASSERT_FATAL(pd_page_words_next(&w));
            CU_ASSERT(w.from == from && w.to == i && w.beyond == beyond);
        }
        CU_ASSERT(!pd_page_words_next(&w));
    }
}

/* A hash depends on the bytes of the word and on no others. */
static void test_hash(void)
{
    unsigned char s[80];
    for (size_t n = 1; n < 50; n++) {
        memset(s, 'a', sizeof s);
        const uint64_t hash = pd_page_word_hash(s, n);
        CU_ASSERT_NOT_EQUAL(hash, pd_page_word_hash(s, n + 1));
        for (size_t k = 0; k < sizeof s; k++) {
            s[k] = 'b';
            CU_ASSERT_EQUAL(pd_page_word_hash(s, n) == hash, k >= n);
            s[k] = 'a';
        }
    }
}

static void test_no_text(void)
{
    struct pd_page_text none;
    bool inside = false;
    pd_page_text_read(&none, NULL, 0);
    CU_ASSERT_EQUAL(pd_page_text_block_end(&none, 0), 0);
    CU_ASSERT_EQUAL(pd_page_text_count(&none, 0, 0).chars, 0);
    CU_ASSERT_EQUAL(pd_page_text_halves(&none, 0, 0, &inside), 0);
    struct pd_page_words w = pd_page_words_of(&none, 0, 0, true);
    CU_ASSERT(!pd_page_words_next(&w));
    pd_page_text_release(&none);
}

/* Bytes that are no characters are letters, also at the end. */
static void test_broken(void)
{
    static const char *const broken[] = {"\x80 a", "a\xE4\xB8", "\xF0", "\xC3"};
    for (unsigned k = 0; k < sizeof broken / sizeof *broken; k++) {
        const size_t n = strlen(broken[k]);
        unsigned char *copy = malloc(n); /* a sanitizer sees reading behind it */
        memcpy(copy, broken[k], n);
        struct pd_page_text t;
        pd_page_text_read(&t, copy, n);
        CU_ASSERT_EQUAL(pd_page_text_count(&t, 0, n).chars, n);
        pd_page_text_release(&t);
        free(copy);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_masks), PD_TEST(test_counts),  PD_TEST(test_block_end), PD_TEST(test_words),
        PD_TEST(test_hash),  PD_TEST(test_no_text), PD_TEST(test_broken),    CU_TEST_INFO_NULL};
    const int status = pd_run_tests(argc, argv, "document/page_text", tests);
    pd_page_text_release(&text);
    pd_bytes_release(&bytes);
    return status;
}

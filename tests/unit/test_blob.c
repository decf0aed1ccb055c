/* What goes into the store comes out: small and huge gaps, lengths and numbers, many documents. */
#include "pardup/store/blob.h"

#include <stdbool.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { SENTENCES_MOST = 32 };

/* Of sentence k; to be had again. */
static struct pd_fringe fringe(size_t k)
{
    return (struct pd_fringe){.words = pd_mix(k) & PD_FRINGE_WORDS,
                              .first = (uint8_t)(7 * k + 1),
                              .last = (uint8_t)(255 - k),
                              .frame = k % 5 == 1,
                              .doubtful = k % 5 == 2,
                              .linked = k % 5 == 3,
                              .stray = k % 5 == 4};
}

static void encode(const struct pd_sentence *sentences, size_t n, const struct pd_token *tokens,
                   struct pd_bytes *to)
{
    struct pd_fringe fringes[SENTENCES_MOST];
    for (size_t k = 0; k < SENTENCES_MOST; k++)
        fringes[k] = fringe(k);
    pd_blob_encode(sentences, fringes, n, tokens, to);
}

/* Mostly small numbers, now and then one that needs all its bits. */
static uint32_t some(uint64_t *seed, uint32_t huge)
{
    return pd_random_below(seed, 50) ? pd_random_below(seed, 40) : pd_random_below(seed, huge);
}

static void make(uint64_t *seed, struct pd_stored *d)
{
    uint32_t at = 0;
    const uint32_t n = pd_random_below(seed, SENTENCES_MOST);
    d->sentences.n = d->tokens.n = 0;
    for (uint32_t k = 0; k < n; k++) {
        struct pd_sentence s = {at + some(seed, 1 << 20), 0, (uint32_t)d->tokens.n,
                                1 + pd_random_below(seed, 20)};
        at = s.begin;
        for (uint32_t w = 0; w < s.nwords; w++) {
            struct pd_token t = {at + some(seed, 1 << 20), 0,
                                 some(seed, w % 2 ? UINT32_MAX : 1 << 22)};
            t.end = at = t.begin + 1 + some(seed, 1 << 20);
            pd_tokens_push(&d->tokens, t);
        }
        s.end = at = at + some(seed, 1000);
        pd_sentences_push(&d->sentences, s);
    }
}

/* Bytes of a number: seven bits each. */
static size_t varint(uint32_t x)
{
    size_t n = 1;
    for (; x >= 0x80; x >>= 7)
        n++;
    return n;
}

/*
 * Three bytes a word, or four; where number, gap or length is too large, as many more than three as
 * they need.
 */
static void test_lengths(void)
{
    struct pd_bytes store = {0};
    const struct pd_sentence s = {0, 1, 0, 1};
    for (unsigned bits = 0; bits < 32; bits++)
        for (unsigned which = 0; which < 3; which++)
            for (unsigned less = 0; less < 2; less++) {
                const uint32_t x = (UINT32_C(1) << bits) - less;
                const struct pd_token t = {which == 1 ? x : 0,
                                           which == 2   ? x
                                           : which == 1 ? x
                                                        : 0,
                                           which == 0 ? x : 0};
                const uint32_t length = t.end - t.begin;
                const bool is_short = t.term < 1 << 21 && t.begin < 7 && length < 32;
                const size_t more = is_short ? t.term >= 1 << 16
                                             : varint(t.term) + varint(t.begin) + varint(length);
                store.n = 0;
                encode(&s, 1, &t, &store);
                CU_ASSERT_EQUAL(store.n, 1 + 13 + 3 + more);
            }
    pd_bytes_release(&store);
}

static void test_roundtrip(void)
{
    enum { DOCUMENTS = 3000 };
    struct pd_bytes store = {0};
    size_t at = 0;
    struct pd_stored made = {0}, got = {0};
    uint64_t seed = 1;
    for (int k = 0; k < DOCUMENTS; k++) {
        make(&seed, &made);
        encode(made.sentences.v, made.sentences.n, made.tokens.v, &store);
    }
    seed = 1;
    for (size_t k = 0; k < DOCUMENTS; k++) {
        make(&seed, &made);
        at += pd_blob_decode(store.v + at, PD_BLOB_ALL, &got);
        const int same = got.sentences.n == made.sentences.n && got.tokens.n == made.tokens.n;
        CU_ASSERT(same);
        if (!same || !got.sentences.n)
            continue;
        CU_ASSERT_EQUAL(
            memcmp(got.sentences.v, made.sentences.v, got.sentences.n * sizeof *got.sentences.v),
            0);
        CU_ASSERT_EQUAL(memcmp(got.tokens.v, made.tokens.v, got.tokens.n * sizeof *got.tokens.v),
                        0);
    }
    CU_ASSERT_EQUAL(at, store.n);
    pd_bytes_release(&store);
    pd_stored_release(&made);
    pd_stored_release(&got);
}

/*
 * A sentence of so many words, some of four bytes, between two others. Three bytes tell gap,
 * length, words and how many bytes these have beyond three each, if none is too large; else these
 * follow.
 */
static void check_sentence(uint32_t gap, uint32_t length, uint32_t nwords, uint32_t fours,
                           bool fits)
{
    const struct pd_sentence sentences[] = {{0, 1, 0, 1},
                                            {1 + gap, 1 + gap + length, 1, nwords},
                                            {1 + gap + length, 2 + gap + length, 1 + nwords, 1}};
    struct pd_tokens tokens = {0};
    struct pd_bytes store = {0};
    struct pd_stored got = {0};
    const uint32_t bytes = 3 * nwords + fours;
    for (uint32_t k = 0; k < nwords + 2; k++) {
        const struct pd_sentence *s = &sentences[k ? k <= nwords ? 1 : 2 : 0];
        const uint32_t at = s->begin + (k - s->word);
        pd_tokens_push(&tokens, (struct pd_token){at, at + 1, 1 <= k && k <= fours ? 1 << 16 : 7});
    }
    encode(sentences, 3, tokens.v, &store);
    CU_ASSERT_EQUAL(store.n,
                    1 + 3 * 13 + 3 + bytes + 3 +
                        (fits ? 0 : varint(gap) + varint(length) + varint(nwords) + varint(fours)));
    CU_ASSERT_EQUAL(pd_blob_decode(store.v, PD_BLOB_ALL, &got), store.n);
    CU_ASSERT(memcmp(got.sentences.v, sentences, sizeof sentences) == 0);
    CU_ASSERT(memcmp(got.tokens.v, tokens.v, tokens.n * sizeof *tokens.v) == 0);
    pd_tokens_release(&tokens);
    pd_bytes_release(&store);
    pd_stored_release(&got);
}

static void test_sentence_limits(void)
{
    check_sentence(7, 511, 126, 31, true);
    check_sentence(8, 511, 126, 31, false);
    check_sentence(7, 512, 126, 31, false);
    check_sentence(7, 511, 128, 31, false);
    check_sentence(7, 511, 126, 32, false);
    check_sentence(7, 511, 127, 31, false); /* what tells that it does not fit */
    check_sentence(0, 300, 127, 0, true);
    check_sentence(1u << 30, 1u << 30, 1, 1, false);
}

/* Sentences asked for one by one, in any order and twice, have the words of the whole. */
static void test_sentence_by_sentence(void)
{
    struct pd_stored made = {0}, whole = {0}, got = {0};
    struct pd_bytes store = {0};
    uint64_t seed = 4;
    for (int round = 0; round < 200; round++) {
        make(&seed, &made);
        store.n = 0;
        encode(made.sentences.v, made.sentences.n, made.tokens.v, &store);
        pd_blob_decode(store.v, PD_BLOB_ALL, &whole);
        pd_blob_open(store.v, PD_BLOB_ALL, &got);
        for (size_t k = 0; k < 2 * made.sentences.n; k++) {
            const uint32_t which = pd_random_below(&seed, (uint32_t)made.sentences.n);
            const struct pd_sentence *s = &whole.sentences.v[which];
            pd_stored_words(&got, s->word, s->word + 1);
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, which).words, fringe(which).words);
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, which).first, fringe(which).first);
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, which).last, fringe(which).last);
            CU_ASSERT(memcmp(got.tokens.v + s->word, whole.tokens.v + s->word,
                             s->nwords * sizeof *got.tokens.v) == 0);
        }
    }
    pd_bytes_release(&store);
    pd_stored_release(&made);
    pd_stored_release(&whole);
    pd_stored_release(&got);
}

/*
 * The numbers alone are those of the words, which can be had afterwards; at the store's end nothing
 * behind is read.
 */
static void test_numbers(void)
{
    struct pd_stored made = {0}, got = {0};
    struct pd_bytes store = {0};
    uint64_t seed = 5;
    for (int round = 0; round < 2000; round++) {
        make(&seed, &made);
        store.n = 0;
        encode(made.sentences.v, made.sentences.n, made.tokens.v, &store);
        unsigned char *exact = memcpy(pd_realloc(NULL, store.n, 1), store.v, store.n);
        pd_blob_open(exact, PD_BLOB_ALL, &got);
        pd_stored_numbers(&got);
        CU_ASSERT_EQUAL_FATAL(got.numbers.n, made.tokens.n);
        for (size_t k = 0; k < got.numbers.n; k++)
            CU_ASSERT_EQUAL(got.numbers.v[k], made.tokens.v[k].term);
        for (size_t k = 0; k < PD_NUMBERS_BEHIND; k++)
            CU_ASSERT_EQUAL(got.numbers.v[got.numbers.n + k], 0);
        pd_stored_words(&got, 0, (uint32_t)got.tokens.n);
        for (size_t k = 0; k < got.tokens.n; k++)
            CU_ASSERT(memcmp(&got.tokens.v[k], &made.tokens.v[k], sizeof *got.tokens.v) == 0);
        free(exact);
    }
    pd_bytes_release(&store);
    pd_stored_release(&made);
    pd_stored_release(&got);
}

/* Without the frame, a blob is as if it had never had its sentences and words. */
static void test_without_frame(void)
{
    struct pd_stored made = {0}, rest = {0}, got = {0};
    struct pd_fringe fringes[SENTENCES_MOST];
    size_t rows[SENTENCES_MOST];
    struct pd_bytes store = {0};
    uint64_t seed = 6;
    for (int round = 0; round < 2000; round++) {
        make(&seed, &made);
        store.n = rest.sentences.n = rest.tokens.n = 0;
        for (size_t k = 0; k < made.sentences.n; k++) {
            struct pd_sentence s = made.sentences.v[k];
            fringes[k] = fringe(k);
            const uint32_t kind = pd_random_below(&seed, 5);
            fringes[k].frame = kind == 1;
            fringes[k].doubtful = kind == 2;
            fringes[k].linked = kind == 3;
            fringes[k].stray = kind == 4;
            if (fringes[k].frame)
                continue;
            rows[rest.sentences.n] = k;
            pd_tokens_append(&rest.tokens, made.tokens.v + s.word, s.nwords);
            s.word = (uint32_t)rest.tokens.n - s.nwords;
            pd_sentences_push(&rest.sentences, s);
        }
        pd_blob_encode(made.sentences.v, fringes, made.sentences.n, made.tokens.v, &store);
        CU_ASSERT_EQUAL(pd_blob_decode(store.v, PD_BLOB_WITHOUT_FRAME, &got), store.n);
        CU_ASSERT_EQUAL_FATAL(got.sentences.n, rest.sentences.n);
        CU_ASSERT_EQUAL_FATAL(got.tokens.n, rest.tokens.n);
        for (size_t k = 0; k < rest.sentences.n; k++) {
            CU_ASSERT(memcmp(&got.sentences.v[k], &rest.sentences.v[k], sizeof *got.sentences.v) ==
                      0);
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, k).words, fringe(rows[k]).words);
            CU_ASSERT(!pd_stored_fringe(&got, k).frame);
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, k).doubtful, fringes[rows[k]].doubtful);
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, k).linked, fringes[rows[k]].linked);
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, k).stray, fringes[rows[k]].stray);
        }
        for (size_t k = 0; k < rest.tokens.n; k++)
            CU_ASSERT(memcmp(&got.tokens.v[k], &rest.tokens.v[k], sizeof *got.tokens.v) == 0);
        pd_blob_open(store.v, PD_BLOB_WITHOUT_FRAME, &got);
        pd_stored_numbers(&got);
        for (size_t k = 0; k < rest.tokens.n; k++)
            CU_ASSERT_EQUAL(got.numbers.v[k], rest.tokens.v[k].term);
        pd_blob_open(store.v, PD_BLOB_ALL, &got);
        for (size_t k = 0; k < made.sentences.n; k++)
            CU_ASSERT_EQUAL(pd_stored_fringe(&got, k).frame, fringes[k].frame);
    }
    pd_bytes_release(&store);
    pd_stored_release(&made);
    pd_stored_release(&rest);
    pd_stored_release(&got);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_roundtrip),
                                        PD_TEST(test_lengths),
                                        PD_TEST(test_sentence_limits),
                                        PD_TEST(test_sentence_by_sentence),
                                        PD_TEST(test_numbers),
                                        PD_TEST(test_without_frame),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "store/blob", tests);
}

/* How far ends grow, by a full table of scores; and ends of text with errors in its letters. */
#include "pardup/passage/grow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/spelling.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { LETTERS = 400, WORDS = LETTERS, NONE = -100000 };

static struct pd_growing growing;

/* Words of a row, with the letters of all of them. */
struct text {
    uint64_t words[WORDS];
    unsigned char letters[LETTERS];
    uint32_t ends[WORDS]; /* letters up to the end of each word */
    uint32_t nwords, n;
};

/* Cut letters into words of 1 to 9 letters. */
static void cut(struct text *t, uint64_t *seed)
{
    t->nwords = 0;
    for (uint32_t at = 0; at < t->n;) {
        const uint32_t left = t->n - at, most = left < 9 ? left : 9;
        const uint32_t length = 1 + pd_random_below(seed, most);
        unsigned char word[9];
        for (uint32_t k = 0; k < length; k++)
            word[k] = (unsigned char)('A' + t->letters[at + k]);
        for (uint32_t k = 0; k < length; k++)
            t->letters[at + k] = word[k] % PD_SPELLING_CODES + 1;
        t->words[t->nwords] = pd_spelling_of(word, length);
        at += length;
        t->ends[t->nwords++] = at;
    }
}

/*
 * Random letters in a; in b the same letters, of which `errors` of 100 are changed, lost or new, and
 * `burst` in a row.
 */
static void make_texts(struct text *a, struct text *b, uint32_t errors, uint32_t burst,
                       uint64_t *seed)
{
    a->n = 200 + pd_random_below(seed, LETTERS / 2);
    b->n = 0;
    const uint32_t from = 60 + pd_random_below(seed, 80);
    for (uint32_t k = 0; k < a->n; k++) {
        a->letters[k] = (unsigned char)pd_random_below(seed, 26);
        const bool lost = k >= from && k < from + burst;
        const bool wrong = pd_random_below(seed, 100) < errors;
        const uint32_t how = lost ? 1 : wrong ? pd_random_below(seed, 3) : 3; /* 3: it stays */
        if (how != 0 && b->n < LETTERS)
            b->letters[b->n++] =
                how == 1 ? (unsigned char)pd_random_below(seed, 26) : a->letters[k];
        if (how == 2 && b->n < LETTERS)
            b->letters[b->n++] = (unsigned char)pd_random_below(seed, 26);
    }
    cut(a, seed);
    cut(b, seed);
}

static int most_of(int x, int y) { return x > y ? x : y; }

/* The edits of the first n letters of a and a prefix of b, at least. */
static uint32_t edits_of(const struct text *a, const struct text *b, uint32_t n)
{
    static int table[LETTERS + 1][LETTERS + 1];
    int least = (int)n;
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= b->n; j++) {
            int edits = i == 0 ? (int)j : j == 0 ? (int)i : 100000;
            if (i > 0 && j > 0) {
                edits = table[i - 1][j - 1] + (a->letters[i - 1] != b->letters[j - 1]);
                edits = edits < table[i - 1][j] + 1 ? edits : table[i - 1][j] + 1;
                edits = edits < table[i][j - 1] + 1 ? edits : table[i][j - 1] + 1;
            }
            table[i][j] = edits;
            if (i == n && edits < least)
                least = edits;
        }
    return (uint32_t)least;
}

static uint32_t whole_words(const struct text *t, uint32_t letters)
{
    uint32_t n = 0;
    while (n < t->nwords && t->ends[n] <= letters)
        n++;
    return n;
}

/* The definition, step by step. */
static struct pd_growth slow(const struct text *a, const struct text *b)
{
    static int table[LETTERS + 1][LETTERS + 1];
    const uint32_t shorter = a->n < b->n ? a->n : b->n, n = shorter < 48 ? shorter : 48;
    int best = 0;
    uint32_t best_i = 0, best_j = 0;
    if (n < PD_GROW_LEAST || 8 * edits_of(a, b, n) > 5 * n)
        return (struct pd_growth){0, 0};
    for (uint32_t i = 0; i <= a->n; i++) {
        int most = NONE;
        for (uint32_t j = 0; j <= b->n; j++) {
            int score = i == 0 && j == 0 ? 0 : NONE;
            if (i > 0)
                score = most_of(score, table[i - 1][j] - 1);
            if (j > 0)
                score = most_of(score, table[i][j - 1] - 1);
            if (i > 0 && j > 0)
                score = most_of(score, table[i - 1][j - 1] +
                                           (a->letters[i - 1] == b->letters[j - 1] ? 1 : -1));
            table[i][j] = abs((int)i - (int)j) > PD_GROW_BAND ? NONE : score;
            most = most_of(most, table[i][j]);
            if (i > 0 && table[i][j] > best) {
                best = table[i][j];
                best_i = i;
                best_j = j;
            }
        }
        if (i > 0 && most < best - 20 - (best / 2 < 60 ? best / 2 : 60))
            break;
    }
    const struct pd_growth growth = {whole_words(a, best_i), whole_words(b, best_j)};
    return best < PD_GROW_LEAST || !growth.a || !growth.b ? (struct pd_growth){0, 0} : growth;
}

static struct pd_growth grow(const struct text *a, const struct text *b)
{
    return pd_grow(&growing, (struct pd_beyond_words){a->words, a->nwords, 1},
                   (struct pd_beyond_words){b->words, b->nwords, 1});
}

static void test_by_definition(void)
{
    static struct text a, b;
    uint64_t seed = 1;
    uint32_t grown = 0;
    for (int round = 0; round < 300; round++) {
        make_texts(&a, &b, (uint32_t)round / 4, (uint32_t)round % 130, &seed);
        const struct pd_growth expected = slow(&a, &b), got = grow(&a, &b);
        CU_ASSERT(got.a == expected.a && got.b == expected.b);
        grown += got.a > 0;
    }
    CU_ASSERT(grown > 100 && grown < 290);
}

/* Letters that one side has lost: the growth goes on behind as many as the band is wide, and no more. */
static void test_band(void)
{
    enum { KEPT = 120 };
    static struct text sides[2];
    uint64_t seed = 3;
    for (uint32_t lost = PD_GROW_BAND - 2; lost <= PD_GROW_BAND + 2; lost++)
        for (int side = 0; side < 2; side++) {
            struct text *whole = &sides[side], *part = &sides[!side];
            whole->n = LETTERS;
            part->n = LETTERS - lost;
            for (uint32_t k = 0; k < LETTERS; k++)
                whole->letters[k] = (unsigned char)pd_random_below(&seed, 26);
            memcpy(part->letters, whole->letters, KEPT);
            memcpy(part->letters + KEPT, whole->letters + KEPT + lost, part->n - KEPT);
            cut(whole, &seed);
            cut(part, &seed);
            const struct pd_growth expected = slow(&sides[0], &sides[1]);
            const struct pd_growth got = grow(&sides[0], &sides[1]);
            CU_ASSERT(got.a == expected.a && got.b == expected.b);
            CU_ASSERT((got.a == sides[0].nwords) == (lost <= PD_GROW_BAND));
        }
}

/* A tenth of the letters is wrong: both grow to their end, or nearly. */
static void test_errors(void)
{
    static struct text a, b;
    uint64_t seed = 2;
    make_texts(&a, &b, 10, 0, &seed);
    const struct pd_growth got = grow(&a, &b);
    CU_ASSERT(got.a + 2 >= a.nwords && got.b + 2 >= b.nwords);
}

/* Before a span, words and letters are read backward. */
static void test_back(void)
{
    const char *const words[2][5] = {{"quite", "other", "the", "brown", "foxjumped"},
                                     {"hidden", "thing", "thebr", "ownfox", "jumped"}};
    uint64_t spellings[2][5];
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 5; k++)
            spellings[side][k] =
                pd_spelling_of((const unsigned char *)words[side][k], strlen(words[side][k]));
    const struct pd_growth got =
        pd_grow(&growing, (struct pd_beyond_words){&spellings[0][4], 5, -1},
                (struct pd_beyond_words){&spellings[1][4], 5, -1});
    CU_ASSERT_EQUAL(got.a, 3);
    CU_ASSERT_EQUAL(got.b, 3);
}

/* A letter is the last byte of its character, and twelve letters of a word count. */
static void test_spelling(void)
{
    const unsigned char word[] = "\xc3\xa9t\xc3\xa9"; /* e with an acute accent is c3 a9 */
    const uint64_t e = 0xA9 % 31 + 1, t = 't' % 31 + 1;
    CU_ASSERT_EQUAL(pd_spelling_of(word, 5), e | t << 5 | e << 10);
    CU_ASSERT_EQUAL(pd_spelling_of((const unsigned char *)"abcdefghijklmnop", 16),
                    pd_spelling_of((const unsigned char *)"abcdefghijkl", 12));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_by_definition), PD_TEST(test_band),
                                        PD_TEST(test_errors),        PD_TEST(test_back),
                                        PD_TEST(test_spelling),      CU_TEST_INFO_NULL};
    const int status = pd_run_tests(argc, argv, "passage/grow", tests);
    pd_growing_release(&growing);
    return status;
}

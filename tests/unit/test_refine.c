/* Copies that are hidden in random text: their ends, whatever happened to the copied words. */
#include "pardup/passage/refine.h"

#include <stdlib.h>

#include "pardup/base/hash.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { WORDS = 1200, COPY = 80, AT_A = 500, AT_B = 700 };

static uint64_t a[WORDS], b[WORDS];
static struct pd_refining refining;

/* Words that occur nowhere else: of the greatest rarity. */
static void make_texts(uint64_t seed)
{
    for (size_t k = 0; k < WORDS; k++) {
        a[k] = pd_refine_word(pd_mix(seed + 2 * k), 0);
        b[k] = pd_refine_word(pd_mix(seed + 2 * k + 1), 0);
    }
}

/* Refine the region of `length` words that lies in the middle of the copy. */
static void refine(uint32_t length, struct pd_passages *found)
{
    const struct pd_passage region = {.a = 1,
                                      .b = 2,
                                      .start_a = AT_A + COPY / 2,
                                      .start_b = AT_B + COPY / 2,
                                      .length_a = length,
                                      .length_b = length};
    const uint32_t from_a = region.start_a - PD_REFINE_MARGIN;
    const uint32_t from_b = region.start_b - PD_REFINE_MARGIN;
    const struct pd_window window_a = {a + from_a, WORDS - from_a, from_a, NULL};
    const struct pd_window window_b = {b + from_b, WORDS - from_b, from_b, NULL};
    found->n = 0;
    pd_refine_region(&refining, &region, &window_a, &window_b);
    pd_refine_pair(&refining, 1, 2, found);
}

/* Two words behind the copy one more word is the same: it belongs to no run of words. */
static void test_verbatim(void)
{
    struct pd_passages found = {0};
    make_texts(1);
    memcpy(b + AT_B, a + AT_A, COPY * sizeof *a);
    b[AT_B + COPY + 1] = a[AT_A + COPY + 1];
    refine(1, &found);
    CU_ASSERT_EQUAL_FATAL(found.n, 1);
    const struct pd_passage expected = {1, 2, AT_A, AT_B, COPY, COPY, COPY, 0, 1};
    CU_ASSERT(memcmp(&found.v[0], &expected, sizeof expected) == 0);
    CU_ASSERT_EQUAL(refining.spans.n, 0);
    refine(1, &found); /* nothing is left of the pair before */
    CU_ASSERT_EQUAL(found.n, 1);
    pd_passages_release(&found);
}

/*
 * A quotation of frequent words, which say about two bits each: too little for a span of edited
 * text. Nine words are too few.
 */
static void test_quotation(void)
{
    struct pd_passages found = {0};
    for (uint32_t length = 9; length <= 12; length += 3) {
        make_texts(7);
        for (uint32_t k = 0; k < length; k++)
            a[AT_A + 36 + k] = b[AT_B + 36 + k] =
                pd_refine_word(pd_mix(5000 + 16 * k), PD_REFINE_COMMONNESS - 3);
        refine(3, &found);
        CU_ASSERT_EQUAL_FATAL(found.n, length == 12);
    }
    const struct pd_passage expected = {1, 2, AT_A + 36, AT_B + 36, 12, 12, 12, 0, 1};
    CU_ASSERT(memcmp(&found.v[0], &expected, sizeof expected) == 0);
    pd_passages_release(&found);
}

/* Twenty words that say nothing, as in a small collection, are a copy if they are in order. */
static void test_small_collection(void)
{
    struct pd_passages found = {0};
    make_texts(8);
    for (uint32_t k = 0; k < 20; k++)
        a[AT_A + 30 + k] = b[AT_B + 30 + k] =
            pd_refine_word(pd_mix(7000 + 16 * k), PD_REFINE_COMMONNESS);
    refine(3, &found);
    CU_ASSERT_EQUAL_FATAL(found.n, 1);
    CU_ASSERT_EQUAL(found.v[0].start_a, AT_A + 30);
    CU_ASSERT_EQUAL(found.v[0].length_a, 20);
    pd_passages_release(&found);
}

/* Spans of 10 words, 30 words apart in a; y and z may lie elsewhere in b. */
static size_t grown(struct pd_growth ahead, struct pd_growth back, uint32_t at_b,
                    struct pd_passages *found)
{
    struct pd_span x = {100, 10, 10, 10, 10, 9, PD_SPAN_EVEN, {0}, {0}, false}, y = x;
    x.ahead = ahead;
    y.start_a = 50;
    y.start_b = at_b;
    y.back = back;
    found->n = 0;
    pd_spans_push(&refining.spans, x);
    pd_spans_push(&refining.spans, y);
    pd_refine_pair(&refining, 1, 2, found);
    return found->n;
}

/* How spans grow, and which become one: see pd_refine_pair(). */
static void test_growing(void)
{
    struct pd_passages found = {0};
    const struct pd_growth none = {0, 0};
    CU_ASSERT_EQUAL(grown((struct pd_growth){30, 29}, none, 50, &found), 2); /* it comes up to y */
    CU_ASSERT(found.v[0].length_a == 40 && found.v[0].length_b == 39 && found.v[0].matched == 9);
    CU_ASSERT(found.v[0].similarity > 0.23 && found.v[0].similarity < 0.24);
    CU_ASSERT_EQUAL(grown((struct pd_growth){31, 31}, none, 50, &found), 1);
    CU_ASSERT(found.v[0].start_a == 10 && found.v[0].length_a == 50 && found.v[0].length_b == 50 &&
              found.v[0].matched == 18);
    CU_ASSERT_EQUAL(grown(none, (struct pd_growth){31, 31}, 50, &found), 1);
    CU_ASSERT_EQUAL(grown((struct pd_growth){31, 30}, none, 50, &found), 2); /* over y in a alone */
    CU_ASSERT(found.v[0].length_a == 10 && found.v[0].length_b == 10);
    CU_ASSERT_EQUAL(grown((struct pd_growth){20, 20}, (struct pd_growth){20, 20}, 50, &found), 1);
    CU_ASSERT_EQUAL(grown((struct pd_growth){20, 10}, (struct pd_growth){20, 10}, 50, &found), 2);
    CU_ASSERT(found.v[0].length_a == 30 && found.v[1].length_a == 10);
    CU_ASSERT_EQUAL(grown((struct pd_growth){31, 31}, none, 200, &found), 2);
    CU_ASSERT_EQUAL(grown((struct pd_growth){9, 9}, (struct pd_growth){9, 9}, 200, &found), 2);
    CU_ASSERT(found.v[1].start_a == 41 && found.v[1].start_b == 191 && found.v[1].length_a == 19);
    pd_passages_release(&found);
}

/* A span of n words from `start` on in both documents. */
static struct pd_span span(enum pd_span_kind kind, int64_t score, uint32_t start, uint32_t n)
{
    return (struct pd_span){score, start, start, n, n, n, kind, {0}, {0}, false};
}

/* Which of two spans is chosen: 0 or 1. */
static int chosen_of(struct pd_span x, struct pd_span y)
{
    struct pd_passages found = {0};
    pd_spans_push(&refining.spans, x);
    pd_spans_push(&refining.spans, y);
    pd_refine_pair(&refining, 1, 2, &found);
    CU_ASSERT_EQUAL_FATAL(found.n, 1);
    const int chosen = found.v[0].start_a == y.start_a;
    pd_passages_release(&found);
    return chosen;
}

/* What a literal span replaces: see pd_refine_pair(). */
static void test_literal_replaces(void)
{
    const struct pd_span even = span(PD_SPAN_EVEN, 100, 10, 20);
    const struct pd_span uneven = span(PD_SPAN_UNEVEN, 1000, 10, 20);
    CU_ASSERT_EQUAL(chosen_of(even, span(PD_SPAN_LITERAL, 99, 20, 29)), 0); /* 19 words are left */
    CU_ASSERT_EQUAL(chosen_of(even, span(PD_SPAN_LITERAL, 100, 20, 40)), 1);
    CU_ASSERT_EQUAL(chosen_of(even, span(PD_SPAN_LITERAL, 50, 9, 21)), 1);
    CU_ASSERT_EQUAL(chosen_of(uneven, span(PD_SPAN_LITERAL, 50, 20, 10)), 1);
    CU_ASSERT_EQUAL(chosen_of(uneven, span(PD_SPAN_LITERAL, 50, 20, 9)), 0);
}

/* The passage of a literal span beside an even span at 100; zeroes: it has none. */
static struct pd_passage beside_even(struct pd_span literal)
{
    struct pd_passages found = {0};
    struct pd_passage it = {0};
    pd_spans_push(&refining.spans, span(PD_SPAN_EVEN, 1000, 100, 50));
    pd_spans_push(&refining.spans, literal);
    pd_refine_pair(&refining, 1, 2, &found);
    for (size_t k = 0; k < found.n; k++)
        if (found.v[k].start_a != 100)
            it = found.v[k];
    pd_passages_release(&found);
    return it;
}

/* A literal span whose end overlaps a better span is shortened: see pd_refine_pair(). */
static void test_literal_shortened(void)
{
    struct pd_span ahead = span(PD_SPAN_LITERAL, 500, 60, 42),
                   back = span(PD_SPAN_LITERAL, 500, 147, 23);
    struct pd_passage it = beside_even(ahead);
    CU_ASSERT(it.start_a == 60 && it.start_b == 60 && it.length_a == 40 && it.length_b == 40 &&
              it.matched == 40);
    ahead.start_b = 65; /* seven words overlap there: they go from both sides */
    it = beside_even(ahead);
    CU_ASSERT(it.start_a == 60 && it.start_b == 65 && it.length_a == 35 && it.length_b == 35);
    ahead.start_b = 101; /* it begins behind the begin of the other span in b alone */
    CU_ASSERT_EQUAL(beside_even(ahead).length_a, 0);
    back.ahead = back.back = (struct pd_growth){5, 5};
    it = beside_even(back);
    CU_ASSERT(it.start_a == 150 && it.length_a == 25); /* it still grows at the other end */
    back.length_a = 22;
    CU_ASSERT_EQUAL(beside_even(back).length_a, 0); /* 19 words are left */
}

/* Every third word is replaced, and words are exchanged within ten. The outermost words stay. */
static void test_edited(void)
{
    struct pd_passages found = {0};
    uint64_t seed = 2;
    make_texts(3);
    for (uint32_t k = 0; k < COPY; k++)
        if (k % 3 || k == 0 || k + 1 == COPY)
            b[AT_B + k] = a[AT_A + k];
    for (uint32_t k = 10; k + 20 < COPY; k++) {
        const uint32_t other = k + pd_random_below(&seed, 10);
        const uint64_t word = b[AT_B + k];
        b[AT_B + k] = b[AT_B + other];
        b[AT_B + other] = word;
    }
    refine(3, &found);
    CU_ASSERT_EQUAL_FATAL(found.n, 1);
    CU_ASSERT_EQUAL(found.v[0].start_a, AT_A);
    CU_ASSERT_EQUAL(found.v[0].start_b, AT_B);
    CU_ASSERT_EQUAL(found.v[0].length_a, COPY);
    CU_ASSERT_EQUAL(found.v[0].length_b, COPY);
    CU_ASSERT(found.v[0].similarity > 0.6 && found.v[0].similarity < 0.8);
    pd_passages_release(&found);
}

/* Three words of a region agree, and around them a letter of every word but those is wrong. */
static void test_misread(void)
{
    static uint64_t spelled[2][WORDS];
    struct pd_passages found = {0};
    uint64_t seed = 10;
    make_texts(11);
    for (uint32_t k = 0; k < WORDS; k++)
        for (int side = 0; side < 2; side++)
            for (int letter = 0; letter < 6; letter++)
                spelled[side][k] |= (uint64_t)(1 + pd_random_below(&seed, 31)) << 5 * letter;
    for (uint32_t k = 0; k < COPY; k++)
        spelled[1][AT_B + k] = spelled[0][AT_A + k] ^ (k % 40 < 3 ? 0 : 1);
    for (uint32_t k = 40; k < 43; k++)
        b[AT_B + k] = a[AT_A + k];
    const struct pd_passage region = {1, 2, AT_A + 40, AT_B + 40, 3, 3, 3, 0, 1};
    for (int spells = 0; spells < 2; spells++) {
        const struct pd_window x = {a, WORDS, 0, spells ? spelled[0] : NULL};
        const struct pd_window y = {b, WORDS, 0, spells ? spelled[1] : NULL};
        found.n = 0;
        pd_refine_region(&refining, &region, &x, &y);
        pd_refine_pair(&refining, 1, 2, &found);
        CU_ASSERT_EQUAL_FATAL(found.n, (size_t)spells);
    }
    CU_ASSERT_EQUAL(found.v[0].start_a, AT_A);
    CU_ASSERT_EQUAL(found.v[0].start_b, AT_B);
    CU_ASSERT_EQUAL(found.v[0].length_a, COPY);
    CU_ASSERT_EQUAL(found.v[0].length_b, COPY);
    CU_ASSERT_EQUAL(found.v[0].matched, 3);
    pd_passages_release(&found);
}

/*
 * Six runs of four words stand in both texts, from the last to the first in one of them: too few
 * agree in order, so they must say much. About 3 bits a word are too little, 6 bits are enough.
 */
static void test_unlike(void)
{
    struct pd_passages found = {0};
    for (unsigned commonness = 6; commonness <= 10; commonness += 4) {
        make_texts(9);
        for (uint32_t k = 0; k < 24; k++) {
            const uint64_t word = pd_refine_word(pd_mix(9000 + 16 * k), commonness);
            a[AT_A + 30 + k] = word;
            b[AT_B + 30 + 20 - k / 4 * 4 + k % 4] = word;
        }
        refine(3, &found);
        CU_ASSERT_EQUAL(found.n, commonness == 6);
    }
    pd_passages_release(&found);
}

/* The words of a copy stand in another order: they are a list of words, no copy. */
static void test_scattered(void)
{
    struct pd_passages found = {0};
    make_texts(4);
    for (uint32_t k = 0; k < COPY; k += 2)
        b[AT_B + k] = a[AT_A + (k * 37 + 11) % COPY];
    refine(3, &found);
    CU_ASSERT_EQUAL(found.n, 0);
    pd_passages_release(&found);
}

/* Forty words of a stand in runs of four among 400 words of b. */
static void test_summary(void)
{
    struct pd_passages found = {0};
    make_texts(5);
    for (uint32_t k = 0; k < COPY; k++)
        b[AT_B + 40 - 200 + (k / 4) * 20 + k % 4] = a[AT_A + k];
    refine(4, &found);
    CU_ASSERT_EQUAL_FATAL(found.n, 1);
    CU_ASSERT_EQUAL(found.v[0].start_a, AT_A);
    CU_ASSERT_EQUAL(found.v[0].length_a, COPY);
    CU_ASSERT_EQUAL(found.v[0].start_b, AT_B + 40 - 200);
    CU_ASSERT_EQUAL(found.v[0].length_b, 19 * 20 + 4);
    CU_ASSERT_EQUAL(found.v[0].matched, COPY);
    pd_passages_release(&found);
}

/*
 * Which floor do the spans of the region in the middle of the texts miss? Returns the fate of the span
 * with the greatest score.
 */
static struct pd_tried nearest(void)
{
    struct pd_passages found = {0};
    struct pd_trieds tried = {0};
    struct pd_tried best = {.span.score = -1};
    refining.tried = &tried;
    refine(3, &found);
    refining.tried = NULL;
    for (size_t k = 0; k < tried.n; k++)
        if (tried.v[k].fate != PD_SPAN_STILL && tried.v[k].span.score > best.span.score)
            best = tried.v[k];
    CU_ASSERT_EQUAL(found.n > 0, best.fate == PD_SPAN_KEPT);
    CU_ASSERT(best.fate == PD_SPAN_KEPT || best.has < best.needs);
    CU_ASSERT_FATAL(tried.n > 0);
    CU_ASSERT(found.n > 0 || tried.v[tried.n - 1].fate == PD_SPAN_STILL); /* it is tried last */
    pd_trieds_release(&tried);
    pd_passages_release(&found);
    return best;
}

/* Who asks is told of each span that was tried the first floor that it misses. */
static void test_tried(void)
{
    make_texts(12);
    memcpy(b + AT_B, a + AT_A, COPY * sizeof *a);
    CU_ASSERT_EQUAL(nearest().fate, PD_SPAN_KEPT);
    make_texts(12);
    memcpy(b + AT_B + 39, a + AT_A + 39, 9 * sizeof *a);
    CU_ASSERT_EQUAL(nearest().fate, PD_SPAN_SHORT);
    CU_ASSERT_EQUAL(nearest().has, 9);
    make_texts(12);
    for (uint32_t k = 0; k < COPY; k += 2)
        b[AT_B + k] = a[AT_A + (k * 37 + 11) % COPY];
    CU_ASSERT_EQUAL(nearest().fate, PD_SPAN_LOOSE);
    make_texts(12);
    for (uint32_t k = 0; k < 24; k++) /* six runs of four words, from the last to the first */
        a[AT_A + 30 + k] = b[AT_B + 30 + 20 - k / 4 * 4 + k % 4] =
            pd_refine_word(pd_mix(9000 + 16 * k), 10);
    CU_ASSERT_EQUAL(nearest().fate, PD_SPAN_UNLIKE);
    CU_ASSERT_EQUAL(nearest().needs, 2720);
}

/* Nothing is found between texts that share frequent words only. */
static void test_frequent_words(void)
{
    struct pd_passages found = {0};
    uint64_t seed = 6;
    for (size_t k = 0; k < WORDS; k++) {
        a[k] = pd_refine_word(pd_mix(pd_random_below(&seed, 50)), PD_REFINE_COMMONNESS);
        b[k] = pd_refine_word(pd_mix(pd_random_below(&seed, 50)), PD_REFINE_COMMONNESS);
    }
    refine(10, &found);
    CU_ASSERT_EQUAL(found.n, 0);
    pd_passages_release(&found);
}

/* floor(16 log2(n)): the greatest k with 2^k <= n^16, here for n^16 that fit into 128 bits. */
static void test_log2(void)
{
    for (uint64_t n = 1; n < 256; n++) {
        unsigned __int128 power = 1;
        int log = 0;
        for (int k = 0; k < 16; k++)
            power *= n;
        while (power >> log > 1)
            log++;
        CU_ASSERT_EQUAL(pd_log2_sixteenths(n), log);
    }
    CU_ASSERT_EQUAL(pd_log2_sixteenths((uint64_t)1 << 40), 640);
    CU_ASSERT_EQUAL(pd_log2_sixteenths(UINT64_MAX), 1023);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_verbatim),
                                        PD_TEST(test_edited),
                                        PD_TEST(test_unlike),
                                        PD_TEST(test_tried),
                                        PD_TEST(test_scattered),
                                        PD_TEST(test_growing),
                                        PD_TEST(test_misread),
                                        PD_TEST(test_summary),
                                        PD_TEST(test_frequent_words),
                                        PD_TEST(test_log2),
                                        PD_TEST(test_quotation),
                                        PD_TEST(test_small_collection),
                                        PD_TEST(test_literal_replaces),
                                        PD_TEST(test_literal_shortened),
                                        CU_TEST_INFO_NULL};
    const int status = pd_run_tests(argc, argv, "passage/refine", tests);
    pd_refining_release(&refining);
    return status;
}

/* The words around a passage, by hand and against counting words one by one. */
#include "pardup/passage/ends.h"

#include <string.h>

#include "pardup/passage/edges.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { UNITS = 12 };

/* Units of 1 to 6 words each; word k stands at bytes [10 k, 10 k + 9). */
static uint32_t make_units(struct pd_sentences *units, uint64_t *seed)
{
    uint32_t word = 0;
    units->n = 0;
    for (int k = 0; k < UNITS; k++) {
        const uint32_t n = 1 + pd_random_below(seed, 6);
        pd_sentences_push(units, (struct pd_sentence){10 * word, 10 * (word + n) - 1, word, n});
        word += n;
    }
    return word;
}

static uint32_t words_of(const struct pd_sentences *units, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t k = from; k < to; k++)
        n += units->v[k].nwords;
    return n;
}

static void test_all_passages(void)
{
    struct pd_sentences units = {0};
    uint64_t seed = 7;
    for (int round = 0; round < 20; round++) {
        const uint32_t nwords = make_units(&units, &seed);
        for (uint32_t start = 0; start < UNITS; start++)
            for (uint32_t length = 1; start + length <= UNITS; length++) {
                const uint32_t end = start + length;
                const struct pd_aside_runs none = {0};
                const struct pd_ends near = pd_ends_of(&units, nwords, &none, start, length, false);
                const struct pd_ends far = pd_ends_of(&units, nwords, &none, start, length, true);
                CU_ASSERT_EQUAL(near.own, pd_ij(units.v[start].word,
                                                units.v[end - 1].word + units.v[end - 1].nwords));
                CU_ASSERT_EQUAL(near.inside, words_of(&units, start, end));
                CU_ASSERT_EQUAL(near.back.n, words_of(&units, 0, start));
                CU_ASSERT_EQUAL(near.ahead.n, words_of(&units, end, UNITS));
                CU_ASSERT_EQUAL(near.back.near, start ? units.v[start - 1].nwords : 0);
                CU_ASSERT_EQUAL(near.ahead.near, end < UNITS ? units.v[end].nwords : 0);
                CU_ASSERT(far.back.near == far.back.n && far.ahead.near == far.ahead.n);
                if (near.back.n)
                    CU_ASSERT_EQUAL(pd_edge_word(&near.back, PD_BACK, near.back.n - 1), 0);
                if (near.ahead.n)
                    CU_ASSERT_EQUAL(pd_edge_word(&near.ahead, PD_AHEAD, near.ahead.n - 1),
                                    nwords - 1);
                const uint64_t bytes = pd_units_bytes(&units, start, length);
                CU_ASSERT_EQUAL(bytes >> 32, units.v[start].begin);
                CU_ASSERT_EQUAL((uint32_t)bytes, units.v[end - 1].end);
            }
    }
    pd_sentences_release(&units);
}

static void test_compared(void)
{
    const struct pd_edge_side side = {.nearest = 0, .n = 9, .near = 4}, none = {0};
    const struct pd_edge_side long_side = {.n = 1u << 20, .near = 1u << 20};
    CU_ASSERT_EQUAL(pd_edge_compared(&side, 0), 0); /* the other document ends there */
    CU_ASSERT_EQUAL(pd_edge_compared(&side, 2), 4); /* own neighbour is longer */
    CU_ASSERT_EQUAL(pd_edge_compared(&side, 6), 6);
    CU_ASSERT_EQUAL(pd_edge_compared(&side, 60), 9);
    CU_ASSERT_EQUAL(pd_edge_compared(&none, 60), 0);
    CU_ASSERT_EQUAL(pd_edge_compared(&long_side, 1), PD_EDGE_WORDS);
}

/* Set some units aside: the words of all of them, as runs and one by one. */
static void set_aside(const struct pd_sentences *units, uint64_t *seed, struct pd_aside_runs *runs,
                      bool *aside)
{
    runs->n = 0;
    for (int k = 0; k < UNITS; k++) {
        const struct pd_sentence *u = &units->v[k];
        const bool is = pd_random_below(seed, 3) == 0;
        memset(aside + u->word, is, u->nwords);
        if (is)
            pd_aside_add(runs, u->word, u->word + u->nwords);
    }
}

static uint32_t count_own(const bool *aside, uint32_t word)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < word; k++)
        n += !aside[k];
    return n;
}

/* Edges end where text is set aside, and own words are counted without it. */
static void test_text_set_aside(void)
{
    struct pd_sentences units = {0};
    struct pd_aside_runs runs = {0};
    bool aside[UNITS * 6];
    uint64_t seed = 11;
    for (int round = 0; round < 200; round++) {
        const uint32_t nwords = make_units(&units, &seed);
        const uint32_t start = pd_random_below(&seed, UNITS);
        const uint32_t length = 1 + pd_random_below(&seed, UNITS - start);
        const uint32_t from = units.v[start].word;
        const uint32_t to = units.v[start + length - 1].word + units.v[start + length - 1].nwords;
        uint32_t back = 0, ahead = 0;
        set_aside(&units, &seed, &runs, aside);
        while (back < from && !aside[from - 1 - back])
            back++;
        while (to + ahead < nwords && !aside[to + ahead])
            ahead++;
        const struct pd_ends near = pd_ends_of(&units, nwords, &runs, start, length, false);
        const struct pd_ends far = pd_ends_of(&units, nwords, &runs, start, length, true);
        CU_ASSERT(near.back.n == back && far.back.n == back && far.back.near == back);
        CU_ASSERT(near.ahead.n == ahead && far.ahead.n == ahead && far.ahead.near == ahead);
        CU_ASSERT(near.back.near <= back && near.ahead.near <= ahead);
        CU_ASSERT(back == 0 || near.back.near == units.v[start - 1].nwords);
        CU_ASSERT_EQUAL(near.inside, to - from);
        CU_ASSERT_EQUAL(near.own, pd_ij(count_own(aside, from), count_own(aside, to)));
        for (uint32_t word = 0; word <= nwords; word++)
            CU_ASSERT_EQUAL(pd_own_words(&runs, word), count_own(aside, word));
    }
    pd_sentences_release(&units);
    pd_aside_runs_release(&runs);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_all_passages), PD_TEST(test_text_set_aside),
                                        PD_TEST(test_compared), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/ends", tests);
}

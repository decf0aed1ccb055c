/* tests/unit/test_word_bits.c - a set of words has each of its words, and few others. */
#include "run/job/dedup/word_bits.h"

#include "pd_cunit.h"
#include "pd_random.h"

enum { ROUNDS = 200, MOST = 3000, PER_WORD = 8, OTHERS = 1000 };

static uint64_t word(uint64_t seed, size_t k)
{
    uint64_t state = seed * MOST + k + 1;
    return pd_random(&state);
}

static void test_has_its_words(void)
{
    struct pd_word_bits set = {.log = 0};
    uint64_t seed = 7;
    size_t others = 0, asked = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const size_t n = round < 3 ? (size_t)round : pd_random_below(&seed, MOST);
        pd_word_bits_begin(&set, n, PER_WORD);
        CU_ASSERT_TRUE(8 * set.v.n >= PER_WORD * n && 8 * set.v.n < 64 + 2 * PER_WORD * (n + 1));
        for (size_t k = 0; k < n; k++)
            pd_word_bits_add(&set, word(round, k));
        const struct pd_word_set asked_set = {set.v.v, set.log};
        for (size_t k = 0; k < n; k++)
            CU_ASSERT_TRUE(pd_word_set_may_have(asked_set, word(round, k)));
        for (size_t k = 0; k < OTHERS; k++)
            others += pd_word_set_may_have(asked_set, word(round + ROUNDS, MOST + k));
        asked += OTHERS;
    }
    CU_ASSERT_TRUE(others < asked / PER_WORD);
    pd_bytes_release(&set.v);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_has_its_words), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/job/dedup/word_bits", tests);
}

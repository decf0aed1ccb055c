/* The share of a document, against a count word by word. */
#include "pardup/passage/share.h"

#include <math.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { WORDS = 60, PASSAGES_MOST = 5, ROUNDS = 3000 };

static uint64_t seed = 5;
static uint32_t below(uint32_t n) { return pd_random_below(&seed, n); }

/* The share by a mark for each word. */
static struct pd_share slow(const uint64_t *passages, size_t n, uint32_t words, const bool *away)
{
    struct pd_share share = {0, 0};
    for (uint32_t w = 0; w < words; w++) {
        bool covered = false;
        for (size_t k = 0; k < n; k++)
            covered |= passages[k] >> 32 <= w && w < (uint32_t)passages[k];
        share.all += !away[w];
        share.covered += covered && !away[w];
    }
    return share;
}

static void test_random(void)
{
    struct pd_aside_runs aside = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t words = below(WORDS + 1), n = below(PASSAGES_MOST + 1);
        uint64_t passages[PASSAGES_MOST];
        bool away[WORDS] = {false};
        aside.n = 0;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t begin = below(words + 1);
            passages[k] = pd_ij(begin, begin + below(words + 1 - begin));
        }
        for (uint32_t at = below(20), end; at < words && round % 3; at = end + below(10)) {
            end = at + 1 + below(words - at < 10 ? words - at : 10);
            pd_aside_add(&aside, at, end);
            memset(away + at, true, end - at);
        }
        const struct pd_share want = slow(passages, n, words, away);
        const struct pd_share got = pd_share_of_words(passages, n, words, &aside);
        CU_ASSERT_EQUAL(got.covered, want.covered);
        CU_ASSERT_EQUAL(got.all, want.all);
    }
    pd_aside_runs_release(&aside);
}

/* Nothing, all, all but what is set aside, and nothing but what is set aside. */
static void test_ends(void)
{
    struct pd_aside_run middle[] = {{2, 5, 0}}, whole[] = {{0, 10, 0}};
    const struct pd_aside_runs none = {0}, part = {middle, 1, 1}, all = {whole, 1, 1};
    uint64_t passage;
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(NULL, 0, 10, &none)), 0);
    passage = pd_ij(0, 10);
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(&passage, 1, 10, &none)), 1);
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(&passage, 1, 10, &part)), 1);
    passage = pd_ij(0, 10);
    CU_ASSERT_EQUAL(pd_share_of_words(&passage, 1, 10, &part).all, 7);
    passage = pd_ij(2, 5);
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(&passage, 1, 10, &part)), 0);
    passage = pd_ij(0, 10);
    CU_ASSERT(isnan(pd_share_real(pd_share_of_words(&passage, 1, 10, &all))));
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random), PD_TEST(test_ends),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/share", tests);
}

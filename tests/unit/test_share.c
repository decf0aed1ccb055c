/* The share of a document, against a count word by word. */
#include "pardup/passage/share.h"

#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { WORDS = 60, ROUNDS = 3000 };

static uint64_t seed = 5;
static uint32_t below(uint32_t n) { return pd_random_below(&seed, n); }

/* The share by a mark for each word. */
static struct pd_share slow(uint64_t words, const struct pd_parts *passages,
                            const struct pd_parts *aside)
{
    struct pd_share share = {0, 0};
    for (uint64_t w = 0; w < words; w++) {
        int covered = 0, away = 0;
        for (size_t k = 0; k < passages->n; k++)
            covered |= passages->v[k].begin <= w && w < passages->v[k].end;
        for (size_t k = 0; k < aside->n; k++)
            away |= aside->v[k].begin <= w && w < aside->v[k].end;
        share.all += !away;
        share.covered += covered && !away;
    }
    return share;
}

static void test_random(void)
{
    struct pd_parts passages = {0}, aside = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t words = below(WORDS + 1);
        passages.n = aside.n = 0;
        for (uint32_t n = below(5); n > 0; n--) {
            const uint32_t begin = below(words + 1);
            pd_parts_push(&passages, (struct pd_part){begin, begin + below(words + 1 - begin)});
        }
        for (uint32_t at = below(20); at < words && round % 3; at += 1 + below(10)) {
            const uint32_t end = at + below(words - at < 10 ? words - at + 1 : 10);
            pd_parts_push(&aside, (struct pd_part){at, end});
            at = end;
        }
        const struct pd_share want = slow(words, &passages, &aside);
        const struct pd_share got = pd_share_of_words(words, &passages, &aside);
        CU_ASSERT_EQUAL(got.covered, want.covered);
        CU_ASSERT_EQUAL(got.all, want.all);
    }
    pd_parts_release(&passages);
    pd_parts_release(&aside);
}

/* Nothing, all, all but what is set aside, and nothing but what is set aside. */
static void test_ends(void)
{
    struct pd_part all[] = {{0, 10}}, middle[] = {{2, 5}};
    struct pd_parts none = {0}, whole = {all, 1, 1}, part = {middle, 1, 1};
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(10, &none, &none)), 0);
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(10, &whole, &none)), 1);
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(10, &whole, &part)), 1);
    CU_ASSERT_EQUAL(pd_share_of_words(10, &whole, &part).all, 7);
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(10, &part, &part)), 0);
    CU_ASSERT_EQUAL(pd_share_real(pd_share_of_words(10, &part, &whole)), 0);
    CU_ASSERT_EQUAL(pd_share_of_words(3, &whole, &none).covered, 3);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random), PD_TEST(test_ends),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/share", tests);
}

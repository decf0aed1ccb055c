/* The best stretch of random words against the best of all stretches that are tried. */
#include "pardup/passage/stretch.h"

#include <stdbool.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { WORDS_MOST = 24, IDS = 5, ROUNDS = 20000 };

static struct {
    struct pd_shared_word v[WORDS_MOST];
    struct pd_above above[IDS];
    int32_t score[PD_STRETCH_CHOICES][WORDS_MOST]; /* of each word, in each way */
    struct pd_stretching of;
    uint32_t nwords;
} words;

/* Few ids and small scores, so that there are ties; every second word or so is shared. */
static void make_words(uint64_t *seed)
{
    struct pd_stretching *s = &words.of;
    words.nwords = 1 + (uint32_t)pd_random_below(seed, WORDS_MOST);
    *s = (struct pd_stretching){.v = words.v, .above = words.above};
    for (int way = 0; way < PD_STRETCH_CHOICES; way++)
        s->lost[way] = -1 - (int32_t)pd_random_below(seed, 3);
    s->core.from = (uint32_t)pd_random_below(seed, words.nwords);
    s->core.to = s->core.from + 1 + (uint32_t)pd_random_below(seed, words.nwords - s->core.from);
    for (uint32_t k = 0; k < IDS; k++)
        for (int way = 0; way < PD_STRETCH_CHOICES; way++)
            words.above[k].by[way] =
                pd_random_below(seed, 2) ? 0 : -s->lost[way] + (int32_t)pd_random_below(seed, 4);
    for (uint32_t k = 0; k < words.nwords; k++) {
        const bool shared = pd_random_below(seed, 2) == 0;
        const uint32_t id = (uint32_t)pd_random_below(seed, IDS);
        for (int way = 0; way < PD_STRETCH_CHOICES; way++)
            words.score[way][k] = s->lost[way] + (shared ? words.above[id].by[way] : 0);
        if (!shared)
            continue;
        words.v[s->n] = (struct pd_shared_word){k, id};
        s->n++;
        s->core_from += k < s->core.from;
        s->core_to += k < s->core.to;
    }
}

static int64_t slowly(int way, struct pd_stretch *best)
{
    const struct pd_stretch core = words.of.core;
    int64_t most = INT64_MIN;
    for (uint32_t to = core.from + 1; to <= words.nwords; to++)
        for (uint32_t from = 0; from < to && from < core.to; from++) {
            int64_t sum = 0;
            for (uint32_t k = from; k < to; k++)
                sum += words.score[way][k];
            if (sum > most) {
                most = sum;
                *best = (struct pd_stretch){from, to};
            }
        }
    return most;
}

static void test_random_words(void)
{
    uint64_t seed = 1;
    unsigned wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_scored_stretch got[PD_STRETCH_CHOICES];
        const int ways = 1 + round % PD_STRETCH_CHOICES;
        make_words(&seed);
        pd_stretch_best(&words.of, ways, got);
        for (int way = 0; way < ways; way++) {
            struct pd_stretch expected = {0};
            wrong += got[way].score != slowly(way, &expected) ||
                     got[way].at.from != expected.from || got[way].at.to != expected.to;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random_words), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/stretch", tests);
}

/* tests/unit/test_members.c - members of families, against the rule applied pair by pair. */
#include "pardup/passage/members.h"

#include <stdbool.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { MOST = 40, ROUNDS = 4000 };

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bool linked(const struct pd_reach *a, const struct pd_reach *b)
{
    const uint64_t begin = most(a->begin, b->begin), end = least(a->end, b->end);
    return begin < end && 2 * (end - begin) > least(a->end - a->begin, b->end - b->begin);
}

/* The rule: `of` gets the component of each span, `unions` the unions by component. */
static void by_definition(const struct pd_reaches *spans, size_t of[MOST],
                          struct pd_reach unions[MOST])
{
    bool changed = true;
    for (size_t k = 0; k < spans->n; k++) {
        of[k] = k;
        unions[k] = spans->v[k];
    }
    while (changed) {
        struct pd_reach before[MOST]; /* the component of each span, before the round */
        changed = false;
        for (size_t k = 0; k < spans->n; k++)
            before[k] = unions[of[k]];
        for (bool again = true; again;) { /* the connected components */
            again = false;
            for (size_t i = 0; i < spans->n; i++)
                for (size_t j = 0; j < spans->n; j++)
                    if (of[i] != of[j] && linked(&before[i], &before[j])) {
                        const size_t from = of[i], to = of[j];
                        for (size_t k = 0; k < spans->n; k++)
                            of[k] = of[k] == from ? to : of[k];
                        again = changed = true;
                    }
        }
        for (size_t k = 0; k < spans->n; k++) {
            struct pd_reach *u = &unions[of[k]];
            u->begin = least(u->begin, before[k].begin);
            u->end = most(u->end, before[k].end);
        }
    }
}

static void test_random(void)
{
    uint64_t seed = 7;
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_reaches spans = {0};
        struct pd_reach unions[MOST];
        size_t of[MOST];
        const uint64_t width = 20 + pd_random_below(&seed, 400),
                       n = 1 + pd_random_below(&seed, MOST);
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t begin = pd_random_below(&seed, (uint32_t)width);
            const struct pd_reach s = {begin,
                                       begin + 1 + pd_random_below(&seed, (uint32_t)width / 4), 0};
            bool known = false;
            for (size_t i = 0; i < spans.n; i++)
                known |= spans.v[i].begin == s.begin && spans.v[i].end == s.end;
            if (!known)
                pd_reaches_push(&spans, s);
        }
        by_definition(&spans, of, unions);
        pd_members_unite(&spans);
        for (size_t i = 0; i < spans.n; i++) {
            const struct pd_reach *member = &spans.v[pd_member_of(&spans, i)];
            CU_ASSERT_EQUAL(member->begin, unions[of[i]].begin);
            CU_ASSERT_EQUAL(member->end, unions[of[i]].end);
            for (size_t j = 0; j < i; j++)
                CU_ASSERT_EQUAL(pd_member_of(&spans, i) == pd_member_of(&spans, j), of[i] == of[j]);
        }
        pd_reaches_release(&spans);
    }
}

static void test_half(void)
{
    struct pd_reaches spans = {0};
    pd_reaches_push(&spans, (struct pd_reach){0, 100, 0});
    pd_reaches_push(&spans, (struct pd_reach){75, 125, 0}); /* half of it, not more */
    pd_members_unite(&spans);
    CU_ASSERT_NOT_EQUAL(pd_member_of(&spans, 0), pd_member_of(&spans, 1));
    spans.v[1].begin = 74;
    pd_members_unite(&spans);
    CU_ASSERT_EQUAL(pd_member_of(&spans, 0), pd_member_of(&spans, 1));
    CU_ASSERT_EQUAL(spans.v[pd_member_of(&spans, 0)].end, 125);
    pd_reaches_release(&spans);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random), PD_TEST(test_half),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/members", tests);
}

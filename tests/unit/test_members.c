/* tests/unit/test_members.c - members of families, against the rule applied byte by byte. */
#include "pardup/passage/members.h"

#include <stdbool.h>
#include <string.h>

#include "pd_cunit.h"
#include "pd_random.h"

enum { MOST = 40, ROUNDS = 150, BYTES = 1500 };

/* A document as the rule sees it, by byte offset. */
struct slow {
    bool covered[BYTES];          /* the byte is reached */
    uint64_t passages[BYTES + 1]; /* that begin or end there */
    bool edge[BYTES + 1], point[BYTES + 1];
};

static uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

static void mark(const struct pd_reaches *reaches, struct slow *s)
{
    memset(s, 0, sizeof *s);
    for (size_t k = 0; k < reaches->n; k++) {
        const struct pd_reach *r = &reaches->v[k];
        for (uint64_t at = r->begin; at < r->end; at++)
            s->covered[at] = true;
        s->passages[r->begin] += r->passages;
        s->passages[r->end] += r->passages;
    }
    for (uint64_t at = 0; at <= BYTES; at++)
        s->edge[at] = s->point[at] =
            (at > 0 && s->covered[at - 1]) != (at < BYTES && s->covered[at]);
}

/* Choose the points, one after the other. */
static void choose(struct slow *s)
{
    for (;;) {
        uint64_t best = BYTES + 1;
        for (uint64_t at = 0; at <= BYTES; at++) {
            bool near = s->passages[at] == 0;
            for (uint64_t other = 0; other <= BYTES && !near; other++)
                near = s->point[other] && distance(at, other) < PD_MEMBER_APART;
            if (!near && (best > BYTES || s->passages[at] > s->passages[best]))
                best = at;
        }
        if (best > BYTES)
            return;
        s->point[best] = true;
    }
}

static uint64_t nearest(const struct slow *s, uint64_t at)
{
    uint64_t best = BYTES + 1;
    for (uint64_t other = 0; other <= BYTES; other++)
        if (s->point[other] && (best > BYTES || distance(at, other) < distance(at, best)))
            best = other;
    return best;
}

static bool is_cut(const struct pd_reaches *reaches, const struct slow *s, uint64_t at)
{
    uint64_t here = 0, across = 0;
    if (!s->point[at])
        return false;
    for (size_t k = 0; k < reaches->n; k++) {
        const uint64_t begin = nearest(s, reaches->v[k].begin), end = nearest(s, reaches->v[k].end);
        here += begin != end && (begin == at || end == at) ? reaches->v[k].passages : 0;
        across += begin < at && at < end ? reaches->v[k].passages : 0;
    }
    return s->edge[at] || here >= across;
}

static void by_definition(const struct pd_reaches *reaches, struct pd_members *members)
{
    static struct slow s;
    uint64_t begin = 0;
    mark(reaches, &s);
    choose(&s);
    members->n = 0;
    for (uint64_t at = 0; at <= BYTES; at++) {
        if (!is_cut(reaches, &s, at))
            continue;
        if (at > 0 && s.covered[at - 1])
            pd_members_push(members, (struct pd_member){begin, at});
        begin = at;
    }
}

/* What a reach covers of members, whose portions have come. */
static void expect_portions(const struct pd_members *members, const struct pd_reach *r)
{
    struct pd_portions got = {0};
    uint64_t most = 0;
    size_t n = 0;
    pd_members_cover(members, r->begin, r->end, &got);
    for (int pass = 0; pass < 2; pass++) { /* the longest portion, then all */
        bool found = false;
        for (size_t k = 0; k < members->n; k++) {
            uint64_t covered = 0;
            for (uint64_t at = members->v[k].begin; at < members->v[k].end; at++)
                covered += r->begin <= at && at < r->end;
            const bool longest = pass == 1 && covered == most && !found;
            most = pass == 0 && covered > most ? covered : most;
            found |= longest;
            if (pass == 0 || (covered < PD_MEMBER_APART && !longest))
                continue;
            CU_ASSERT_TRUE_FATAL(n < got.n && got.v[n].member == k);
            CU_ASSERT_EQUAL(got.v[n].end - got.v[n].begin, covered);
            CU_ASSERT_TRUE(got.v[n].begin >= members->v[k].begin &&
                           got.v[n].end <= members->v[k].end);
            if (longest)
                CU_ASSERT_EQUAL(pd_portion_chief(got.v, got.n), n);
            n++;
        }
    }
    CU_ASSERT_EQUAL(n, got.n);
    pd_portions_release(&got);
}

static void test_random(void)
{
    uint64_t seed = 7;
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_reaches reaches = {0};
        struct pd_members got = {0}, wanted = {0};
        const uint32_t width = 200 + pd_random_below(&seed, BYTES - 600);
        const uint32_t step = 1 + pd_random_below(&seed, 150); /* many ends at one byte */
        const uint32_t n = 1 + pd_random_below(&seed, MOST);
        for (uint32_t k = 0; k < n; k++) {
            const uint64_t begin = pd_random_below(&seed, width) / step * step;
            const uint64_t length = 1 + pd_random_below(&seed, 400);
            pd_reaches_push(
                &reaches, (struct pd_reach){begin, begin + length, 1 + pd_random_below(&seed, 3)});
        }
        pd_members_cut(&reaches, &got);
        by_definition(&reaches, &wanted);
        CU_ASSERT_EQUAL_FATAL(got.n, wanted.n);
        for (size_t k = 0; k < got.n; k++) {
            CU_ASSERT_EQUAL(got.v[k].begin, wanted.v[k].begin);
            CU_ASSERT_EQUAL(got.v[k].end, wanted.v[k].end);
        }
        for (size_t k = 0; k < reaches.n; k++)
            expect_portions(&got, &reaches.v[k]);
        pd_reaches_release(&reaches);
        pd_members_release(&got);
        pd_members_release(&wanted);
    }
}

/* A text in some places, and a footer below it in one of them, which `others` documents have. */
static size_t cut_footer(uint64_t others)
{
    struct pd_reaches reaches = {0};
    struct pd_members members = {0};
    pd_reaches_push(&reaches, (struct pd_reach){0, 1000, 3});
    pd_reaches_push(&reaches, (struct pd_reach){700, 1000, others});
    pd_members_cut(&reaches, &members);
    const size_t n = members.n;
    pd_reaches_release(&reaches);
    pd_members_release(&members);
    return n;
}

static void test_footer(void)
{
    CU_ASSERT_EQUAL(cut_footer(2), 1); /* a quotation of the end of the text */
    CU_ASSERT_EQUAL(cut_footer(3), 2);
}

static void test_apart(void)
{
    struct pd_reaches reaches = {0};
    struct pd_members members = {0};
    pd_reaches_push(&reaches, (struct pd_reach){0, 1000, 1});
    pd_reaches_push(&reaches, (struct pd_reach){0, PD_MEMBER_APART - 1, 5});
    pd_members_cut(&reaches, &members);
    CU_ASSERT_EQUAL(members.n, 1);
    reaches.v[1].end++;
    pd_members_cut(&reaches, &members);
    CU_ASSERT_EQUAL(members.n, 2);
    reaches.n = 0;
    pd_members_cut(&reaches, &members);
    CU_ASSERT_EQUAL(members.n, 0);
    pd_reaches_release(&reaches);
    pd_members_release(&members);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_random), PD_TEST(test_footer),
                                        PD_TEST(test_apart), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "passage/members", tests);
}

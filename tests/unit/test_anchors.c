/* Anchors of common classes against pairing the first document or the first source with all. */
#include "pardup/join/anchors.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"

struct dot {
    pd_doc a, b;
    uint64_t ij;
};
PD_VEC(dots, struct dot);
enum { DOT_U64S = 3 };

/* The sides of a job, and what the callbacks were given: of one class at a time. */
struct got {
    pd_doc targets_to, sources_from;
    uint64_t number;
    struct pd_occurrences others;
    struct pd_u64s records; /* of each call of `others`: first occurrence and end in `others` */
    struct dots dots;
    uint64_t classes;
    int status; /* what the next callback returns */
};

static int take_others(void *ctx, uint64_t number, const struct pd_occurrence *v, size_t n)
{
    struct got *g = ctx;
    CU_ASSERT(n > 0 && n <= PD_OTHERS_MOST);
    CU_ASSERT_EQUAL(number, g->number);
    for (size_t k = 1; k < n; k++) {
        CU_ASSERT_EQUAL(pd_tier_of(&v[k]), pd_tier_of(v));
        CU_ASSERT(v[k - 1].doc < v[k].doc || v[k - 1].unit < v[k].unit);
    }
    pd_u64s_push(&g->records, g->others.n);
    pd_occurrences_append(&g->others, v, n);
    pd_u64s_push(&g->records, g->others.n);
    return g->status;
}

/* The dots of x in a first document with y in a second one. */
static void match(struct got *g, const struct pd_occurrence *x, const struct pd_occurrence *y)
{
    if (x->doc < y->doc && x->doc < g->targets_to && y->doc >= g->sources_from &&
        !(x->flags & PD_QUERY_ONLY))
        dots_push(&g->dots, (struct dot){x->doc, y->doc, pd_ij(x->unit, y->unit)});
}

/* Expand the class as the align stage does. */
static int take_anchors(void *ctx, const struct pd_class *class)
{
    struct got *g = ctx;
    CU_ASSERT_EQUAL(class->number, g->number);
    CU_ASSERT_EQUAL(class->flags, PD_ANCHORS);
    for (size_t r = 0; r < g->records.n; r += 2)
        for (size_t k = g->records.v[r]; k < g->records.v[r + 1]; k++)
            for (uint64_t c = 0; c < class->n; c++)
                if (pd_tier_of(&class->at[c]) == pd_tier_of(&g->others.v[k])) {
                    match(g, &class->at[c], &g->others.v[k]);
                    match(g, &g->others.v[k], &class->at[c]);
                }
    for (uint64_t c = 1; c < class->n; c++)
        CU_ASSERT(pd_tier_of(&class->at[c - 1]) <= pd_tier_of(&class->at[c]));
    g->others.n = g->records.n = 0;
    g->number++;
    g->classes++;
    return g->status;
}

static void release(struct got *g)
{
    pd_occurrences_release(&g->others);
    pd_u64s_release(&g->records);
    dots_release(&g->dots);
}

static struct pd_anchoring begin(struct got *g, pd_doc targets_to, pd_doc sources_from)
{
    *g = (struct got){.targets_to = targets_to, .sources_from = sources_from};
    return (struct pd_anchoring){
        .sources_from = sources_from, .others = take_others, .anchors = take_anchors, .ctx = g};
}

/* The number of occurrences of the document of v[k] before v[k]. */
static size_t rank_of(const struct pd_occurrence *v, size_t k)
{
    size_t rank = 0;
    while (rank < k && v[k - rank - 1].doc == v[k].doc)
        rank++;
    return rank;
}

/*
 * By the definition: the first source is paired with all targets; if all documents are on both
 * sides, the first one with an indexed unit with all later ones.
 */
static void define(const struct got *g, const struct pd_occurrence *v, size_t n, struct dots *dots)
{
    pd_doc first = UINT64_MAX, source = UINT64_MAX;
    struct got want = {.targets_to = g->targets_to, .sources_from = g->sources_from};
    for (size_t k = n; k-- > 0;) {
        if (g->sources_from == 0 && !(v[k].flags & PD_QUERY_ONLY))
            first = v[k].doc;
        if (g->sources_from && v[k].doc >= g->sources_from)
            source = v[k].doc;
    }
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < n; y++)
            if ((v[x].doc == first || v[y].doc == source) &&
                rank_of(v, x) / PD_TIER == rank_of(v, y) / PD_TIER)
                match(&want, &v[x], &v[y]);
    dots_append(dots, want.dots.v, want.dots.n);
    dots_release(&want.dots);
}

/* Occurrences of some documents, up to `most` in each, some of them off the index side. */
static size_t make(struct pd_occurrence *v, size_t cap, size_t most, uint64_t *seed)
{
    size_t n = 0;
    for (pd_doc doc = 0; doc < 12; doc++)
        for (size_t k = pd_random_below(seed, 3) ? pd_random_below(seed, (uint32_t)most + 1) : 0;
             k && n < cap; k--, n++)
            v[n] = (struct pd_occurrence){doc, (uint32_t)n,
                                          pd_random_below(seed, 3) ? PD_QUERY_ONLY : 0};
    return n;
}

static void same_dots(struct dots *got, struct dots *want)
{
    pd_sort_records(got->v, got->n, DOT_U64S, DOT_U64S);
    pd_sort_records(want->v, want->n, DOT_U64S, DOT_U64S);
    CU_ASSERT_EQUAL(got->n, want->n);
    CU_ASSERT(got->n == want->n &&
              (got->n == 0 || memcmp(got->v, want->v, got->n * sizeof *got->v) == 0));
}

/* All documents on both sides, and targets before sources; classes one after the other. */
static void test_against_the_definition(void)
{
    enum { MOST = 400, CLASSES = 3 };
    for (uint64_t round = 0; round < 300; round++) {
        struct pd_occurrence v[MOST];
        struct got g;
        struct dots want = {0};
        uint64_t seed = round;
        const pd_doc cut = round % 2 ? 1 + pd_random_below(&seed, 12) : 12;
        struct pd_anchoring a = begin(&g, cut, round % 2 ? cut : 0);
        for (int k = 0; k < CLASSES; k++) {
            const size_t n = make(v, MOST, round % 5 ? 3 : 60, &seed);
            const size_t half = n / 2;
            define(&g, v, n, &want);
            CU_ASSERT_EQUAL(pd_anchoring_add(&a, v, half), 0);
            CU_ASSERT_EQUAL(pd_anchoring_add(&a, v + half, n - half), 0);
            CU_ASSERT_EQUAL(pd_anchoring_end(&a, 7), 0);
        }
        CU_ASSERT_EQUAL(g.classes, CLASSES);
        same_dots(&g.dots, &want);
        dots_release(&want);
        pd_anchoring_release(&a);
        release(&g);
    }
}

/* A class in n documents makes n - 1 document pairs, also if it is handed over in several bites. */
static void test_pairs_are_linear(void)
{
    enum { DOCS = 3 * PD_OTHERS_MOST };
    struct got g;
    struct pd_anchoring a = begin(&g, DOCS, 0);
    for (uint32_t k = 0; k < DOCS; k++) {
        const struct pd_occurrence o = {k, k % 7, 0};
        CU_ASSERT_EQUAL(pd_anchoring_add(&a, &o, 1), 0);
        CU_ASSERT(a.pending.n <= PD_OTHERS_MOST && a.kept.n <= 1);
    }
    CU_ASSERT_EQUAL(pd_anchoring_end(&a, 7), 0);
    CU_ASSERT_EQUAL(g.dots.n, DOCS - 1);
    for (size_t k = 0; k < g.dots.n; k++)
        CU_ASSERT(g.dots.v[k].a == 0 && g.dots.v[k].b == k + 1);
    pd_anchoring_release(&a);
    release(&g);
}

/* Two documents with the same line n times: the dots of equal tiers, the diagonal among them. */
static void test_repeats_are_linear(void)
{
    enum { N = 1000, TIERS = N / PD_TIER, REST = N % PD_TIER };
    struct got g;
    struct pd_anchoring a = begin(&g, 2, 0);
    size_t diagonal = 0;
    for (uint32_t k = 0; k < 2 * N; k++) {
        const struct pd_occurrence o = {k / N, k % N, 0};
        CU_ASSERT_EQUAL(pd_anchoring_add(&a, &o, 1), 0);
    }
    CU_ASSERT_EQUAL(pd_anchoring_end(&a, 7), 0);
    CU_ASSERT_EQUAL(g.dots.n, TIERS * PD_TIER * PD_TIER + REST * REST);
    for (size_t k = 0; k < g.dots.n; k++)
        diagonal += g.dots.v[k].ij >> 32 == (uint32_t)g.dots.v[k].ij;
    CU_ASSERT_EQUAL(diagonal, N);
    pd_anchoring_release(&a);
    release(&g);
}

static void test_failures_are_handed_on(void)
{
    const struct pd_occurrence v[] = {{1, 1, 0}, {2, 2, 0}, {3, 3, 0}};
    struct got g;
    struct pd_anchoring a = begin(&g, 9, 0);
    g.status = -5;
    CU_ASSERT_EQUAL(pd_anchoring_add(&a, v, 3), 0);
    CU_ASSERT_EQUAL(pd_anchoring_end(&a, 7), -5);
    pd_anchoring_release(&a);
    release(&g);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {PD_TEST(test_against_the_definition),
                                  PD_TEST(test_pairs_are_linear), PD_TEST(test_repeats_are_linear),
                                  PD_TEST(test_failures_are_handed_on), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/anchors", tests);
}

/* tests/unit/test_near.c - near duplicates in sets of documents, against each pair looked at. */
#include "tools/prevalence/near.h"

#include "pd_cunit.h"
#include "pd_random.h"

enum { DOCUMENTS = 12, ROUNDS = 2000 };

/* The resemblance of each two documents; 0: no pair was pushed. */
struct table {
    double v[DOCUMENTS][DOCUMENTS];
};

/* Push pairs with resemblances in eighths, so that many are equal, and equal to a threshold. */
static void draw_pairs(uint64_t *seed, struct table *t, struct pd_near *near)
{
    const uint32_t density = 1 + pd_random_below(seed, 4);
    *t = (struct table){{{0}}};
    for (int a = 0; a < DOCUMENTS; a++)
        for (int b = 0; b < a; b++)
            if (pd_random_below(seed, 4) < density) {
                const double resemblance = (1 + pd_random_below(seed, 8)) / 8.0;
                t->v[a][b] = t->v[b][a] = resemblance;
                pd_near_push(near, (uint64_t)a, (uint64_t)b, resemblance);
            }
    pd_near_sort(near, DOCUMENTS);
}

/* Draw different documents in random order. Returns how many. */
static size_t draw_documents(uint64_t *seed, uint64_t docs[DOCUMENTS])
{
    size_t n = 0;
    for (uint64_t k = 0; k < DOCUMENTS; k++)
        docs[k] = k;
    for (; n < DOCUMENTS && pd_random_below(seed, 8) > 0; n++) {
        const size_t other = n + pd_random_below(seed, (uint32_t)(DOCUMENTS - n));
        const uint64_t doc = docs[n];
        docs[n] = docs[other];
        docs[other] = doc;
    }
    return n;
}

/*
 * The document of docs[0, n) that is closest to `doc`, the smallest number first; UINT64_MAX: none.
 */
static uint64_t closest(const struct table *t, uint64_t doc, const uint64_t *docs, size_t n,
                        double least)
{
    uint64_t best = UINT64_MAX;
    for (size_t k = 0; k < n; k++) {
        const double x = t->v[doc][docs[k]], y = best == UINT64_MAX ? 0 : t->v[doc][best];
        if (docs[k] != doc && x > 0 && x >= least && (x > y || (x == y && docs[k] < best)))
            best = docs[k];
    }
    return best;
}

static void check(const struct table *t, struct pd_near *near, const uint64_t *docs, size_t n,
                  double least)
{
    uint64_t repeats[DOCUMENTS], kept[DOCUMENTS];
    size_t count = 0, redundant = 0, nkept = 0;
    const size_t left = pd_near_keep_first(near, docs, n, least, repeats);
    for (size_t k = 0; k < n; k++) {
        count += closest(t, docs[k], docs, n, least) != UINT64_MAX;
        redundant += closest(t, docs[k], docs, k, least) != UINT64_MAX;
        const uint64_t repeated = closest(t, docs[k], kept, nkept, least);
        CU_ASSERT_EQUAL(repeats[k], repeated == UINT64_MAX ? docs[k] : repeated);
        if (repeated == UINT64_MAX)
            kept[nkept++] = docs[k];
    }
    CU_ASSERT_EQUAL(left, nkept);
    CU_ASSERT_EQUAL(pd_near_count(near, docs, n, least), count);
    CU_ASSERT_EQUAL(pd_near_redundant(near, docs, n, least), redundant);
}

static void test_each_pair_looked_at(void)
{
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct pd_near near = {.mark = 0};
        struct table t;
        uint64_t docs[DOCUMENTS];
        draw_pairs(&seed, &t, &near);
        for (int set = 0; set < 4; set++) {
            const size_t n = draw_documents(&seed, docs);
            check(&t, &near, docs, n, pd_random_below(&seed, 9) / 8.0);
        }
        pd_near_release(&near);
    }
}

/* Documents without any pair, and no document at all. */
static void test_nothing_near(void)
{
    struct pd_near near = {.mark = 0};
    const uint64_t docs[] = {2, 0};
    uint64_t repeats[2];
    pd_near_sort(&near, 3);
    CU_ASSERT_EQUAL(pd_near_count(&near, docs, 2, 0.5), 0);
    CU_ASSERT_EQUAL(pd_near_redundant(&near, docs, 2, 0.5), 0);
    CU_ASSERT_EQUAL(pd_near_keep_first(&near, docs, 2, 0.5, repeats), 2);
    CU_ASSERT_EQUAL(repeats[0], 2);
    CU_ASSERT_EQUAL(repeats[1], 0);
    CU_ASSERT_EQUAL(pd_near_count(&near, docs, 0, 0.5), 0);
    pd_near_release(&near);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_each_pair_looked_at),
                                        PD_TEST(test_nothing_near), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "tools/prevalence/near", tests);
}

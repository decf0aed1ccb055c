/* Collapse and expansion against comparing every unit with every other. */
#include "pardup/join/classes.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { DOCUMENTS = 40 };

static void make(struct pd_postings *p, uint64_t seed, uint32_t sigs, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const pd_sig sig = pd_mix(pd_random_below(&seed, sigs));
        const struct pd_posting one = {sig, pd_random_below(&seed, DOCUMENTS), (uint32_t)k, 1};
        pd_postings_push(p, one);
    }
}

static uint64_t documents_with(const struct pd_postings *p, pd_sig sig)
{
    char seen[DOCUMENTS] = {0};
    uint64_t df = 0;
    for (size_t k = 0; k < p->n; k++)
        if (p->v[k].sig == sig && !seen[p->v[k].doc]++)
            df++;
    return df;
}

/* All pairs of equal signature in different documents, by two loops. */
static void compare_all(const struct pd_postings *p, uint64_t max_df, struct pd_dots *dots)
{
    for (size_t x = 0; x < p->n; x++)
        for (size_t y = 0; y < p->n; y++)
            if (p->v[x].sig == p->v[y].sig && p->v[x].doc < p->v[y].doc &&
                (!max_df || documents_with(p, p->v[x].sig) <= max_df))
                pd_dots_push(dots, (struct pd_dot){p->v[x].doc, p->v[y].doc,
                                                   pd_ij(p->v[x].unit, p->v[y].unit)});
}

/* The expansion in slices of first documents and in bites of `cap` dots. */
static void expand(const struct pd_postings *p, pd_doc step, size_t cap, struct pd_dots *dots)
{
    for (pd_doc from = 0; from < DOCUMENTS; from += step) {
        struct pd_expansion e = {.postings = p, .from = from, .to = from + step};
        size_t n;
        do {
            pd_dots_reserve(dots, dots->n + cap);
            n = pd_classes_expand(&e, dots->v + dots->n, cap);
            for (size_t k = 0; k < n; k++)
                CU_ASSERT(dots->v[dots->n + k].a >= from && dots->v[dots->n + k].a < from + step);
            dots->n += n;
        } while (n == cap);
    }
}

static void check(uint64_t seed, uint32_t sigs, size_t n, uint64_t max_df)
{
    struct pd_postings p = {0};
    struct pd_dots want = {0}, got = {0};
    struct pd_commons aside = {0};
    uint64_t bins[7] = {0}, counted = 0;
    make(&p, seed, sigs, n);
    compare_all(&p, max_df, &want);
    uint64_t common = 0;
    for (uint32_t s = 0; s < sigs; s++)
        common += max_df && documents_with(&p, pd_mix(s)) > max_df;
    pd_classes_collapse(&p, max_df, &aside);
    CU_ASSERT_EQUAL(aside.n, common);
    pd_classes_count_dots(&p, DOCUMENTS, bins, 7);
    for (int k = 0; k < 7; k++)
        counted += bins[k];
    CU_ASSERT_EQUAL(counted, want.n);
    pd_sort_records(want.v, want.n, PD_DOT_WORDS, PD_DOT_WORDS);
    for (pd_doc step = 3; step <= DOCUMENTS; step += 37)
        for (size_t cap = 1; cap <= 100; cap += 33) {
            got.n = 0;
            expand(&p, step, cap, &got);
            pd_sort_records(got.v, got.n, PD_DOT_WORDS, PD_DOT_WORDS);
            CU_ASSERT_EQUAL(got.n, want.n);
            CU_ASSERT(got.n != want.n || !want.n ||
                      memcmp(got.v, want.v, got.n * sizeof *got.v) == 0);
        }
    pd_postings_release(&p);
    pd_dots_release(&want);
    pd_dots_release(&got);
    pd_commons_release(&aside);
}

static void test_against_all_pairs(void)
{
    for (uint64_t seed = 0; seed < 20; seed++)
        for (uint64_t max_df = 0; max_df < 12; max_df += 5) {
            check(seed, 60, 300, max_df);
            check(seed, 5, 100, max_df);
            check(seed, 1, 30, max_df);
            check(seed, 1, 0, max_df);
        }
}

static void test_ledger_names_the_first_occurrence(void)
{
    struct pd_postings p = {0};
    struct pd_commons aside = {0};
    for (uint32_t k = 0; k < 5; k++)
        pd_postings_push(&p, (struct pd_posting){77, 9 - k, 3, 1});
    pd_postings_push(&p, (struct pd_posting){77, 5, 2, 1});
    pd_classes_collapse(&p, 4, &aside);
    CU_ASSERT_EQUAL(p.n, 0);
    CU_ASSERT_EQUAL(aside.n, 1);
    CU_ASSERT_EQUAL(aside.v[0].df, 5);
    CU_ASSERT_EQUAL(aside.v[0].doc, 5);
    CU_ASSERT_EQUAL(aside.v[0].unit, 2);
    pd_postings_release(&p);
    pd_commons_release(&aside);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_against_all_pairs),
                                        PD_TEST(test_ledger_names_the_first_occurrence),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/classes", tests);
}

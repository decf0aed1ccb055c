/* Collapse and expansion against comparing every unit with every other. */
#include "pardup/join/classes.h"

#include <stdlib.h>
#include <string.h>

#include "pardup/base/sort.h"
#include "pd_cunit.h"
#include "pd_random.h"

enum { DOCUMENTS = 40 };

struct dot {
    pd_doc a, b;
    uint64_t ij;
};
PD_VEC(dots, struct dot);
enum { DOT_WORDS = 3 };

static void make(struct pd_postings *p, uint64_t seed, uint32_t sigs, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const pd_sig sig = pd_mix(pd_random_below(&seed, sigs));
        const pd_doc doc = pd_random_below(&seed, DOCUMENTS);
        const struct pd_posting one = {sig, sig & 1, doc, 1 + (uint32_t)k % 3, (uint32_t)k};
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
static void compare_all(const struct pd_postings *p, uint64_t max_df, struct dots *dots)
{
    for (size_t x = 0; x < p->n; x++)
        for (size_t y = 0; y < p->n; y++)
            if (p->v[x].sig == p->v[y].sig && p->v[x].doc < p->v[y].doc &&
                (!max_df || documents_with(p, p->v[x].sig) <= max_df))
                dots_push(dots, (struct dot){p->v[x].doc, p->v[y].doc,
                                             pd_ij(p->v[x].unit, p->v[y].unit)});
}

static size_t unpack(const unsigned char *bytes, size_t n, pd_doc from, pd_doc to,
                     struct dots *dots)
{
    for (size_t at = 0; at < n;) {
        const struct pd_block *block = (const struct pd_block *)(const void *)(bytes + at);
        CU_ASSERT(block->a >= from && block->a < to && block->a < block->b);
        CU_ASSERT(block->ni > 0 && block->nj > 0);
        CU_ASSERT_EQUAL(block->size, pd_block_size(block->ni, block->nj) +
                                         (pd_block_similarity(block) < 1 ? sizeof(double) : 0));
        for (size_t i = 0; i < block->ni; i++)
            for (size_t j = 0; j < block->nj; j++)
                dots_push(dots, (struct dot){block->a, block->b,
                                             pd_ij(block->units[i], block->units[block->ni + j])});
        at += block->size;
    }
    return n;
}

/* The expansion in slices of first documents and in bites of `cap` bytes; returns its bytes. */
static uint64_t expand(const struct pd_joined *joined, pd_doc step, size_t cap, struct dots *dots)
{
    unsigned char *bytes = pd_realloc(NULL, cap, 1);
    uint64_t sum = 0;
    for (pd_doc from = 0; from < DOCUMENTS; from += step) {
        struct pd_expansion e = {.joined = joined, .from = from, .to = from + step};
        size_t n;
        int last;
        do {
            last = pd_joined_expand(&e, bytes, cap, &n);
            CU_ASSERT(n <= cap);
            sum += unpack(bytes, n, from, from + step, dots);
        } while (!last);
    }
    free(bytes);
    return sum;
}

static void check(uint64_t seed, uint32_t sigs, size_t n, uint64_t max_df)
{
    struct pd_postings p = {0};
    struct dots want = {0}, got = {0};
    struct pd_commons aside = {0};
    uint64_t bins[7] = {0}, bytes = 0;
    make(&p, seed, sigs, n);
    compare_all(&p, max_df, &want);
    uint64_t common = 0;
    for (uint32_t s = 0; s < sigs; s++)
        common += max_df && documents_with(&p, pd_mix(s)) > max_df;
    pd_classes_collapse(&p, max_df, seed % 2, &aside);
    const struct pd_joined joined = {.postings = p, .own = p.n};
    CU_ASSERT_EQUAL(aside.n, common);
    CU_ASSERT_EQUAL(pd_joined_measure(&joined, DOCUMENTS, bins, 7), want.n);
    for (int k = 0; k < 7; k++)
        bytes += bins[k];
    pd_sort_records(want.v, want.n, DOT_WORDS, DOT_WORDS);
    for (pd_doc step = 3; step <= DOCUMENTS; step += 37)
        for (size_t cap = 400; cap <= 4000; cap += 1200) {
            got.n = 0;
            CU_ASSERT_EQUAL(expand(&joined, step, cap, &got), bytes);
            pd_sort_records(got.v, got.n, DOT_WORDS, DOT_WORDS);
            CU_ASSERT_EQUAL(got.n, want.n);
            CU_ASSERT(got.n != want.n || !want.n ||
                      memcmp(got.v, want.v, got.n * sizeof *got.v) == 0);
        }
    pd_postings_release(&p);
    dots_release(&want);
    dots_release(&got);
    pd_commons_release(&aside);
}

static void test_against_all_pairs(void)
{
    for (uint64_t seed = 0; seed < 20; seed++)
        for (uint64_t max_df = 0; max_df < 12; max_df += 5) {
            check(seed, 60, 300, max_df);
            check(seed, 5, 100, max_df);
            check(seed, 1, 40, max_df);
            check(seed, 1, 0, max_df);
        }
}

static void test_ledger_names_the_first_occurrence(void)
{
    struct pd_postings p = {0};
    struct pd_commons aside = {0};
    for (uint32_t k = 0; k < 5; k++)
        pd_postings_push(&p, (struct pd_posting){77, 0, 9 - k, 1, 3});
    pd_postings_push(&p, (struct pd_posting){77, 0, 5, 1, 2});
    pd_classes_collapse(&p, 4, true, &aside);
    CU_ASSERT_EQUAL(p.n, 0);
    CU_ASSERT_EQUAL(aside.n, 1);
    CU_ASSERT_EQUAL(aside.v[0].df, 5);
    CU_ASSERT_EQUAL(aside.v[0].doc, 5);
    CU_ASSERT_EQUAL(aside.v[0].unit, 2);
    pd_postings_release(&p);
    pd_commons_release(&aside);
}

/* Lists longer than a block may hold are cut; together the blocks are still all dots, once. */
static void test_long_lists_are_cut(void)
{
    enum { A = PD_BLOCK_MOST + 7, B = 2 * PD_BLOCK_MOST + 3 };
    const size_t cap = pd_block_size(PD_BLOCK_MOST, PD_BLOCK_MOST);
    unsigned char *bytes = pd_realloc(NULL, cap, 1);
    struct pd_postings p = {0};
    struct pd_commons aside = {0};
    uint64_t bins[1] = {0}, sum = 0, dots = 0, blocks = 0;
    for (uint32_t k = 0; k < A + B; k++)
        pd_postings_push(&p, (struct pd_posting){5, 0, k < A ? 0 : 1, 1, k < A ? k : k - A});
    pd_classes_collapse(&p, 0, false, &aside);
    const struct pd_joined joined = {.postings = p, .own = p.n};
    CU_ASSERT_EQUAL(pd_joined_measure(&joined, 2, bins, 1), (uint64_t)A * B);
    struct pd_expansion e = {.joined = &joined, .from = 0, .to = 2};
    for (int last = 0; !last;) {
        size_t n;
        last = pd_joined_expand(&e, bytes, cap, &n);
        for (size_t at = 0; at < n; blocks++) {
            const struct pd_block *block = (const struct pd_block *)(const void *)(bytes + at);
            dots += (uint64_t)block->ni * block->nj;
            at += block->size;
        }
        sum += n;
    }
    CU_ASSERT_EQUAL(dots, (uint64_t)A * B);
    CU_ASSERT_EQUAL(blocks, 6);
    CU_ASSERT_EQUAL(sum, bins[0]);
    free(bytes);
    pd_postings_release(&p);
}

/* Units that differ in their second word are of two classes. */
static void test_names_have_128_bits(void)
{
    struct pd_postings p = {0};
    struct pd_commons aside = {0};
    for (uint32_t k = 0; k < 6; k++)
        pd_postings_push(&p, (struct pd_posting){77, k % 2, k, 1, 0});
    pd_classes_collapse(&p, 2, false, &aside);
    CU_ASSERT_EQUAL(aside.n, 2);
    CU_ASSERT_EQUAL(aside.v[0].df, 3);
    pd_postings_release(&p);
    pd_commons_release(&aside);
}

/* The documents and units [begin, end) of postings that each stand for their own class. */
static struct pd_match random_match(uint64_t *seed, uint32_t n)
{
    uint32_t v[4];
    for (int k = 0; k < 4; k += 2) {
        v[k] = pd_random_below(seed, n);
        v[k + 1] = v[k] + pd_random_below(seed, n - v[k] + 1);
    }
    if (v[0] == v[2]) /* one list twice would be a class with itself */
        v[1] = v[0];
    return (struct pd_match){v[0], v[1], v[2], v[3], 0.5};
}

/* Explicit matches: each unit of one list against each of the other in a later document. */
static void test_matches(void)
{
    enum { UNITS = 60, MATCHES = 5 };
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct pd_joined joined = {0};
        struct dots want = {0}, got = {0};
        uint64_t state = seed, bins[3] = {0}, bytes = 0;
        for (uint32_t k = 0; k < UNITS; k++)
            pd_postings_push(&joined.postings,
                             (struct pd_posting){1, 0, k * DOCUMENTS / UNITS, 1, k});
        for (int k = 0; k < MATCHES; k++) {
            const struct pd_match m = random_match(&state, UNITS);
            pd_matches_push(&joined.matches, m);
            for (size_t x = m.a; x < m.a_end; x++)
                for (size_t y = m.b; y < m.b_end; y++) {
                    const struct pd_posting *p = &joined.postings.v[x], *q = &joined.postings.v[y];
                    if (p->doc < q->doc)
                        dots_push(&want, (struct dot){p->doc, q->doc, pd_ij(p->unit, q->unit)});
                }
        }
        CU_ASSERT_EQUAL(pd_joined_measure(&joined, DOCUMENTS, bins, 3), want.n);
        for (int k = 0; k < 3; k++)
            bytes += bins[k];
        CU_ASSERT_EQUAL(expand(&joined, 7, 600, &got), bytes);
        pd_sort_records(want.v, want.n, DOT_WORDS, DOT_WORDS);
        pd_sort_records(got.v, got.n, DOT_WORDS, DOT_WORDS);
        CU_ASSERT_EQUAL(got.n, want.n);
        CU_ASSERT(got.n != want.n || !want.n || memcmp(got.v, want.v, got.n * sizeof *got.v) == 0);
        pd_joined_release(&joined);
        dots_release(&want);
        dots_release(&got);
    }
}

/* Units on the query side match those on the index side of earlier documents only. */
static void test_sides(void)
{
    struct pd_joined joined = {0};
    struct dots want = {0}, got = {0};
    uint64_t state = 5;
    for (uint32_t k = 0; k < 200; k++) {
        const uint32_t query = pd_random_below(&state, 2) ? PD_QUERY_ONLY : 0;
        pd_postings_push(&joined.postings,
                         (struct pd_posting){pd_random_below(&state, 9), 0,
                                             pd_random_below(&state, DOCUMENTS), 1 | query, k});
    }
    const struct pd_postings *p = &joined.postings;
    for (size_t x = 0; x < p->n; x++)
        for (size_t y = 0; y < p->n; y++)
            if (p->v[x].sig == p->v[y].sig && p->v[x].doc < p->v[y].doc &&
                !(p->v[x].nsigs & PD_QUERY_ONLY))
                dots_push(&want, (struct dot){p->v[x].doc, p->v[y].doc,
                                              pd_ij(p->v[x].unit, p->v[y].unit)});
    struct pd_commons aside = {0};
    pd_classes_collapse(&joined.postings, 0, false, &aside);
    joined.own = joined.postings.n;
    pd_joined_take_sides(&joined);
    expand(&joined, DOCUMENTS, 4000, &got);
    pd_sort_records(want.v, want.n, DOT_WORDS, DOT_WORDS);
    pd_sort_records(got.v, got.n, DOT_WORDS, DOT_WORDS);
    CU_ASSERT(want.n > 100);
    CU_ASSERT_EQUAL(got.n, want.n);
    CU_ASSERT(got.n != want.n || memcmp(got.v, want.v, got.n * sizeof *got.v) == 0);
    pd_joined_release(&joined);
    dots_release(&want);
    dots_release(&got);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_against_all_pairs),
                                        PD_TEST(test_long_lists_are_cut),
                                        PD_TEST(test_ledger_names_the_first_occurrence),
                                        PD_TEST(test_names_have_128_bits),
                                        PD_TEST(test_matches),
                                        PD_TEST(test_sides),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "join/classes", tests);
}

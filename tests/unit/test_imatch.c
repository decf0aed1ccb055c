/* I-Match: bounds of the idf range, sets not sequences, vocabulary counts. */
#include "pardup/feature/imatch.h"

#include "pardup/feature/signer.h"
#include "pardup/feature/vocabulary.h"
#include "pd_cunit.h"
#include "pd_random.h"

static void test_bounds_are_inclusive(void)
{
    /* N = 10^10, df = 10^9: idf is 0.1 exactly in theory, within the tolerance in floating point */
    CU_ASSERT_DOUBLE_EQUAL(pd_imatch_idf(1000000000u, 10000000000u), 0.1, 1e-12);
    CU_ASSERT(pd_imatch_counts(1000000000u, 10000000000u, 0.1, 1.0));
    CU_ASSERT_FALSE(pd_imatch_counts(1000000001u, 10000000000u, 0.1, 1.0));
    CU_ASSERT(pd_imatch_counts(1, 7, 0.1, 1.0)); /* a word of one document: idf is 1 */
    CU_ASSERT(pd_imatch_counts(7, 7, 0, 1));
    CU_ASSERT_FALSE(pd_imatch_counts(7, 7, 0.1, 1));
    CU_ASSERT(pd_imatch_counts(10, 1000, 0.5, 0.67));
    CU_ASSERT_FALSE(pd_imatch_counts(1, 1000, 0.5, 0.67));
}

/* An idf that is a bound in theory lies beside it in floating point, and counts. */
static void test_bounds_absorb_rounding(void)
{
    CU_ASSERT(pd_imatch_idf(16, 32) < 0.2);
    CU_ASSERT(pd_imatch_counts(16, 32, 0.2, 1));
    CU_ASSERT_FALSE(pd_imatch_counts(17, 32, 0.2, 1));
    CU_ASSERT(pd_imatch_idf(10, 1000) > 2. / 3);
    CU_ASSERT(pd_imatch_counts(10, 1000, 0, 2. / 3));
    CU_ASSERT_FALSE(pd_imatch_counts(9, 1000, 0, 2. / 3));
    const struct pd_df_range of_32 = pd_imatch_range(32, 0.2, 1, 0, 1);
    CU_ASSERT_EQUAL(of_32.end, 17);
    const struct pd_df_range of_1000 = pd_imatch_range(1000, 0, 2. / 3, 0, 1);
    CU_ASSERT_EQUAL(of_1000.least, 10);
}

static pd_sig sign(const uint64_t *terms, size_t n)
{
    struct pd_imatch m = {0};
    for (size_t k = 0; k < n; k++)
        pd_imatch_add(&m, terms[k]);
    return pd_imatch_signature(&m);
}

static void test_order_does_not_matter(void)
{
    const uint64_t a[] = {1, 2, 3}, b[] = {3, 1, 2}, c[] = {1, 2}, d[] = {1, 2, 4};
    CU_ASSERT_EQUAL(sign(a, 3), sign(b, 3));
    CU_ASSERT_NOT_EQUAL(sign(a, 3), sign(c, 2));
    CU_ASSERT_NOT_EQUAL(sign(a, 3), sign(d, 3));
}

/* Each lexicon but the first has two terms in three, and each has others. */
static void test_lexicons(void)
{
    enum { TERMS = 3000, LEXICONS = 3 };
    static uint64_t terms[TERMS];
    static unsigned char flags[TERMS];
    uint32_t words[1 + PD_WORDS_AHEAD] = {0}, names[LEXICONS + 1] = {0};
    struct pd_signer s = {.kind = PD_FEATURE_WORDS, .lexicons = LEXICONS};
    const struct pd_unit unit = {.words = words, .nwords = 1};
    for (uint32_t k = 0; k < TERMS; k++)
        terms[k] = pd_mix(k);
    pd_signer_use(&s, terms, flags, TERMS);
    for (words[0] = 0; words[0] < TERMS; words[0]++)
        names[pd_signer_sign(&s, &unit)]++;
    CU_ASSERT_EQUAL(names[0], 0);
    CU_ASSERT_DOUBLE_EQUAL((double)names[1] / TERMS, 1.0 / 9, 0.03);
    CU_ASSERT_DOUBLE_EQUAL((double)names[2] / TERMS, 4.0 / 9, 0.03);
    CU_ASSERT_DOUBLE_EQUAL((double)names[3] / TERMS, 4.0 / 9, 0.03);
    pd_signer_release(&s);
}

static void test_vocabulary(void)
{
    enum { TERMS = 300000 }; /* tables that are allocated in huge pages, too */
    struct pd_vocabulary v = {0};
    uint64_t seed = 3, *terms = pd_realloc(NULL, TERMS, sizeof *terms);
    uint32_t *df = pd_realloc(NULL, TERMS, sizeof *df), wrong = 0;
    for (uint32_t k = 0; k < TERMS; k++)
        wrong += pd_vocabulary_enter(&v, pd_mix(k))->entry != k + 1;
    for (uint32_t doc = 1; doc <= 100; doc++)
        for (int repeat = 0; repeat < 3; repeat++) /* counts once a document */
            for (uint32_t k = 0; k < doc; k++)
                wrong += pd_vocabulary_count(pd_vocabulary_enter(&v, pd_mix(k)), doc) != k;
    pd_vocabulary_list(&v, terms, df);
    for (uint32_t k = 0; k < TERMS; k++)
        wrong += terms[k] != pd_mix(k) || df[k] != (k < 100 ? 100 - k : 0);
    for (int k = 0; k < 1000; k++) {
        const uint32_t n = pd_random_below(&seed, TERMS);
        wrong += pd_vocabulary_find(&v, pd_mix(n)) != n;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(v.n, TERMS);
    CU_ASSERT_EQUAL(pd_vocabulary_find(&v, pd_mix(TERMS)), UINT32_MAX);
    pd_vocabulary_release(&v);
    free(terms);
    free(df);
}

/*
 * Counts and stamps move with their words when there are more slots; zero is a term like any other.
 */
static void test_vocabulary_grows(void)
{
    enum { TERMS = 5000 };
    struct pd_vocabulary v = {0};
    uint64_t terms[TERMS];
    uint32_t df[TERMS];
    for (uint64_t k = 0; k < TERMS; k++) {
        const uint64_t term = k << 50; /* all want the same slots */
        CU_ASSERT_PTR_NULL(pd_vocabulary_met(&v, term));
        pd_vocabulary_count(pd_vocabulary_enter(&v, term), 7);
        pd_vocabulary_count(pd_vocabulary_enter(&v, 0), 7);
    }
    CU_ASSERT_EQUAL(v.n, TERMS);
    CU_ASSERT_EQUAL(pd_vocabulary_met(&v, 0)->entry, 1);
    pd_vocabulary_list(&v, terms, df);
    for (uint64_t k = 0; k < TERMS; k++)
        CU_ASSERT(terms[k] == k << 50 && df[k] == 1);
    pd_vocabulary_clear(&v);
    CU_ASSERT_EQUAL(pd_vocabulary_find(&v, 0), UINT32_MAX);
    CU_ASSERT_PTR_NULL(pd_vocabulary_met(&v, 0));
    pd_vocabulary_release(&v);
}

/* The range against every document frequency, one by one. */
static void check_range(uint64_t documents, double lo, double hi, uint64_t always, double share)
{
    const struct pd_df_range range = pd_imatch_range(documents, lo, hi, always, share);
    uint64_t wrong = 0;
    for (uint64_t df = 1; df <= documents; df++) {
        const bool takes_part = pd_imatch_counts(df, documents, df <= always ? -1 : lo, hi) &&
                                (double)df <= share * (double)documents;
        wrong += takes_part != (range.least <= df && df < range.end);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_range(void)
{
    static const double bounds[] = {0, 0.1, 0.2, 0.5, 0.9, 1};
    for (uint64_t documents = 0; documents < 300; documents += documents < 20 ? 1 : 37)
        for (size_t i = 0; i < 6; i++)
            for (size_t j = i; j < 6; j++)
                for (double share = 0.05; share < 1.1; share += 0.19)
                    for (uint64_t always = 0; always < 400; always = 3 * always + 1)
                        check_range(documents, bounds[i], bounds[j], always, share);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_bounds_are_inclusive),
                                        PD_TEST(test_bounds_absorb_rounding),
                                        PD_TEST(test_order_does_not_matter),
                                        PD_TEST(test_lexicons),
                                        PD_TEST(test_range),
                                        PD_TEST(test_vocabulary),
                                        PD_TEST(test_vocabulary_grows),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "feature/imatch", tests);
}

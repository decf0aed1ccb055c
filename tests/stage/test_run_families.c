/*
 * tests/stage/test_run_families.c - families of random passages, beside slow code: members, their
 * representatives, dates, families of whole documents, with and without sources of an index.
 */
#include <stdio.h>
#include <string.h>

#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pd_random.h"
#include "run/stage/families/families.h"
#include "slow_families.h"
#include "stage.h"

enum { DOCS = 24, SOURCES = 6, ALL = DOCS + SOURCES };

/* Passages in the order of /passages. */
struct passages {
    struct pd_rows rows;
    struct pd_pairs pairs;
    uint64_t lengths[ALL];
    struct pd_date dates[ALL];
    size_t pair, row; /* given so far */
    size_t dated;
};

/* ---- what the stage asks for ---- */

static int next_pair(void *ctx, struct pd_rows *rows, struct pd_pair *pair, uint64_t *first)
{
    struct passages *p = ctx;
    if (p->pair == p->pairs.n)
        return PD_END;
    *pair = p->pairs.v[p->pair++];
    *first = p->row;
    for (uint64_t k = 0; k < pair->passages; k++)
        pd_rows_push(rows, p->rows.v[p->row++]);
    return PD_OK;
}

static int length_of(void *ctx, pd_doc doc, uint64_t *bytes)
{
    *bytes = ((struct passages *)ctx)->lengths[doc];
    return PD_OK;
}

static int holder_of(void *ctx, pd_doc doc)
{
    (void)ctx;
    (void)doc;
    return 0;
}

static int next_dated(void *ctx, pd_doc *doc, struct pd_date *date)
{
    struct passages *p = ctx;
    while (p->dated < DOCS && !pd_date_is_known(p->dates[p->dated]))
        p->dated++;
    if (p->dated == DOCS)
        return PD_END;
    *date = p->dates[p->dated];
    *doc = p->dated++;
    return PD_OK;
}

/* ---- random passages ---- */

static uint64_t random_span(uint64_t *seed)
{
    const uint32_t begin = 150 * pd_random_below(seed, 12) + pd_random_below(seed, 3);
    return pd_ij(begin, begin + 10 + pd_random_below(seed, 600));
}

static void add_pair(struct passages *p, uint64_t *seed, pd_doc a, pd_doc b)
{
    const uint32_t n = 1 + pd_random_below(seed, 3);
    for (uint32_t k = 0; k < n; k++)
        pd_rows_push(&p->rows, (struct pd_row){.a = a,
                                               .b = b,
                                               .bytes_a = random_span(seed),
                                               .bytes_b = random_span(seed),
                                               .words = pd_ij(1 + pd_random_below(seed, 50),
                                                              1 + pd_random_below(seed, 50))});
    pd_pairs_push(&p->pairs, (struct pd_pair){.a = a,
                                              .b = b,
                                              .passages = n,
                                              .coverage_a = pd_random_below(seed, 11) / 10.0,
                                              .coverage_b = pd_random_below(seed, 11) / 10.0,
                                              .resemblance = pd_random_below(seed, 11) / 10.0});
}

static void make_passages(struct passages *p, uint64_t *seed, bool sources)
{
    const uint32_t one_in = 6 + pd_random_below(seed, 12);
    *p = (struct passages){.row = 0};
    for (size_t k = 0; k < ALL; k++) {
        char date[16];
        static const char *const forms[] = {"20%02u-0%u", "20%02u", "20%02u?", "c. 20%02u",
                                            "20%02u-2016"};
        const unsigned year = 10 + pd_random_below(seed, 6), month = 1 + pd_random_below(seed, 9);
        const int n = snprintf(date, sizeof date, forms[pd_random_below(seed, 5)], year, month);
        p->lengths[k] = 900 + pd_random_below(seed, 4);
        p->dates[k] =
            k < DOCS && pd_random_below(seed, 3) ? pd_date_parse(date, (size_t)n) : PD_NO_DATE;
    }
    for (pd_doc a = 0; a < DOCS; a++)
        for (pd_doc b = sources ? DOCS : a + 1; b < (sources ? ALL : DOCS); b++)
            if (pd_random_below(seed, one_in) == 0)
                add_pair(p, seed, a, b);
}

/* ---- beside the program ---- */

/* Documents in families, and in the largest one. */
static void expect_documents(const struct slow_input *in, const struct slow_families *f,
                             const struct pd_family_counts *c)
{
    uint64_t documents = 0, greatest = 0;
    for (size_t family = 0; family < f->ndocument_families; family++) {
        uint64_t n = 0;
        for (size_t k = 0; k < in->ndocs; k++)
            n += f->document_family[k] == (int64_t)family;
        documents += n;
        greatest = n > greatest ? n : greatest;
    }
    CU_ASSERT_TRUE(c->whole == f->ndocument_families && c->documents == documents);
    CU_ASSERT_EQUAL(c->greatest, greatest);
}

static void expect_counts(const struct slow_input *in, const struct slow_families *f,
                          const struct pd_family_counts *c)
{
    CU_ASSERT_TRUE(c->families == f->nfamilies && c->members == f->nmembers);
    expect_documents(in, f, c);
}

static void expect_answers(const struct slow_input *in, const struct slow_families *slow,
                           struct pd_families *f)
{
    for (size_t row = 0; row < in->nrows; row++) {
        uint64_t family = UINT64_MAX;
        CU_ASSERT_EQUAL(pd_families_of(f, row, &family), PD_OK);
        CU_ASSERT_EQUAL(family, slow->row_family[row]);
    }
    for (size_t doc = 0; doc < in->ndocs; doc++) {
        int64_t family = -2;
        CU_ASSERT_EQUAL(pd_families_of_document(f, doc, &family), PD_OK);
        CU_ASSERT_EQUAL(pd_families_of_document(f, doc, &family), PD_OK);
        CU_ASSERT_EQUAL(family, slow->document_family[doc]);
    }
}

/* Write the tables, and read them. */
static void expect_tables(const struct slow_input *in, const struct slow_families *slow,
                          struct pd_families *f)
{
    struct pd_family_counts counts = {0};
    struct pd_writer *w;
    struct pd_result *r;
    char path[512];
    snprintf(path, sizeof path, "%.400s/families.h5", stage_folder());
    CU_ASSERT_EQUAL_FATAL(pd_writer_open(&test_comm, path, PD_COMPRESS_DEFLATE, &w), PD_OK);
    CU_ASSERT_EQUAL(pd_families_write(f, w, &counts), PD_OK);
    CU_ASSERT_EQUAL(pd_writer_commit(w), PD_OK);
    expect_counts(in, slow, &counts);
    r = stage_result_open(path);
    slow_families_expect(in, slow, r);
    stage_result_close(r);
}

static const struct stage_random few = {.docs = DOCS, .units = 1, .words = 2, .different = 9};

static size_t try_passages(uint64_t seed, bool sources, bool whole, bool dates)
{
    struct stage_docs d = {0};
    struct stage s;
    struct passages p;
    struct slow_families slow;
    struct pd_families *f;
    stage_docs_random(&d, &seed, &few);
    make_passages(&p, &seed, sources);
    for (size_t k = 0; k < ALL && !dates; k++)
        p.dates[k] = PD_NO_DATE;
    stage_open(&s,
               whole ? "--units document --gamma 0 --tau 0.4 --memory 1M"
                     : "--method pdc-imatch --family-coverage 0.3",
               &d);
    s.job.foreign_sources = sources ? SOURCES : 0;
    const struct slow_input in = {.rows = p.rows.v,
                                  .nrows = p.rows.n,
                                  .pairs = p.pairs.v,
                                  .npairs = p.pairs.n,
                                  .lengths = p.lengths,
                                  .dates = p.dates,
                                  .ndocs = sources ? ALL : DOCS,
                                  .sources_from = DOCS,
                                  .whole = whole,
                                  .least = whole ? 0.4 : 0.3};
    const struct pd_families_from from = {
        &p, next_pair, length_of, holder_of, dates ? next_dated : NULL, 0};
    slow_families_find(&in, &slow);
    CU_ASSERT_EQUAL(pd_families_find_in(&s.job, &from, &f), PD_OK);
    expect_answers(&in, &slow, f);
    expect_tables(&in, &slow, f);
    const size_t families = slow.nfamilies + slow.ndocument_families;
    pd_families_close(f);
    slow_families_release(&slow);
    pd_rows_release(&p.rows);
    pd_pairs_release(&p.pairs);
    stage_close(&s);
    stage_docs_release(&d);
    return families;
}

static void test_passages_of_documents(void)
{
    size_t families = 0;
    for (uint64_t seed = 1; seed <= 8; seed++)
        families += try_passages(seed, false, seed % 2, seed % 4 != 0);
    CU_ASSERT_TRUE(families > 40);
}

static void test_sources_of_an_index(void)
{
    size_t families = 0;
    for (uint64_t seed = 11; seed <= 16; seed++)
        families += try_passages(seed, true, false, seed % 2);
    CU_ASSERT_TRUE(families > 40);
}

static void test_without_passages(void)
{
    struct stage_docs d = {0};
    struct stage s;
    struct passages p = {.row = 0};
    struct pd_families *f;
    uint64_t seed = 1;
    stage_docs_random(&d, &seed, &few);
    stage_open(&s, "--method pdc-imatch", &d);
    const struct pd_families_from from = {&p, next_pair, length_of, holder_of, NULL, 0};
    const struct slow_input in = {.lengths = p.lengths, .dates = p.dates, .ndocs = DOCS};
    struct slow_families slow;
    slow_families_find(&in, &slow);
    CU_ASSERT_EQUAL(pd_families_find_in(&s.job, &from, &f), PD_OK);
    expect_answers(&in, &slow, f);
    expect_tables(&in, &slow, f);
    pd_families_close(f);
    slow_families_release(&slow);
    stage_close(&s);
    stage_docs_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_passages_of_documents),
                                        PD_TEST(test_sources_of_an_index),
                                        PD_TEST(test_without_passages), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stage/families", tests);
}

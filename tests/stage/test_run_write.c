/*
 * tests/stage/test_run_write.c - the result file has what the stages before have found: rows,
 * pairs, documents, files, common classes, templates, skipped records, families; and families that
 * are made anew.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/base/log.h"
#include "pardup/result/rows.h"
#include "pardup/run/families.h"
#include "pd_random.h"
#include "run/stage/write/provenance.h"
#include "slow_families.h"
#include "stage.h"

/* ---- what the job knows ---- */

/* A pair by its definition, from the rows of it. */
static struct pd_pair pair_of(const struct pd_row *v, size_t n, bool whole)
{
    struct pd_pair p = {.a = v->a, .b = v->b, .passages = n, .resemblance = NAN};
    const uint32_t words[] = {(uint32_t)(v->own >> 32), (uint32_t)v->own};
    uint32_t covered[2] = {0, 0};
    for (size_t k = 0; k < n; k++) {
        p.matched += v[k].matched;
        p.score += (double)v[k].matched * v[k].similarity;
    }
    for (int side = 0; side < 2; side++)
        for (uint32_t word = 0; word < words[side]; word++) {
            bool inside = false;
            for (size_t k = 0; k < n; k++) {
                const uint64_t own = side ? v[k].own_b : v[k].own_a;
                inside |= word >= own >> 32 && word < (uint32_t)own;
            }
            covered[side] += inside;
        }
    p.coverage_a = (double)covered[0] / words[0];
    p.coverage_b = (double)covered[1] / words[1];
    if (whole)
        p.resemblance = v->similarity;
    return p;
}

static void list_pairs(const struct pd_rows *rows, bool whole, struct pd_pairs *pairs)
{
    for (size_t k = 0, end; k < rows->n; k = end) {
        for (end = k;
             end < rows->n && rows->v[end].a == rows->v[k].a && rows->v[end].b == rows->v[k].b;)
            end++;
        pd_pairs_push(pairs, pair_of(rows->v + k, end - k, whole));
    }
}

/* ---- tables ---- */

static bool is_count(struct pd_result *r, const char *table, const char *column, uint64_t row,
                     uint64_t value)
{
    return (uint64_t)stage_cell(r, table, column, row) == value;
}

static void expect_passages(const struct pd_rows *rows, const struct slow_families *f,
                            struct pd_result *r)
{
    static const struct {
        const char *name;
        size_t at; /* index of the u64 in a row */
        int half;  /* 1: the high half; 0: the low half; -1: all */
    } columns[] = {{"doc_a", 0, -1},   {"doc_b", 1, -1},   {"start_a", 2, 1},  {"start_b", 2, 0},
                   {"length_a", 3, 1}, {"length_b", 3, 0}, {"begin_a", 4, 1},  {"end_a", 4, 0},
                   {"begin_b", 5, 1},  {"end_b", 5, 0},    {"matched", 7, -1}, {"words_a", 9, 1},
                   {"words_b", 9, 0}};
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "passages"), rows->n);
    for (size_t k = 0; k < rows->n; k++) {
        uint64_t v[PD_ROW_U64S];
        memcpy(v, &rows->v[k], sizeof v);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            const uint64_t all = v[columns[c].at];
            CU_ASSERT_TRUE(is_count(r, "passages", columns[c].name, k,
                                    columns[c].half < 0   ? all
                                    : columns[c].half > 0 ? all >> 32
                                                          : (uint32_t)all));
        }
        CU_ASSERT_EQUAL(stage_real(r, "passages", "similarity", k), rows->v[k].similarity);
        CU_ASSERT_EQUAL(stage_real(r, "passages", "agreement", k), rows->v[k].agreement);
        CU_ASSERT_TRUE(is_count(r, "passages", "family", k, f->row_family[k]));
    }
}

static void expect_pairs(const struct pd_pairs *pairs, struct pd_result *r)
{
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "pairs"), pairs->n);
    for (size_t k = 0; k < pairs->n; k++) {
        const struct pd_pair *p = &pairs->v[k];
        const double resemblance = stage_real(r, "pairs", "resemblance", k);
        CU_ASSERT_TRUE(is_count(r, "pairs", "doc_a", k, p->a));
        CU_ASSERT_TRUE(is_count(r, "pairs", "doc_b", k, p->b));
        CU_ASSERT_TRUE(is_count(r, "pairs", "passages", k, p->passages));
        CU_ASSERT_TRUE(is_count(r, "pairs", "matched", k, p->matched));
        CU_ASSERT_DOUBLE_EQUAL(stage_real(r, "pairs", "score", k), p->score, 1e-9);
        CU_ASSERT_EQUAL(stage_real(r, "pairs", "coverage_a", k), p->coverage_a);
        CU_ASSERT_EQUAL(stage_real(r, "pairs", "coverage_b", k), p->coverage_b);
        CU_ASSERT_TRUE(isnan(p->resemblance) ? isnan(resemblance) : resemblance == p->resemblance);
    }
}

/* What a table should say of each document, as it was made. */
static void expect_documents(const struct stage_docs *d, const struct pd_job *job,
                             const struct slow_families *f, struct pd_result *r)
{
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "documents"), d->docs.n);
    for (size_t k = 0; k < d->docs.n; k++) {
        const struct stage_doc *doc = &d->docs.v[k];
        struct pd_bytes text = {0};
        char id[24], host[4096];
        const char *path = job->collection.files.v[doc->file].path;
        snprintf(id, sizeof id, "d%zu", k);
        snprintf(host, sizeof host, "%.*s",
                 strchr(path, '/') ? (int)(strrchr(path, '/') - path) : 0,
                 path); /* without an address, the folder */
        if (*doc->url)
            snprintf(host, sizeof host, "%.*s", (int)strcspn(doc->url + 7, "/"), doc->url + 7);
        stage_text(d, k, &text, NULL);
        CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "documents", "id", k), id);
        CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "documents", "url", k), doc->url);
        CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "documents", "host", k), host);
        CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "documents", "date", k), doc->date);
        CU_ASSERT_TRUE(is_count(r, "documents", "file", k, doc->file));
        CU_ASSERT_TRUE(is_count(r, "documents", "sentences", k, doc->nunits));
        CU_ASSERT_TRUE(is_count(r, "documents", "words", k, doc->nwords));
        CU_ASSERT_TRUE(is_count(r, "documents", "text_bytes", k, text.n));
        CU_ASSERT_TRUE(is_count(r, "documents", "text_hash", k, pd_hash_bytes(text.v, text.n)));
        CU_ASSERT_EQUAL(stage_cell(r, "documents", "family", k), f->document_family[k]);
        pd_bytes_release(&text);
    }
}

static void expect_files(const struct stage_docs *d, const struct pd_job *job, struct pd_result *r)
{
    const struct pd_files *files = &job->collection.files;
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "files"), files->n);
    for (size_t k = 0; k < files->n; k++) {
        uint64_t documents = 0, skipped = 0;
        for (size_t i = 0; i < d->docs.n; i++)
            documents += d->docs.v[i].file == k;
        for (size_t i = 0; i < d->skips.n; i++)
            skipped += d->skips.v[i].file == k;
        CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "files", "path", k), files->v[k].path);
        CU_ASSERT_TRUE(is_count(r, "files", "bytes", k, files->v[k].bytes));
        CU_ASSERT_TRUE(is_count(r, "files", "documents", k, documents));
        CU_ASSERT_TRUE(is_count(r, "files", "skipped", k, skipped));
    }
}

static void expect_common(const struct pd_job *job, struct pd_result *r)
{
    const struct pd_commons *c = &job->matches.common;
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "common"), c->n);
    for (size_t k = 0; k < c->n; k++)
        CU_ASSERT_TRUE(is_count(r, "common", "hash", k, c->v[k].sig) &&
                       is_count(r, "common", "df", k, c->v[k].df) &&
                       is_count(r, "common", "doc", k, c->v[k].doc) &&
                       is_count(r, "common", "sentence", k, c->v[k].unit));
}

/* Is template t in the row? */
static bool is_template(const struct pd_template *t, struct pd_result *r, uint64_t row)
{
    return is_count(r, "templates", "doc", row, t->doc) &&
           is_count(r, "templates", "sentence", row, t->unit) &&
           is_count(r, "templates", "hash", row, t->text) &&
           is_count(r, "templates", "pages", row, t->pages) &&
           is_count(r, "templates", "words", row, t->words);
}

/* Does template x come before y? An imprint comes before the template of the same unit. */
static bool comes_before(const struct pd_template *x, const struct pd_template *y)
{
    if (x->doc != y->doc)
        return x->doc < y->doc;
    return x->unit != y->unit ? x->unit < y->unit : x->why < y->why;
}

static void expect_templates(const struct stage_docs *d, const struct pd_job *job,
                             struct pd_result *r)
{
    const struct pd_templates *t = &job->matches.templates;
    bool sites[10] = {false};
    uint64_t nsites = 0;
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "templates"), t->n);
    for (size_t k = 0; k < t->n; k++) {
        size_t before = 0;
        for (size_t i = 0; i < t->n; i++)
            before += comes_before(&t->v[i], &t->v[k]);
        const char *url = d->docs.v[t->v[k].doc].url;
        CU_ASSERT_TRUE(is_template(&t->v[k], r, before));
        const char *host = stage_text_cell(r, "templates", "host", before);
        const bool imprint = t->v[k].why == PD_ASIDE_IMPRINT;
        CU_ASSERT_EQUAL(strncmp(host, imprint ? "" : url + 7, imprint ? 1 : 4), 0);
        if (imprint)
            continue;
        nsites += !sites[url[8] - '0'];
        sites[url[8] - '0'] = true;
    }
    CU_ASSERT_TRUE(job->written.templates == t->n && job->written.template_sites == nsites);
}

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t)) ? (*(const uint64_t *)a < *(const uint64_t *)b ? -1 : 1)
           : ((const struct pd_skiprec *)a)->offset < ((const struct pd_skiprec *)b)->offset ? -1
                                                                                             : 1;
}

static void expect_skipped(const struct stage_docs *d, struct pd_result *r)
{
    struct pd_skiprecs v = {0};
    pd_skiprecs_append(&v, d->skips.v, d->skips.n);
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, by_place);
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "skipped"), v.n);
    for (size_t k = 0; k < v.n; k++) {
        CU_ASSERT_TRUE(is_count(r, "skipped", "file", k, v.v[k].file) &&
                       is_count(r, "skipped", "offset", k, v.v[k].offset) &&
                       is_count(r, "skipped", "skip", k, v.v[k].skip));
        CU_ASSERT_STRING_EQUAL(stage_text_cell(r, "skipped", "reason", k),
                               pd_skip_name((enum pd_skip)v.v[k].why));
    }
    pd_skiprecs_release(&v);
}

static void expect_attribute(struct pd_result *r, const char *name, uint64_t value)
{
    uint64_t got = UINT64_MAX;
    CU_ASSERT_TRUE(pd_result_count(r, name, &got) && got == value);
}

static void expect_attributes(const struct stage_docs *d, const struct pd_job *job,
                              struct pd_result *r)
{
    char *text;
    expect_attribute(r, "documents", d->docs.n);
    expect_attribute(r, "documents_with_sentences", d->docs.n);
    expect_attribute(r, "sentences", d->units.n);
    expect_attribute(r, "words", d->words.n);
    expect_attribute(r, "skipped_records", d->skips.n);
    expect_attribute(r, "terms_left_out", job->counted.terms_left_out);
    expect_attribute(r, "templates_found", job->matches.templates.n);
    expect_attribute(r, "template_units",
                     job->gathered.asides.units - job->gathered.asides.doubtful_units);
    expect_attribute(r, "template_words",
                     job->gathered.asides.words - job->gathered.asides.doubtful_words);
    expect_attribute(r, "gamma", (uint64_t)job->options->method.gamma);
    expect_attribute(r, "max_df", (uint64_t)job->options->method.max_df);
    CU_ASSERT_EQUAL_FATAL(pd_result_text(r, "preset_chosen", &text), PD_OK);
    CU_ASSERT_STRING_EQUAL(text, "paper");
    free(text);
}

/* ---- a job ---- */

static void make_docs(struct stage_docs *d, uint64_t *seed)
{
    static const struct stage_random how = {
        .docs = 29, .units = 9, .words = 4, .different = 30, .copied = 45, .changed = 3};
    stage_docs_random(d, seed, &how);
    for (size_t k = 0; k < d->docs.n; k++)
        if (k % 7)
            snprintf(d->docs.v[k].url, sizeof d->docs.v[k].url, "http://h%zu.example/n%zu", k % 2,
                     k);
}

static void run(struct pd_job *job)
{
    CU_ASSERT_EQUAL(pd_job_count(job), PD_OK);
    CU_ASSERT_EQUAL(pd_job_gather(job), PD_OK);
    CU_ASSERT_EQUAL(pd_job_join(job), PD_OK);
    CU_ASSERT_EQUAL(pd_job_align(job), PD_OK);
}

/* What the families of a result are made of. `in` borrows from all. */
struct known {
    struct pd_rows rows;
    struct pd_pairs pairs;
    struct pd_u64s lengths;
    struct pd_date *dates;
    struct slow_input in;
    struct slow_families families;
};

static void know(struct known *k, const struct stage_docs *d, struct pd_job *job, double least)
{
    const bool whole = job->form.kind == PD_FORM_WHOLE;
    *k = (struct known){.rows = {0}};
    stage_read_rows(job, &k->rows);
    list_pairs(&k->rows, whole, &k->pairs);
    k->dates = pd_realloc(NULL, d->docs.n + 1, sizeof *k->dates);
    for (size_t doc = 0; doc < d->docs.n; doc++) {
        struct pd_bytes text = {0};
        stage_text(d, doc, &text, NULL);
        pd_u64s_push(&k->lengths, text.n);
        k->dates[doc] = pd_date_parse(d->docs.v[doc].date, strlen(d->docs.v[doc].date));
        pd_bytes_release(&text);
    }
    k->in = (struct slow_input){.rows = k->rows.v,
                                .nrows = k->rows.n,
                                .pairs = k->pairs.v,
                                .npairs = k->pairs.n,
                                .lengths = k->lengths.v,
                                .dates = k->dates,
                                .ndocs = d->docs.n,
                                .sources_from = d->docs.n,
                                .whole = whole,
                                .least = least};
    slow_families_find(&k->in, &k->families);
}

static void forget(struct known *k)
{
    pd_rows_release(&k->rows);
    pd_pairs_release(&k->pairs);
    pd_u64s_release(&k->lengths);
    free(k->dates);
    slow_families_release(&k->families);
}

/* Is the first occurrence of a row in front of that of the row behind it? */
static void expect_order(struct pd_result *r, uint64_t row)
{
    const uint64_t docs[] = {(uint64_t)stage_cell(r, "aside", "doc", row),
                             (uint64_t)stage_cell(r, "aside", "doc", row + 1)};
    CU_ASSERT_TRUE(docs[0] < docs[1] ||
                   (docs[0] == docs[1] && (uint64_t)stage_cell(r, "aside", "unit", row) <=
                                              (uint64_t)stage_cell(r, "aside", "unit", row + 1)));
}

/* How many rows of /aside say this, with a site that begins so? */
static uint64_t asides_that_say(struct pd_result *r, const struct pd_aside_row *say,
                                const char *reason, const char *site)
{
    uint64_t n = 0;
    for (uint64_t row = 0; row < stage_rows(r, "aside"); row++)
        n += strcmp(stage_text_cell(r, "aside", "reason", row), reason) == 0 &&
             strncmp(stage_text_cell(r, "aside", "site", row), site, *site ? 4 : 1) == 0 &&
             is_count(r, "aside", "hash", row, say->hash) &&
             is_count(r, "aside", "documents", row, say->documents) &&
             is_count(r, "aside", "doc", row, say->doc) &&
             is_count(r, "aside", "unit", row, say->unit) &&
             is_count(r, "aside", "words", row, say->words);
    return n;
}

/* /aside: common classes, each with the words of its first unit, and templates. */
static void expect_asides(const struct stage_docs *d, const struct pd_job *job, struct pd_result *r)
{
    static const char *const reasons[] = {[PD_ASIDE_COMMON] = "common",
                                          [PD_ASIDE_WHOLE] = "common",
                                          [PD_ASIDE_IMPRINT] = "imprint",
                                          [PD_ASIDE_TEMPLATE] = "template",
                                          [PD_ASIDE_STUB] = "stub"};
    const struct pd_commons *c = &job->matches.common;
    const struct pd_templates *t = &job->matches.templates;
    const bool whole = job->form.kind == PD_FORM_WHOLE;
    CU_ASSERT_EQUAL_FATAL(stage_rows(r, "aside"), c->n + t->n);
    for (uint64_t row = 0; row + 1 < c->n + t->n; row++)
        expect_order(r, row);
    for (size_t k = 0; k < c->n; k++) {
        const size_t doc = c->v[k].doc;
        const uint64_t words = whole || c->v[k].why == PD_ASIDE_WHOLE
                                   ? d->docs.v[doc].nwords
                                   : stage_unit_of(d, doc, (uint32_t)c->v[k].unit)->nwords;
        const struct pd_aside_row say = {.doc = doc,
                                         .unit = c->v[k].unit,
                                         .hash = c->v[k].sig,
                                         .documents = c->v[k].df,
                                         .words = words};
        CU_ASSERT_EQUAL(asides_that_say(r, &say, "common", ""), 1);
    }
    for (size_t k = 0; k < t->n; k++) {
        const struct pd_template *v = &t->v[k];
        const struct pd_aside_row say = {.doc = v->doc,
                                         .unit = v->unit,
                                         .hash = v->text,
                                         .documents = v->pages,
                                         .words = v->words};
        const char *site = v->why == PD_ASIDE_IMPRINT ? "" : d->docs.v[v->doc].url + 7;
        CU_ASSERT_EQUAL(asides_that_say(r, &say, reasons[v->why], site), 1);
    }
}

static void expect_result(const struct stage_docs *d, const struct pd_job *job,
                          const struct known *k)
{
    struct pd_result *r;
    r = stage_result_open(job->options->output);
    expect_passages(&k->rows, &k->families, r);
    expect_pairs(&k->pairs, r);
    expect_documents(d, job, &k->families, r);
    expect_files(d, job, r);
    expect_common(job, r);
    expect_templates(d, job, r);
    expect_asides(d, job, r);
    expect_skipped(d, r);
    slow_families_expect(&k->in, &k->families, r);
    expect_attributes(d, job, r);
    stage_result_close(r);
}

/* Make the families of a result anew, with another coverage. */
static void expect_remade(const char *options, const char *path, struct known *k, double least)
{
    struct stage again;
    struct pd_result *r;
    stage_parse(&again, "families", options);
    CU_ASSERT_EQUAL(pd_families_remake(&test_comm, &again.options), PD_OK);
    stage_close(&again);
    slow_families_release(&k->families);
    k->in.least = k->in.whole ? k->in.least : least;
    slow_families_find(&k->in, &k->families);
    r = stage_result_open(path);
    expect_passages(&k->rows, &k->families, r);
    slow_families_expect(&k->in, &k->families, r);
    for (size_t doc = 0; doc < k->in.ndocs; doc++)
        CU_ASSERT_EQUAL(stage_cell(r, "documents", "family", doc),
                        k->families.document_family[doc]);
    stage_result_close(r);
}

/* In a copy, then in the place of the copy. */
static void remake_twice(const struct stage *s, struct known *k)
{
    char options[1400], copy[600];
    snprintf(copy, sizeof copy, "%.500s/remade.h5", stage_folder());
    snprintf(options, sizeof options, "--family-coverage 0.1 -o %s %.600s", copy,
             s->options.output);
    expect_remade(options, copy, k, 0.1);
    snprintf(options, sizeof options, "--family-coverage 0.9 %s", copy);
    expect_remade(options, copy, k, 0.9);
}

static size_t try_job(const char *options, double least, uint64_t seed)
{
    struct stage_docs d = {0};
    struct stage s;
    struct known k;
    make_docs(&d, &seed);
    for (uint64_t skip = 0; skip < 2 * (seed % 9); skip++)
        pd_skiprecs_push(&d.skips, (struct pd_skiprec){0, 1000 - 7 * skip, skip % 3, skip % 5});
    stage_open(&s, options, &d);
    run(&s.job);
    know(&k, &d, &s.job, least);
    CU_ASSERT_EQUAL(pd_job_write(&s.job), PD_OK);
    CU_ASSERT_EQUAL(s.job.written.passages, k.rows.n);
    CU_ASSERT_EQUAL(s.job.written.pairs, k.pairs.n);
    expect_result(&d, &s.job, &k);
    pd_provenance_summary(&s.job);
    remake_twice(&s, &k);
    const size_t found = k.rows.n + s.job.matches.common.n + s.job.matches.templates.n;
    forget(&k);
    stage_close(&s);
    stage_docs_release(&d);
    return found;
}

static void test_tables(void)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        found += try_job("--method pdc-imatch --gamma 0 --idf 0,1 --max-df 4 "
                         "--family-coverage 0.4",
                         0.4, seed);
        found += try_job("--method pdc-imatch --gamma 1 --idf 0,1 --max-df 0 --templates aside "
                         "--family-coverage 0.6 --memory 1M",
                         0.6, seed);
        found += try_job("--units document --gamma 0 --feature words --idf 0,1 --join jaccard "
                         "--tau 0.5 --max-df 0",
                         0.5, seed);
        found += try_job("--method pdc-imatch --gamma 0 --idf 0,1 --max-df 1 --templates aside "
                         "--family-coverage 0.4",
                         0.4, seed);
    }
    CU_ASSERT_TRUE(found > 300);
}

/* Documents of two files of JSON lines, with dates: from reading to the tables. */
static void test_files(void)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct stage_docs d = {0};
        struct stage s;
        struct known k;
        uint64_t state = seed;
        make_docs(&d, &state);
        for (size_t doc = 0; doc < d.docs.n; doc++) {
            d.docs.v[doc].file = doc >= d.docs.n / 2;
            if (doc % 3)
                snprintf(d.docs.v[doc].date, sizeof d.docs.v[doc].date, "200%zu-01-0%u", doc % 10,
                         1 + pd_random_below(&state, 9));
        }
        stage_open_lines(&s,
                         "--method pdc-imatch --gamma 0 --idf 0,1 --max-df 0 "
                         "--family-coverage 0.2 --keep-fields date",
                         &d);
        run(&s.job);
        know(&k, &d, &s.job, 0.2);
        CU_ASSERT_EQUAL(pd_job_write(&s.job), PD_OK);
        expect_result(&d, &s.job, &k);
        CU_ASSERT_TRUE(k.rows.n > 10);
        forget(&k);
        stage_close(&s);
        stage_docs_release(&d);
    }
}

/* ---- the summary ---- */

#define SETS "--feature words --idf 0,1 --max-df 0 --gamma 0 --join jaccard "

/* What a job of a method says when it is done. The job is left open. */
static void summarise(struct stage *s, const struct stage_docs *d, const char *options,
                      struct pd_bytes *said)
{
    char path[600], part[4096];
    stage_open(s, options, d);
    run(&s->job);
    CU_ASSERT_EQUAL(pd_job_write(&s->job), PD_OK);
    snprintf(path, sizeof path, "%.500s/said", stage_folder());
    const int err = dup(STDERR_FILENO), f = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(f, STDERR_FILENO);
    pd_log_open(0, 1, PD_LOG_INFO);
    pd_provenance_summary(&s->job);
    pd_log_open(0, 1, PD_LOG_ERROR);
    dup2(err, STDERR_FILENO);
    close(err);
    lseek(f, 0, SEEK_SET);
    said->n = 0;
    for (ssize_t n; (n = read(f, part, sizeof part)) > 0;)
        pd_bytes_append(said, part, (size_t)n);
    pd_bytes_push(said, 0);
    close(f);
}

/* The number behind some words; UINT64_MAX: the words do not stand there. */
static uint64_t said_number(const struct pd_bytes *said, const char *what)
{
    const char *p = strstr((const char *)said->v, what);
    return p ? strtoull(p + strlen(what), NULL, 10) : UINT64_MAX;
}

static void test_summary(void)
{
    struct stage_docs d = {0};
    struct stage s;
    struct pd_bytes said = {0};
    uint64_t seed = 5;
    make_docs(&d, &seed);
    summarise(&s, &d,
              "--method pdc-imatch --gamma 0 --idf 0,1 --max-df 9 --delta 2 --min-passage-words 4 "
              "--min-agreement 0.5 --skip-same-host --verbose",
              &said);
    const struct pd_left_out *left = &s.job.written.left_out;
    CU_ASSERT_TRUE(left->same_host > 0 && left->below > 0);
    CU_ASSERT_EQUAL(said_number(&said, "  documents "), d.docs.n);
    CU_ASSERT_EQUAL(said_number(&said, "  sentences "), d.units.n);
    CU_ASSERT_EQUAL(said_number(&said, "  passages "), s.job.written.passages);
    CU_ASSERT_EQUAL(said_number(&said, "  document pairs "), s.job.written.pairs);
    CU_ASSERT_EQUAL(said_number(&said, "  common classes aside"), s.job.matches.common.n);
    CU_ASSERT_EQUAL(said_number(&said, "  sentence pairs "), s.job.aligned.dots);
    CU_ASSERT_EQUAL(said_number(&said, "  left out, same host "), left->same_host);
    CU_ASSERT_EQUAL(said_number(&said, "  pairs below "), left->below);
    CU_ASSERT_EQUAL(said_number(&said, "  left out, too short "), left->too_short);
    CU_ASSERT_EQUAL(said_number(&said, "  left out, unlike "), left->unlike);
    stage_close(&s);
    summarise(&s, &d, "--method pdc-imatch --gamma 0 --idf 0,1 --verbose", &said);
    static const char *const not_asked[] = {"left out, same host", "pairs below",
                                            "left out, too short", "left out, unlike",
                                            "similar classes",     "targets"};
    for (size_t k = 0; k < sizeof not_asked / sizeof *not_asked; k++)
        CU_ASSERT_PTR_NULL(strstr((const char *)said.v, not_asked[k]));
    stage_close(&s);
    summarise(&s, &d, SETS "--tau 0.5", &said);
    CU_ASSERT_PTR_NOT_NULL(strstr((const char *)said.v, "  29 documents ("));
    CU_ASSERT_PTR_NULL(strstr((const char *)said.v, "similar classes"));
    stage_close(&s);
    summarise(&s, &d, SETS "--tau 0.5 --max-near 3 --verbose", &said);
    CU_ASSERT_EQUAL(said_number(&said, "  similar classes "), s.job.matches.counts.similar);
    CU_ASSERT_EQUAL(said_number(&said, "  classes compared "), s.job.matches.counts.classes);
    CU_ASSERT_EQUAL(said_number(&said, "  crowded classes "), s.job.matches.counts.crowded);
    stage_close(&s);
    pd_bytes_release(&said);
    stage_docs_release(&d);
}

/* More rows than are taken apart into columns at once. */
static void test_many_rows(void)
{
    struct stage_docs d = {0};
    struct stage s;
    uint64_t seed = 1;
    make_docs(&d, &seed);
    for (uint64_t skip = 0; skip < 10000; skip++)
        pd_skiprecs_push(&d.skips, (struct pd_skiprec){0, 7 * skip, skip % 3, skip % 5});
    stage_open(&s, "--method pdc-imatch --max-df 0", &d);
    run(&s.job);
    CU_ASSERT_EQUAL(pd_job_write(&s.job), PD_OK);
    struct pd_result *r = stage_result_open(s.job.options->output);
    expect_skipped(&d, r);
    stage_result_close(r);
    stage_close(&s);
    stage_docs_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_tables), PD_TEST(test_files),
                                        PD_TEST(test_summary), PD_TEST(test_many_rows),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stage/write", tests);
}

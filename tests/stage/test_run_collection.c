/*
 * tests/stage/test_run_collection.c - reading: which documents get which numbers, their words and
 * sentences, lists and limits, skipped records, sides, pieces of large files; and the ways back to
 * a text, from a result and from the inputs.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pardup/base/date.h"
#include "pardup/base/error.h"
#include "pardup/run/detect.h"
#include "pardup/run/fetch.h"
#include "pardup/run/walk.h"
#include "pd_random.h"
#include "run/stage/collection/unread.h"
#include "stage.h"

static void make_docs(struct stage_docs *d, uint64_t seed)
{
    static const struct stage_random how = {
        .docs = 31, .units = 6, .words = 5, .different = 40, .copied = 30, .changed = 5};
    stage_docs_random(d, &seed, &how);
    for (size_t k = 0; k < d->docs.n; k++) {
        if (k % 4)
            snprintf(d->docs.v[k].url, sizeof d->docs.v[k].url, "http://h%zu.example/%zu", k % 3,
                     k);
        if (k % 5)
            snprintf(d->docs.v[k].date, sizeof d->docs.v[k].date, "2001-0%zu", 1 + k % 9);
        d->docs.v[k].file = k >= 20;
    }
}

/* ---- what was read ---- */

/* The stored document is the one that was made. */
static void expect_stored(struct pd_collection *col, const struct pd_held *held,
                          const struct stage_docs *d, size_t doc)
{
    struct pd_stored stored = {.sentences = {0}};
    struct pd_sentences bounds = {0};
    struct pd_tokens tokens = {0};
    struct pd_bytes text = {0};
    const uint32_t *words = stage_words_of(d, doc, 0);
    stage_text(d, doc, &text, &bounds);
    stage_tokens(d, doc, &tokens);
    CU_ASSERT_EQUAL(pd_collection_open(col, held, &stored), PD_OK);
    pd_stored_words(&stored, 0, (uint32_t)stored.tokens.n);
    CU_ASSERT_TRUE(stored.sentences.n == bounds.n && stored.tokens.n == tokens.n);
    if (stored.sentences.n == bounds.n)
        CU_ASSERT_EQUAL(memcmp(stored.sentences.v, bounds.v, bounds.n * sizeof *bounds.v), 0);
    for (size_t k = 0; k < tokens.n && k < stored.tokens.n; k++) {
        const struct pd_token *t = &stored.tokens.v[k];
        CU_ASSERT_TRUE(t->begin == tokens.v[k].begin && t->end == tokens.v[k].end);
        CU_ASSERT_EQUAL(pd_collection_volume(col, held)->terms.v[t->term], stage_term(words[k]));
    }
    pd_stored_release(&stored);
    pd_sentences_release(&bounds);
    pd_tokens_release(&tokens);
    pd_bytes_release(&text);
}

/* Document `number` of the collection is document `doc` of those that were made. */
static void expect_document(struct pd_collection *col, pd_doc number, const struct stage_docs *d,
                            size_t doc)
{
    struct pd_held held, same;
    struct pd_bytes text = {0};
    char id[24];
    snprintf(id, sizeof id, "d%zu", doc);
    stage_text(d, doc, &text, NULL);
    CU_ASSERT_EQUAL_FATAL(pd_collection_nth(col, number, &held), PD_OK);
    CU_ASSERT_EQUAL(pd_collection_doc(col, number, &same), PD_OK);
    CU_ASSERT_TRUE(held.number == number && same.number == number && same.rec == held.rec);
    CU_ASSERT_EQUAL(pd_collection_holder(col, number), 0);
    const struct pd_docrec *rec = held.rec;
    CU_ASSERT_TRUE(rec->id_n == strlen(id) &&
                   memcmp(pd_collection_id(col, &held), id, rec->id_n) == 0);
    CU_ASSERT_TRUE(
        rec->url_n == strlen(d->docs.v[doc].url) &&
        memcmp(pd_collection_id(col, &held) + rec->id_n, d->docs.v[doc].url, rec->url_n) == 0);
    CU_ASSERT_TRUE(rec->sentences == d->docs.v[doc].nunits && rec->words == d->docs.v[doc].nwords);
    CU_ASSERT_TRUE(rec->text_bytes == text.n && rec->text_hash == pd_hash_bytes(text.v, text.n));
    CU_ASSERT_EQUAL(rec->file, d->docs.v[doc].file);
    expect_stored(col, &held, d, doc);
    pd_bytes_release(&text);
}

/* The collection has documents v[0, n) of those that were made, and totals of them. */
static void expect_collection(struct stage *s, const struct stage_docs *d, const size_t *v,
                              size_t n)
{
    struct pd_collection *col = &s->job.collection;
    struct pd_totals sums = {.documents = n, .with_sentences = n};
    struct pd_held held;
    size_t targets = 0;
    CU_ASSERT_EQUAL(col->ndocs, n);
    for (size_t k = 0; k < n && k < col->ndocs; k++) {
        expect_document(col, k, d, v[k]);
        sums.sentences += d->docs.v[v[k]].nunits;
        sums.words += d->docs.v[v[k]].nwords;
        targets += d->docs.v[v[k]].file == 0;
    }
    CU_ASSERT_EQUAL(pd_collection_doc(col, n, &held), PD_END);
    CU_ASSERT_TRUE(col->totals.documents == n && col->totals.with_sentences == n);
    CU_ASSERT_TRUE(col->totals.sentences == sums.sentences && col->totals.words == sums.words);
    CU_ASSERT_EQUAL(pd_collection_first_source(col), targets);
}

static void test_numbers(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct stage_docs d = {0};
        struct stage s;
        size_t all[64];
        make_docs(&d, seed);
        for (size_t k = 0; k < d.docs.n; k++)
            all[k] = k;
        stage_open_lines(&s, "--method pdc-imatch", &d);
        expect_collection(&s, &d, all, d.docs.n);
        CU_ASSERT_TRUE(s.job.targets.to == 20 && s.job.sources.from == 20);
        CU_ASSERT_TRUE(s.job.targets.from == 0 && s.job.sources.to == d.docs.n);
        stage_close(&s);
        stage_open(&s, "--method pdc-imatch --against sources", &d);
        expect_collection(&s, &d, all, d.docs.n);
        stage_close(&s);
        stage_docs_release(&d);
    }
}

/* ---- some of the documents ---- */

static void test_limit(void)
{
    static const size_t limits[] = {1, 19, 20, 21, 31, 50};
    struct stage_docs d = {0};
    size_t all[64];
    make_docs(&d, 5);
    for (size_t k = 0; k < d.docs.n; k++)
        all[k] = k;
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        struct stage s;
        char options[100];
        snprintf(options, sizeof options, "--method pdc-imatch --limit-docs %zu", limits[k]);
        stage_list(&s, options, stage_write_operands(&d));
        CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
        expect_collection(&s, &d, all, limits[k] < d.docs.n ? limits[k] : d.docs.n);
        CU_ASSERT_EQUAL(pd_job_set_sides(&s.job), limits[k] > 20 ? PD_OK : PD_EFORMAT);
        stage_close(&s);
    }
    stage_docs_release(&d);
}

static const char *write_file(const char *name, const char *text)
{
    static char path[600];
    snprintf(path, sizeof path, "%.500s/%s", stage_folder(), name);
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    return path;
}

static void test_list(void)
{
    static const size_t some[] = {0, 3, 19, 22, 30};
    struct stage_docs d = {0};
    struct stage s;
    char options[800];
    make_docs(&d, 6);
    snprintf(options, sizeof options, "--method pdc-imatch --docs-from %s",
             write_file("list", "d30\n\nd3\nd22\nd0\nunknown\nd19\n"));
    stage_list(&s, options, stage_write_operands(&d));
    CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
    expect_collection(&s, &d, some, 5);
    CU_ASSERT_EQUAL(s.job.collection.totals.unlisted, d.docs.n - 5);
    stage_close(&s);
    snprintf(options, sizeof options, "--method pdc-imatch --docs-from %s",
             write_file("list", "unknown\n"));
    stage_list(&s, options, stage_write_operands(&d));
    CU_ASSERT_EQUAL(stage_read(&s), PD_EFORMAT);
    stage_close(&s);
    stage_docs_release(&d);
}

/* Dates and fields of a table come before those of the record. */
static void test_fields(void)
{
    struct stage_docs d = {0};
    struct stage s;
    struct pd_held held;
    char options[800];
    make_docs(&d, 7);
    snprintf(
        options, sizeof options, "--method pdc-imatch --keep-fields date,who --metadata %s",
        write_file("table.csv", "id,who,date\nd3,\"Ann, Bob\",1999\nd4,Eve,\nd99,Nobody,2000\n"));
    stage_list(&s, options, stage_write_operands(&d));
    CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
    struct pd_collection *col = &s.job.collection;
    uint64_t dated = 0;
    for (size_t k = 0; k < d.docs.n; k++) {
        const char *date = k == 3 ? "1999" : d.docs.v[k].date;
        char meta[200] = "";
        CU_ASSERT_EQUAL_FATAL(pd_collection_nth(col, k, &held), PD_OK);
        CU_ASSERT_EQUAL(pd_date_compare(held.rec->date, pd_date_parse(date, strlen(date))), 0);
        snprintf(meta, sizeof meta, "%.*s", (int)held.rec->meta_n,
                 pd_collection_id(col, &held) + held.rec->id_n + held.rec->url_n +
                     held.rec->site_n);
        CU_ASSERT_EQUAL(strstr(meta, "\"who\":\"Ann, Bob\"") != NULL, k == 3);
        CU_ASSERT_EQUAL(strstr(meta, "\"who\":\"Eve\"") != NULL, k == 4);
        CU_ASSERT_EQUAL(*meta != 0, *date || k == 4);
        dated += *date != 0;
    }
    CU_ASSERT_EQUAL(col->totals.dated, dated);
    stage_close(&s);
    stage_docs_release(&d);
}

/* ---- damaged lines, and ids that occur twice ---- */

static const char damaged[] = "{\"id\": \"a\", \"text\": \"Wone wtwo.\"}\n"
                              "this is no line of JSON\n"
                              "{\"id\": \"b\", \"text\": \"Wone wtwo wthree.\"}\n"
                              "{\"id\": \"c\"}\n"
                              "{\"id\": \"a\", \"text\": \"Wfour.\"}\n";

static void test_damaged(void)
{
    struct stage s;
    struct pd_skiprec skip;
    size_t volume = 0, at = 0, skips = 0;
    const char *path = write_file("damaged.jsonl", damaged);
    stage_list(&s, "--method pdc-imatch", path);
    CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
    struct pd_collection *col = &s.job.collection;
    CU_ASSERT_TRUE(col->totals.documents == 3 && col->totals.words == 6);
    CU_ASSERT_EQUAL(col->totals.same_id, 1);
    while (pd_collection_next_skip(col, &volume, &at, &skip) == PD_OK) {
        CU_ASSERT_TRUE(skip.file == 0 && skip.why == PD_SKIP_JSON);
        skips++;
    }
    CU_ASSERT_TRUE(skips == 2 && col->totals.skipped == 2);
    stage_close(&s);
    stage_list(&s, "--method pdc-imatch --strict", path);
    CU_ASSERT_EQUAL(stage_read(&s), PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "byte 34"));
    stage_close(&s);
    /* records behind the last document that counts do not count either */
    stage_list(&s, "--method pdc-imatch --limit-docs 2", path);
    CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
    CU_ASSERT_TRUE(s.job.collection.totals.documents == 2 && s.job.collection.totals.skipped == 1);
    stage_close(&s);
}

/* ---- what is counted ---- */

/* Records of an archive that are no documents are ignored, and letters are counted. */
static void test_counts(void)
{
    static const char head[] = "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://a.example/%d"
                               "\r\nContent-Length: 9\r\n\r\none two t\r\n\r\n";
    char archive[2000], operands[1300];
    int n = 0;
    for (int k = 0; k < 5; k++)
        n += snprintf(archive + n, sizeof archive - (size_t)n, head,
                      k % 2 ? "conversion" : "metadata", k);
    n = snprintf(operands, sizeof operands, "%s", write_file("kinds.warc", archive));
    snprintf(operands + n, sizeof operands - (size_t)n, " %s",
             write_file("letter.eml", "From: a@b.example\nTo: c@d.example\nSubject: s\n"
                                      "Message-ID: <1@b.example>\n\nOne letter.\n"));
    struct stage s;
    stage_list(&s, "--method pdc-imatch", operands);
    CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
    const struct pd_totals *t = &s.job.collection.totals;
    CU_ASSERT_EQUAL(t->documents, 3);
    CU_ASSERT_EQUAL(t->letters, 1);
    CU_ASSERT_EQUAL(t->ignored, 3);
    stage_close(&s);
}

/* ---- what is told of broken texts ---- */

/* Read documents; is the reader told of this? */
static bool is_told(const char *path, const char *what)
{
    struct stage s;
    stage_list(&s, "--method pdc-imatch", path);
    stage_listen(PD_LOG_WARN);
    CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
    const bool told = strstr(stage_heard(), what) != NULL;
    stage_close(&s);
    return told;
}

/* Of `n` lines of JSON the first one is no UTF-8 if `broken`. */
static const char *write_mended(int n, bool broken)
{
    struct pd_bytes lines = {0};
    for (int k = 0; k < n; k++) {
        char line[64];
        const int bytes =
            snprintf(line, sizeof line, "{\"id\": \"%d\", \"text\": \"one two %s\"}\n", k,
                     k == 0 && broken ? "\xff" : "three");
        pd_bytes_append(&lines, line, (size_t)bytes);
    }
    pd_bytes_push(&lines, '\0');
    const char *path = write_file("mended.jsonl", (const char *)lines.v);
    pd_bytes_release(&lines);
    return path;
}

/* A page that says UTF-8, with `broken` sequences that are none among words of five bytes. */
static const char *write_page(int words, int broken)
{
    struct pd_bytes page = {0};
    static const char head[] = "<html><head><meta charset=\"utf-8\"></head><body><p>";
    pd_bytes_append(&page, head, sizeof head - 1);
    for (int k = 0; k < words; k++)
        pd_bytes_append(&page, k < broken ? "\xff wo " : "word ", 5);
    pd_bytes_push(&page, '\0');
    const char *path = write_file("broken.html", (const char *)page.v);
    pd_bytes_release(&page);
    return path;
}

/* A file whose name is that of a table, and which is none. */
static void test_textless(void)
{
    static const char named[] = "1 file named as tables or JSON lines";
    CU_ASSERT_TRUE(is_told(write_file("none.csv", "No table is here.\n"), named));
    CU_ASSERT_FALSE(is_told(write_file("none.txt", "No table is here.\n"), "named as tables"));
}

/* Which files stand beside texts. */
static void test_beside(void)
{
    static const char *const beside[] = {"a/README", "b.c/license.txt", "CODE_OF_CONDUCT.md",
                                         "Copying",  "LICENCE.",        "a/.hidden.yml",
                                         "x.CFG",    "NOTICE.a",        "a/contributing.x"};
    static const char *const texts[] = {"README2", "a/READM.txt", "yml", "a/.yml", "toml.txt", ""};
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++)
        CU_ASSERT_TRUE(pd_unread_is_beside(beside[k]));
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        CU_ASSERT_FALSE(pd_unread_is_beside(texts[k]));
}

/* One document in ten, and one broken sequence in 200 bytes of text. */
static void test_broken(void)
{
    static const char mended[] = "had to be mended", replaced[] = "broken sequences";
    CU_ASSERT_FALSE(is_told(write_mended(10, false), mended));
    CU_ASSERT_TRUE(is_told(write_mended(10, true), mended));
    CU_ASSERT_FALSE(is_told(write_mended(11, true), mended));
    CU_ASSERT_FALSE(is_told(write_page(30, 0), replaced));
    CU_ASSERT_TRUE(is_told(write_page(39, 1), replaced));
    CU_ASSERT_FALSE(is_told(write_page(41, 1), replaced));
    CU_ASSERT_TRUE(is_told(write_page(41, 2), replaced));
}

/* ---- large files ---- */

/* Pieces cover a file without a gap, and its documents come in order. */
static void test_pieces(void)
{
    enum { LINES = 12000 };
    struct stage s;
    struct pd_held held;
    char path[600];
    snprintf(path, sizeof path, "%.500s/large.jsonl", stage_folder());
    FILE *f = fopen(path, "w");
    for (int k = 0; k < LINES; k++)
        fprintf(f, "{\"id\": \"%d\", \"text\": \"Wfirst w%c%c. Wsecond%*s.\"}\n", k, 'a' + k % 26,
                'a' + k / 26 % 26, 40 + k % 37, "");
    fclose(f);
    stage_list(&s, "--method pdc-imatch --memory 1M", path);
    struct pd_collection *col = &s.job.collection;
    CU_ASSERT_TRUE(col->pieces.n > 2);
    for (size_t k = 0; k < col->pieces.n; k++) {
        const struct pd_piece *p = &col->pieces.v[k];
        CU_ASSERT_TRUE(p->nstripes == 1 && p->file == 0);
        CU_ASSERT_TRUE(p->from == (k ? col->pieces.v[k - 1].to : 0) && p->to > p->from);
    }
    CU_ASSERT_EQUAL(col->pieces.v[col->pieces.n - 1].to, col->files.v[0].bytes);
    CU_ASSERT_EQUAL(stage_read(&s), PD_OK);
    CU_ASSERT_EQUAL(col->totals.documents, LINES);
    CU_ASSERT_TRUE(col->library.shelf.n > 1);
    for (int k = 0; k < LINES; k++) {
        char id[16];
        snprintf(id, sizeof id, "%d", k);
        CU_ASSERT_EQUAL(pd_collection_nth(col, (uint64_t)k, &held), PD_OK);
        CU_ASSERT_TRUE(held.rec->id_n == strlen(id) &&
                       memcmp(pd_collection_id(col, &held), id, held.rec->id_n) == 0);
    }
    stage_close(&s);
}

/* ---- back to the texts ---- */

static void test_fetch(void)
{
    struct stage_docs d = {0};
    struct stage s;
    struct pd_fetch f;
    uint64_t seed = 3;
    make_docs(&d, 8);
    stage_parse_job(&s, "--method pdc-imatch", stage_write_operands(&d));
    CU_ASSERT_EQUAL_FATAL(pd_detect(&test_comm, &s.options), PD_OK);
    struct pd_result *r = stage_result_open(s.options.output);
    CU_ASSERT_EQUAL(pd_fetch_init(&f, r), PD_OK);
    for (int k = 0; k < 60; k++) {
        const uint32_t doc = pd_random_below(&seed, (uint32_t)d.docs.n);
        struct pd_bytes text = {0};
        char id[24];
        snprintf(id, sizeof id, "d%u", doc);
        stage_text(&d, doc, &text, NULL);
        CU_ASSERT_EQUAL(pd_fetch_row(&f, doc), PD_OK);
        CU_ASSERT_STRING_EQUAL(f.id, id);
        CU_ASSERT_TRUE(f.document.text_n == text.n && memcmp(f.document.text, text.v, text.n) == 0);
        CU_ASSERT_EQUAL(f.document.sentences.n, d.docs.v[doc].nunits);
        pd_bytes_release(&text);
    }
    pd_fetch_release(&f);
    /* a text that has changed is told */
    const uint32_t word = d.words.v[0];
    d.words.v[0] = word ? 0 : 1;
    stage_write_operands(&d);
    CU_ASSERT_EQUAL(pd_fetch_init(&f, r), PD_OK);
    CU_ASSERT_EQUAL(pd_fetch_row(&f, 0), PD_EFORMAT);
    CU_ASSERT_EQUAL(pd_fetch_row(&f, 1), PD_OK);
    pd_fetch_release(&f);
    stage_result_close(r);
    stage_close(&s);
    stage_docs_release(&d);
}

/* Files are found where the job ran, not where their texts are asked for. */
static void test_fetch_elsewhere(void)
{
    static const char *const folders[] = {"/", NULL, "/"};
    struct stage_docs d = {0};
    struct stage s;
    char here[PATH_MAX];
    make_docs(&d, 8);
    stage_write_lines(&d, 0, "near.jsonl");
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
    CU_ASSERT_EQUAL(chdir(stage_folder()), 0);
    stage_parse_job(&s, "--method pdc-imatch", "near.jsonl");
    CU_ASSERT_EQUAL_FATAL(pd_detect(&test_comm, &s.options), PD_OK);
    struct pd_result *r = stage_result_open(s.options.output);
    for (int k = 0; k < 3; k++) {
        struct pd_fetch f;
        CU_ASSERT_EQUAL(chdir(folders[k] ? folders[k] : stage_folder()), 0);
        CU_ASSERT_EQUAL(pd_fetch_init(&f, r), PD_OK);
        CU_ASSERT_EQUAL(f.directory != NULL, folders[k] != NULL);
        CU_ASSERT_FALSE(f.placeless);
        CU_ASSERT_EQUAL(pd_fetch_row(&f, 1), PD_OK);
        pd_fetch_release(&f);
    }
    stage_result_close(r);
    CU_ASSERT_EQUAL(chdir(here), 0);
    stage_close(&s);
    stage_docs_release(&d);
}

/* What a walk has visited. */
struct walked {
    const struct stage_docs *d;
    size_t n, last;
};

static int visit(void *ctx, const struct pd_raw *raw, const struct pd_document *doc, pd_doc number)
{
    struct walked *w = ctx;
    struct pd_bytes text = {0};
    stage_text(w->d, number, &text, NULL);
    CU_ASSERT_TRUE(raw->id_n > 1 && (size_t)atoi(raw->id + 1) == number);
    CU_ASSERT_TRUE(doc->text_n == text.n && memcmp(doc->text, text.v, text.n) == 0);
    pd_bytes_release(&text);
    w->n++;
    return number == w->last ? PD_END : PD_OK;
}

static void try_walk(const struct stage_docs *d, const char *more, size_t last, size_t expected,
                     int status)
{
    char line[1500];
    struct stage s;
    struct walked w = {d, 0, last};
    snprintf(line, sizeof line, "%s %.600s %.500s/sources.jsonl", more,
             stage_write_lines(d, 0, "targets.jsonl"), stage_folder());
    stage_parse(&s, "text", line);
    CU_ASSERT_EQUAL(pd_walk(&s.options, visit, &w), status);
    CU_ASSERT_EQUAL(w.n, expected);
    stage_close(&s);
}

static void test_walk(void)
{
    struct stage_docs d = {0};
    make_docs(&d, 9);
    stage_write_operands(&d);
    try_walk(&d, "", SIZE_MAX, d.docs.n, PD_OK);
    try_walk(&d, "", 24, 25, PD_OK);
    try_walk(&d, "--doc d22", SIZE_MAX, 1, PD_OK);
    try_walk(&d, "--limit-docs 7", SIZE_MAX, 7, PD_OK);
    try_walk(&d, "--doc nobody", SIZE_MAX, 0, PD_EFORMAT);
    stage_docs_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_numbers),         PD_TEST(test_limit),    PD_TEST(test_list),
        PD_TEST(test_fields),          PD_TEST(test_damaged),  PD_TEST(test_pieces),
        PD_TEST(test_fetch),           PD_TEST(test_walk),     PD_TEST(test_counts),
        PD_TEST(test_broken),          PD_TEST(test_textless), PD_TEST(test_beside),
        PD_TEST(test_fetch_elsewhere), CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "run/stage/collection", tests);
}

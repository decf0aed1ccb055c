/* tests/unit/test_csv_rows.c - tables of comma-separated values, a row a document. */
#include "corpus/inside.h"
#include "pardup/corpus/splice.h"
#include "pd_cunit.h"
#include "pd_records.h"

static struct seen see_text(const char *text)
{
    return see_bytes(text, strlen(text), PD_FORMAT_CSV);
}

/* The table has one document, with this id and text. */
static void has(int line, const char *table, const char *id, const char *text)
{
    struct seen seen = see_text(table);
    const bool good = seen.docs.n == 1 && seen.skips.n == 0 && strcmp(seen.docs.v[0].id, id) == 0 &&
                      seen.last.n == strlen(text) + 1 &&
                      memcmp(seen.last.v, text, strlen(text)) == 0;
    if (!good)
        fprintf(stderr, "line %d: %zu documents, text %.*s\n", line, seen.docs.n, (int)seen.last.n,
                (char *)seen.last.v);
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(cuts_that_matter(table, strlen(table), PD_FORMAT_CSV, 1), 0);
    CU_ASSERT_EQUAL(packings_that_matter(table, strlen(table), PD_FORMAT_CSV, 7), 0);
    seen_release(&seen);
}
#define HAS(table, id, text) has(__LINE__, table, id, text)

static void test_values(void)
{
    HAS("id,text\na,One two.\n", "a", "One two.");
    HAS("id,text\na,One two.", "a", "One two.");
    HAS("text,id\r\nOne two.,a\r\n", "a", "One two.");
    HAS("text,id\r\nOne two.,a\r", "a", "One two.");
    HAS("\xef\xbb\xbf\"text\",id\n\"One, \"\"two\"\"\r\n\nthree\",a\n\n", "a",
        "One, \"two\"\r\n\nthree");
    HAS("id,text,n\n\na,\"\"\"\",\n", "a", "\"");
    HAS("id,text\na,\"\"\n", "a", "");
    HAS("id,text\na,One \"two\" three\n", "a", "One \"two\" three");
    HAS("id;text\na;One, two.\n", "a", "One, two.");
    HAS("id\ttext\na\tOne, \"two\".\n", "a", "One, \"two\".");
    HAS("id\ttext\na\t\"One\ttwo\"\n", "a", "One\ttwo");
    HAS("id\ttext\na\t\"One\" two\n", "a", "\"One\" two"); /* no quoting between tabs */
}

/* Broken rows are told, and cost one line. */
static void test_broken_rows(void)
{
    static const struct {
        const char *table;
        size_t documents, skips;
    } tables[] = {{"id,text\na,b,c\nd,e\n", 1, 1},
                  {"id,text\na\nd,e\n", 1, 1},
                  {"id,text\na,\"b\"c\nd,e\n", 1, 1},
                  {"id,text\na,\"b\nd,e\n", 1, 1},
                  {"id,text\na,\"b\nd,\"e\"\nf,g\n", 2, 1},
                  {"id,text\n", 0, 0},
                  {"id,text", 0, 0},
                  {"", 0, 0}};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        struct seen seen = see_text(tables[k].table);
        CU_ASSERT_EQUAL(seen.status, PD_OK);
        CU_ASSERT_EQUAL(seen.docs.n, tables[k].documents);
        CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_CORRUPT], tables[k].skips);
        seen_release(&seen);
    }
    struct seen none = see_text("id,body\na,b\n");
    CU_ASSERT_EQUAL(none.status, PD_EIO);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "no column \"text\" in its first row"));
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "id,body"));
    pd_error_clear();
    seen_release(&none);
}

/* A row that is larger than a document may be is passed. */
static void test_large_rows(void)
{
    struct pd_bytes file = {0};
    put(&file, "id,text\na,\"");
    for (int k = 0; k < 9000; k++)
        put(&file, "word %d,\n", k);
    put(&file, "\"\nb,\"");
    for (int k = 0; k < 3000; k++)
        put(&file, "word %d,\n", k);
    put(&file, "\"\n");
    const char *path = scratch_write("large", file.v, file.n);
    struct seen seen = {0};
    const struct pd_reader_options options = {
        .format = PD_FORMAT_CSV, .max_document = 60000, .skipped = see_skip, .ctx = &seen};
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file where = file_of(path);
    const struct pd_piece all = {.nstripes = 1, .to = where.bytes};
    see_piece(&seen, r, &where, &all, false);
    CU_ASSERT(seen.docs.n >= 1);
    CU_ASSERT_EQUAL(pd_reader_counts(r)->skipped[PD_SKIP_TOO_LARGE], 1);
    const struct seen_doc *last = &seen.docs.v[seen.docs.n - 1];
    CU_ASSERT_STRING_EQUAL(last->id, "b");
    struct pd_raw raw; /* a row is found again at its place */
    CU_ASSERT_EQUAL(pd_reader_fetch(r, &where, last->offset, last->skip, &raw), PD_OK);
    CU_ASSERT_EQUAL(see_document(&raw).hash, last->hash);
    CU_ASSERT_EQUAL(pd_reader_fetch(r, &where, last->offset, last->skip, &raw), PD_OK);
    CU_ASSERT_EQUAL(see_document(&raw).hash, last->hash);
    pd_reader_free(r);
    seen_release(&seen);
    pd_bytes_release(&file);
}

/* A row is written again without parts of its text; all other bytes stay. */
static void splice(int line, const char *table, uint32_t begin, uint32_t end, const char *want)
{
    const char *path = scratch_write("splice", table, strlen(table));
    const struct pd_reader_options options = {.format = PD_FORMAT_CSV};
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file where = file_of(path);
    const struct pd_piece all = {.nstripes = 1, .to = where.bytes};
    struct pd_cut cut = {begin, end};
    const struct pd_cuts cuts = {.v = &cut, .n = 1};
    struct pd_bytes to = {0};
    struct pd_raw raw;
    bool exact = false;
    CU_ASSERT_EQUAL(pd_reader_open(r, &where, &all), PD_OK);
    CU_ASSERT_EQUAL(pd_reader_next(r, &raw), PD_OK);
    const struct pd_trimmed text = {raw.body, raw.n, &cuts};
    const struct pd_trimmed other = {(const unsigned char *)"other", 5, &cuts};
    CU_ASSERT_EQUAL(pd_splice(&raw, "text", &text, &to, &exact), PD_OK);
    const bool good = exact && to.n == strlen(want) && memcmp(to.v, want, to.n) == 0;
    if (!good)
        fprintf(stderr, "line %d: %.*s\n", line, (int)to.n, (char *)to.v);
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(pd_splice(&raw, "text", &other, &to, &exact), PD_EFORMAT);
    pd_error_clear();
    pd_bytes_release(&to);
    pd_reader_free(r);
}

static void test_rows_written_again(void)
{
    splice(__LINE__, "id,text,n\n\"a,b\",One two.,5\r\n", 0, 4, "\"a,b\",two.,5\r\n");
    splice(__LINE__, "id,text\na,\"One, \"\"two\"\".\"", 0, 5, "a,\"\"\"two\"\".\"");
    splice(__LINE__, "id,text\na,One \"two\".\n", 0, 4, "a,\"\"\"two\"\".\"\n");
    splice(__LINE__, "id,text\na,\"One\"\n", 0, 3, "a,\"\"\n");
    splice(__LINE__, "text\tid\n\"One\" two\ta\n", 5, 9, "\"One\"\ta\n");
}

static void test_recognised(void)
{
    static const struct {
        const char *table;
        bool is;
    } tables[] = {{"id,text\na,b\n", true},
                  {"id,text\na,\"b", false},
                  {"id,text\na,b,c\n", false},
                  {"id,body\na,b\n", false},
                  {"One, two.\nThree, four, five.\n", false},
                  {"text\nOne two\n", true},
                  {"text\nOne, two\n", false},
                  {"id\ttext\na\tb\n\n", true},
                  {"text,\n", true},
                  {"A text.\n", false},
                  {"", false},
                  {"\xef\xbb\xbf", false}};
    const struct pd_reader_options options = {.text_field = "text"};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        const unsigned char *s = (const unsigned char *)tables[k].table;
        const size_t n = strlen(tables[k].table);
        CU_ASSERT_EQUAL(pd_layout_csv.claims(&options, s, n, true), tables[k].is);
    }
    /* a row that goes on behind the bytes at hand is none that is broken */
    const unsigned char *row = (const unsigned char *)"id,text\na,\"b";
    CU_ASSERT(pd_layout_csv.claims(&options, row, 12, false));
    CU_ASSERT_FALSE(pd_layout_csv.claims(&options, NULL, 0, true));
}

/*
 * A file that no layout recognises is what its name says, also if the reader has read a file of
 * another layout before.
 */
static void test_names(void)
{
    static const struct {
        const char *name, *text;
        size_t documents;
        uint64_t textless;
    } files[] = {{"a.csv", "id,text\na,b\nc,d\n", 2, 0},
                 {"b.jsonl", "x\n{\"text\":\"a\"}\n", 1, 0},
                 {"c.TSV.gz", "text\ta\nb\tc\n", 1, 0},
                 {"d.csv", "One, two.\nThree.\n", 1, 1},
                 {"e.ndjson", "One two.\n", 1, 1},
                 {"f.txt", "id,text\na,b\nc,d\n", 1, 0},
                 {"g.csv", "text,id\na,b\n", 1, 0},
                 {"h.jsonl", "", 0, 0},
                 {"i.json", "", 0, 0},
                 {"j.warc", "", 0, 0},
                 {"k.mbox.zst", "", 0, 0},
                 {"l.csv", "", 1, 0},
                 {"m.txt", "", 1, 0},
                 {"n.json", "x\n{\"text\":\"a\"}\n", 1, 0}};
    const struct pd_reader_options options = {.format = PD_FORMAT_AUTO};
    struct pd_reader *r = pd_reader_new(&options);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const char *path = scratch_write(files[k].name, files[k].text, strlen(files[k].text));
        const struct pd_file file = file_of(path);
        const struct pd_piece all = {.nstripes = 1, .to = file.bytes + 1};
        const struct pd_reader_counts before = *pd_reader_counts(r);
        struct pd_raw raw;
        size_t documents = 0;
        CU_ASSERT_EQUAL(pd_reader_open(r, &file, &all), PD_OK);
        while (pd_reader_next(r, &raw) == PD_OK)
            documents++;
        CU_ASSERT_EQUAL(documents, files[k].documents);
        CU_ASSERT_EQUAL(pd_reader_counts(r)->fields.textless - before.fields.textless,
                        files[k].textless);
    }
    pd_reader_free(r);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_values),     PD_TEST(test_broken_rows),        PD_TEST(test_large_rows),
        PD_TEST(test_recognised), PD_TEST(test_rows_written_again), PD_TEST(test_names),
        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "csv_rows", tests);
}

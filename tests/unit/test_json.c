/* tests/unit/test_json.c - JSON that is not lines: objects over many lines, lists of objects. */
#include "pd_cunit.h"
#include "pd_records.h"

static struct seen see_text(const char *text, enum pd_format format)
{
    return see_bytes(text, strlen(text), format);
}

/* The file has the documents "a", "b", ... , each its own id, and `skips` bad records. */
static void has(int line, const char *text, size_t documents, size_t skips)
{
    struct seen seen = see_text(text, PD_FORMAT_AUTO);
    bool good = seen.docs.n == documents && seen.skips.n == skips && seen.status == PD_OK;
    for (size_t k = 0; good && k < documents; k++)
        good = seen.docs.v[k].id[0] == (char)('a' + k) && seen.docs.v[k].n == 1;
    if (!good) {
        fprintf(stderr, "line %d: %zu documents, %zu skipped: %s\n", line, seen.docs.n,
                seen.skips.n, text);
        for (size_t k = 0; k < seen.skips.n; k++)
            fprintf(stderr, "  %s\n", seen.skips.v[k].detail);
    }
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(cuts_that_matter(text, strlen(text), PD_FORMAT_AUTO, 1), 0);
    CU_ASSERT_EQUAL(packings_that_matter(text, strlen(text), PD_FORMAT_AUTO, 7), 0);
    seen_release(&seen);
}
#define HAS(documents, skips, text) has(__LINE__, text, documents, skips)

#define A  "{\"id\": \"a\", \"text\": \"1\"}"
#define A1 "{\"id\": \"b\", \"text\": \"2\"}"
#define B  "{\"id\": \"b\",\n  \"text\": \"2\"\n}"

static void test_lists(void)
{
    HAS(2, 0, "[" A ", " B "]");
    HAS(2, 0, "\xef\xbb\xbf [\n" A ",\n" B "\n]\n");
    HAS(2, 0, "[" A "]\n[" B "]\n");
    HAS(1, 0, "[{\"m\": {\"text\": \"}\"}, \"q\": \"{\\\"\", \"id\": \"a\", \"text\": \"]\"}]");
    HAS(1, 1, "[" A ", {\"id\": \"b\"}]");
    HAS(2, 1, "[" A ", 5, null, \"x\", " B "]");
}

static void test_objects_over_lines(void)
{
    HAS(1, 0, "{\n  \"id\": \"a\",\n  \"text\": \"1\"\n}\n");
    HAS(2, 0, "{ \"id\": \"a\",\r\n\"text\": \"1\"\r\n}\r\n" B);
    HAS(2, 0, "{\"tags\": [\n1], \"id\": \"a\", \"text\": \"1\"}" B "\n\n");
    HAS(2, 1, "{\n\"id\": \"a\", \"text\": \"1\"}\nnoise\n" B);
}

static void test_objects_without_lines(void)
{
    HAS(2, 0, A B);
    HAS(2, 0, A "\r" A1 "\r");
    HAS(2, 0, A ",\n" B ",\n");
    HAS(2, 0, "\x1e" A "\n\x1e" A1 "\n");
}

static void test_broken(void)
{
    HAS(1, 1, "[" A ", {\"id\": \"b\", \"text\": \"2");
    HAS(1, 1, "[" A ", {\"id\": \"b\" \"text\": \"2\"}]");
    HAS(1, 2, "[" A ", {]}, {\"id\": }]");
}

/* A text of a sequence that was cut short ends at the next separator (RFC 7464, section 2.3). */
static void test_cut_sequences(void)
{
    HAS(2, 1, "\x1e" A "\n\x1e{\"id\": \"x\", \"te\x1e" B "\n");
    HAS(2, 1, "\x1e" A "\n\x1e{\"id\": \"x\", \"t\": [{\x1e" B "\n");
    HAS(2, 1, "\x1e" A "\n\x1e{\"id\": \"x\\\x1e" B "\n");
    HAS(1, 1, "\x1e" A "\n\x1e{\"id\": \"x\x1e");
    HAS(1, 0, "\x1e{\"id\": \"a\", \"text\": \"\x1e\"}\n"); /* a control character in a string */
    struct pd_bytes file = {0};
    for (size_t k = 1; k < 40; k++) { /* the separator at any place of a window */
        file.n = 0;
        put(&file, "\x1e{\"id\": \"x\", \"text\": \"");
        const size_t n = ((size_t)64 << 10) - k;
        pd_bytes_reserve(&file, n);
        memset(file.v + file.n, 'x', n - file.n);
        file.n = n;
        put(&file, "\x1e" A);
        struct seen seen = see_bytes((const char *)file.v, file.n, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.docs.n, 1);
        CU_ASSERT_EQUAL(seen.skips.n, 1);
        seen_release(&seen);
    }
    pd_bytes_release(&file);
}

/* Ids that differ in a byte that is no UTF-8 stay different. */
static void test_broken_ids(void)
{
    static const char text[] = "{\"id\": \"\\u0041\xff\\q\", \"text\": \"1\"}\n"
                               "{\"id\": \"\xfe\", \"text\": \"2\xff\"}\n"
                               "{\"id\": \"\", \"text\": \"3\xff\"}\n"
                               "{\"text\": \"4\xff\", \"ClueWeb22-ID\": \"c\xff\"}\n";
    static const char *const ids[] = {"A\\xFF\\q", "\\xFE", NULL, "c\\xFF"};
    struct seen seen = see_text(text, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 4);
    for (size_t k = 0; k < 4; k++)
        if (ids[k])
            CU_ASSERT_STRING_EQUAL(seen.docs.v[k].id, ids[k]);
    CU_ASSERT_PTR_NOT_NULL(strstr(seen.docs.v[2].id, ":"));
    seen_release(&seen);
}

/* A text and JSON lines are not taken for it, not even when the first line is cut short. */
static void test_other_files(void)
{
    HAS(1, 1, "{\"id\": \"x\", \"text\": \"cut short,\n" A "\n");
    HAS(2, 0, A "\n" A1 "\n");
    static const char *const texts[] = {"[1] A note.\n", "{\nint a;\n}\n", "[{a}, {b}]\n", "[]\n",
                                        "{\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct seen seen = see_text(texts[k], PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.docs.n, 1);
        CU_ASSERT_EQUAL(seen.docs.n > 0 ? seen.docs.v[0].n : 0, strlen(texts[k]));
        seen_release(&seen);
    }
}

static void put_object(struct pd_bytes *b, char id, size_t n)
{
    put(b, "{\n\"id\": \"%c\", \"text\": \"", id);
    pd_bytes_reserve(b, b->n + n);
    memset(b->v + b->n, 'x', n);
    b->n += n;
    put(b, "\"}\n");
}

static void test_large_objects(void)
{
    struct pd_bytes file = {0};
    put_object(&file, 'a', 300000);
    put_object(&file, 'b', 1 << 20);
    put_object(&file, 'c', 10);
    const char *path = scratch_write("large", file.v, file.n);
    struct seen seen = {0};
    const struct pd_reader_options options = {
        .max_document = 500000, .skipped = see_skip, .ctx = &seen};
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file where = file_of(path);
    const struct pd_piece all = {.nstripes = 1, .to = where.bytes};
    see_piece(&seen, r, &where, &all, false);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
    CU_ASSERT_EQUAL(seen.docs.v[0].n, 300000);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[1].id, "c");
    CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
    CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_TOO_LARGE);
    struct pd_raw raw; /* an object is found again at its place */
    CU_ASSERT_EQUAL(pd_reader_fetch(r, &where, seen.docs.v[1].offset, 0, &raw), PD_OK);
    CU_ASSERT_EQUAL(raw.n, 10);
    CU_ASSERT_EQUAL(memcmp(raw.record, "{\n\"id\": \"c\"", 11), 0);
    CU_ASSERT_EQUAL(raw.record_n, file.n - seen.docs.v[1].offset - 1);
    pd_reader_free(r);
    seen_release(&seen);
    pd_bytes_release(&file);
}

/* An object that is too large, and cut short, ends at the next separator, too. */
static void test_large_and_cut(void)
{
    struct pd_bytes file = {0};
    put(&file, "\x1e");
    put_object(&file, 'x', 600000);
    file.n -= 3;
    put(&file, "\x1e" A);
    const char *path = scratch_write("large", file.v, file.n);
    struct seen seen = {0};
    const struct pd_reader_options options = {
        .max_document = 500000, .skipped = see_skip, .ctx = &seen};
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file where = file_of(path);
    const struct pd_piece all = {.nstripes = 1, .to = where.bytes};
    see_piece(&seen, r, &where, &all, false);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "a");
    CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
    CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_TOO_LARGE);
    pd_reader_free(r);
    seen_release(&seen);
    pd_bytes_release(&file);
}

static void test_damage(void)
{
    static const char list[] = "[" A ", " B ", {\"id\": 3, \"text\": \"x}{\"}]";
    CU_ASSERT_EQUAL(damage_that_matters(list, strlen(list), PD_FORMAT_JSON, "{}[]\",:\\ \n1", 300),
                    0);
}

/* An object without a text is told with the fields that have strings. */
static void test_fields_that_could_be_the_text(void)
{
    static const struct {
        const char *json, *told;
    } files[] = {{"{\"id\": \"a\", \"n\": 1, \"contents\": \"x\"}\n",
                  "; strings: id, contents (--text-field)"},
                 {"{\"x\": {\"a\": \"b\", \"c\": [\"d\"], \"e\": {\"f\": \"g\"}}, \"h\": [{\"i\": "
                  "\"j\"}]}\n",
                  "; strings: x.a (--text-field)"},
                 {"{\"a\\u0041\": \"b\", \"\xc3\xa9\": \"c\", \"d\": \"e: \\\"f\\\": 5\"}\n",
                  "; strings: a\\u0041, d (--text-field)"},
                 {"{\"a\": [1]}\n", NULL}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct seen seen = see_text(files[k].json, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
        const char *told = strchr(seen.skips.v[0].detail, ';');
        const bool same = files[k].told ? told && strcmp(told, files[k].told) == 0 : !told;
        if (!same)
            fprintf(stderr, "%s: %s\n", files[k].json, seen.skips.v[0].detail);
        CU_ASSERT(same);
        seen_release(&seen);
    }
}

static void test_what_cannot_be_cut(void)
{
    static const struct {
        enum pd_format format;
        const char *text, *uncut;
    } files[] = {{PD_FORMAT_AUTO, "[" A "]", NULL},
                 {PD_FORMAT_TEXT, "[" A "]", NULL},
                 {PD_FORMAT_AUTO, B, NULL},
                 {PD_FORMAT_AUTO, A "\n", NULL}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const struct pd_reader_options options = {.format = files[k].format};
        struct pd_reader *r = pd_reader_new(&options);
        const char *path = scratch_write("uncut", files[k].text, strlen(files[k].text));
        bool rows = true;
        const char *got = pd_reader_uncut(r, path, &rows);
        CU_ASSERT_FALSE(rows);
        CU_ASSERT(files[k].uncut ? got && strcmp(got, files[k].uncut) == 0 : !got);
        pd_reader_free(r);
    }
}

/* The reason of the skipped record that was told last. */
static void keep_detail(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip,
                        const char *detail)
{
    (void)why, (void)offset, (void)skip;
    snprintf(ctx, 256, "%s", detail);
}

/* A line in memory is read as a line of a file, without a file. */
static void test_line_in_memory(void)
{
    static const struct {
        const char *line, *id, *body, *url, *told;
        bool number, mended;
    } lines[] = {
        {"{\"id\": \"a\", \"text\": \"x\", \"url\": \"http://h/\"}", "a", "x", "http://h/", NULL,
         false, false},
        {" {\"id\": 1.50, \"text\": \"\\u00e9\"}\r", "1.50", "\xc3\xa9", NULL, NULL, true, false},
        {"{\"text\": \"\"}", NULL, "", NULL, NULL, false, false},
        {"{\"id\": null, \"text\": \"x\"}", NULL, "x", NULL, NULL, false, false},
        {"{\"ClueWeb22-ID\": \"c\", \"Clean-Text\": \"x\", \"URL\": \"http://h/\\n\"}", "c", "x",
         "http://h/", NULL, false, false},
        {"{\"id\": \"a\xff\", \"text\": \"x\xfey\x01\"}", "a\\xFF", "x\xef\xbf\xbdy\x01", NULL,
         NULL, false, true},
        {"{\"id\": 7, \"text\": 5}", "7", NULL, NULL, "no field \"text\" that is a string", true,
         false},
        {"", NULL, NULL, NULL, "", false, false},
        {"{\"id\": \"a\", \"text\": \"12345678901234567890123456789012345678901234567890\"}", NULL,
         NULL, NULL, "line is too long (--max-document)", false, false}};
    char told[256];
    struct pd_raw raw;
    const struct pd_reader_options options = {
        .max_document = 70, .skipped = keep_detail, .ctx = told};
    struct pd_reader *r = pd_reader_new(&options);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const uint64_t repaired = pd_reader_counts(r)->repaired;
        const size_t n = strlen(lines[k].line);
        *told = '\0';
        const int status =
            pd_reader_line(r, n ? (const unsigned char *)lines[k].line : NULL, n, &raw);
        CU_ASSERT_EQUAL(status, lines[k].body ? PD_OK : PD_END);
        CU_ASSERT(lines[k].told ? strstr(told, lines[k].told) == told && !lines[k].body : !*told);
        CU_ASSERT_EQUAL(pd_reader_counts(r)->repaired - repaired, lines[k].mended);
        CU_ASSERT(lines[k].id ? raw.id_n == strlen(lines[k].id) &&
                                    memcmp(raw.id, lines[k].id, raw.id_n) == 0
                              : !raw.id);
        CU_ASSERT_EQUAL(raw.id_number, lines[k].number);
        if (status != PD_OK)
            continue;
        CU_ASSERT(raw.n == strlen(lines[k].body) && memcmp(raw.body, lines[k].body, raw.n) == 0);
        CU_ASSERT_EQUAL(raw.url_n, lines[k].url ? strlen(lines[k].url) : 0);
    }
    pd_reader_free(r);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_lists),
                                        PD_TEST(test_objects_over_lines),
                                        PD_TEST(test_objects_without_lines),
                                        PD_TEST(test_broken),
                                        PD_TEST(test_cut_sequences),
                                        PD_TEST(test_broken_ids),
                                        PD_TEST(test_other_files),
                                        PD_TEST(test_large_objects),
                                        PD_TEST(test_large_and_cut),
                                        PD_TEST(test_damage),
                                        PD_TEST(test_what_cannot_be_cut),
                                        PD_TEST(test_fields_that_could_be_the_text),
                                        PD_TEST(test_line_in_memory),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "json", tests);
}

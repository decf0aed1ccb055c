/*
 * tests/unit/test_json_scan.c - the pass over a JSON line: what it finds and leaves, and that a
 * reader makes the same of any line with the pass as with the parser alone.
 */
#include "corpus/json/json_scan.h"
#include "pd_cunit.h"
#include "pd_random.h"
#include "pd_records.h"

/* ---- the reader without the pass ---- */

static bool parser_only;  /* the pass leaves every line */
static size_t found_fast; /* lines that it has read */

/* the linker's names */
bool __real_pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                         size_t commas, struct pd_json_value *values);
bool __wrap_pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                         size_t commas, struct pd_json_value *values);
bool __wrap_pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                         size_t commas, struct pd_json_value *values)
{
    const bool fast = !parser_only && __real_pd_json_scan(s, n, names, nnames, commas, values);
    found_fast += fast;
    return fast;
}

/* What a reader makes of a file. */
struct reading {
    uint64_t hash; /* of all that the documents have, and of all that is told */
    size_t documents, skips;
    struct pd_reader_counts counts;
};

static void note(struct reading *reading, const void *v, size_t n)
{
    reading->hash = hash_more(reading->hash, &n, sizeof n);
    reading->hash = hash_more(reading->hash, v ? v : "", v ? n : 0);
}

static void note_skip(void *ctx, enum pd_skip why, uint64_t offset, uint64_t skip,
                      const char *detail)
{
    struct reading *reading = ctx;
    const uint64_t where[] = {why, offset, skip};
    note(reading, where, sizeof where);
    note(reading, detail, strlen(detail));
    reading->skips++;
}

static struct reading read_file(const char *path, struct pd_reader_options options)
{
    struct reading reading = {0};
    struct pd_raw raw;
    options.skipped = note_skip;
    options.ctx = &reading;
    struct pd_reader *r = pd_reader_new(&options);
    const struct pd_file file = file_of(path);
    const struct pd_piece piece = {.nstripes = 1, .to = file.bytes};
    CU_ASSERT_EQUAL(pd_reader_open(r, &file, &piece), PD_OK);
    while (pd_reader_next(r, &raw) == PD_OK) {
        const uint64_t place[] = {raw.offset, raw.length, raw.order != NULL};
        note(&reading, place, sizeof place);
        note(&reading, raw.body, raw.n);
        note(&reading, raw.id, raw.id_n);
        note(&reading, raw.url, raw.url_n);
        note(&reading, raw.site, raw.site_n);
        note(&reading, raw.order, raw.order_n);
        reading.documents++;
    }
    reading.counts = *pd_reader_counts(r);
    pd_reader_free(r);
    return reading;
}

static bool same_reading_of(const struct reading *a, const struct reading *b)
{
    return a->hash == b->hash && a->documents == b->documents && a->skips == b->skips &&
           memcmp(&a->counts, &b->counts, sizeof a->counts) == 0;
}

/* Is the file of these bytes the same with the pass and without it? */
static bool agrees(const void *v, size_t n, const struct pd_reader_options *options,
                   struct reading *reading)
{
    const char *path = scratch_write("lines", v, n);
    *reading = read_file(path, *options);
    parser_only = true;
    const struct reading want = read_file(path, *options);
    parser_only = false;
    return same_reading_of(reading, &want);
}

/* ---- random lines ---- */

static void add(struct pd_bytes *line, const char *s) { pd_bytes_append(line, s, strlen(s)); }

static const char *one_of(uint64_t *state, const char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    return words[pd_random_below(state, (uint32_t)n)];
}

/* What a string is made of: plain text, escapes, what only looks like them, and broken bytes. */
static void add_string(struct pd_bytes *line, uint64_t *state, bool hostile)
{
    static const char *const good[] = {"a",
                                       "text with blanks ",
                                       "0123456789abcdefghijklmnopqrstuvwxyz",
                                       "\\n",
                                       "\\\"",
                                       "\\\\",
                                       "\\/",
                                       "\\b\\f\\r\\t",
                                       "\\u00e9",
                                       "\\u0000",
                                       "\\uD83D\\ude00",
                                       "\xc3\xa9",
                                       "\xe6\xb3\x95\xe5\xbe\x8b",
                                       "\xf0\x9f\x98\x80",
                                       "\x7f",
                                       "{[,:]}",
                                       "\\u005c",
                                       "\xef\xbb\xbf",
                                       NULL};
    static const char *const bad[] = {"\\ud800",   "\\udc00",      "\\ud800\\u0041",
                                      "\\ud83d\\", "\\u12g4",      "\\u12",
                                      "\\x41",     "\\",           "\t",
                                      "\x01",      "\xff",         "\xc0\x80",
                                      "\xe2\x82",  "\xed\xa0\x80", "\xf5\x80\x80\x80",
                                      "\"",        "\xc3",         "\\'",
                                      NULL};
    add(line, "\"");
    for (uint64_t k = pd_random_below(state, 5); k > 0; k--)
        add(line, one_of(state, hostile && pd_random_below(state, 12) == 0 ? bad : good));
    if (hostile && pd_random_below(state, 60) == 0)
        pd_bytes_push(line, 0);
    add(line, "\"");
}

static void add_scalar(struct pd_bytes *line, uint64_t *state, bool hostile)
{
    static const char *const good[] = {"0",
                                       "-0",
                                       "5",
                                       "-17",
                                       "123456789012345678",
                                       "0.5",
                                       "-1.25",
                                       "1e3",
                                       "1E+05",
                                       "2.50e-7",
                                       "1e99",
                                       "true",
                                       "false",
                                       "null",
                                       "0.0",
                                       "-0.0e0",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "0e1",
                                       NULL};
    static const char *const bad[] = {"9223372036854775808",
                                      "123456789012345678901234567890",
                                      "1e999",
                                      "1e-999",
                                      "NaN",
                                      "-Infinity",
                                      "007",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "-",
                                      "1e",
                                      "tru",
                                      "truex",
                                      "nul",
                                      "None",
                                      "0x1F",
                                      "--1",
                                      "1 2",
                                      "",
                                      "'a'",
                                      "1e400",
                                      "\xef\xbb\xbf"
                                      "1",
                                      "/**/1",
                                      NULL};
    if (pd_random_below(state, 3) == 0)
        add_string(line, state, hostile);
    else
        add(line, one_of(state, hostile && pd_random_below(state, 10) == 0 ? bad : good));
}

static void add_blanks(struct pd_bytes *line, uint64_t *state)
{
    static const char *const blanks[] = {"", "", "", " ", "\t", " \r ", NULL};
    add(line, one_of(state, blanks));
}

static void add_value(struct pd_bytes *line, uint64_t *state, bool hostile, unsigned depth);

static void add_object(struct pd_bytes *line, uint64_t *state, bool hostile, unsigned depth)
{
    static const char *const keys[] = {
        "id",         "text", "url",      "m",   "a",     "b",        "c",        "site",
        "m.id",       "a.b",  "a.b.c",    "b.c", "",      ".",        "a.",       "ClueWeb22-ID",
        "Clean-Text", "URL",  "i\\u0064", "te",  "textt", "\xc3\xa9", "k\\u0000", NULL};
    static const char *const inner[] = {"a", "b", "c", "b.c", "id", NULL};
    add(line, "{");
    for (uint64_t k = pd_random_below(state, 7), n = k; k > 0; k--) {
        add(line, k < n ? "," : "");
        add_blanks(line, state);
        if (pd_random_below(state, 12) > 0) {
            add(line, "\"");
            add(line, one_of(state, depth > 0 && pd_random_below(state, 2) ? inner : keys));
            add(line, "\"");
        } else {
            add_string(line, state, hostile);
        }
        add_blanks(line, state);
        add(line, ":");
        add_blanks(line, state);
        add_value(line, state, hostile, depth);
        add_blanks(line, state);
    }
    add(line, "}");
}

static void add_array(struct pd_bytes *line, uint64_t *state, bool hostile, unsigned depth)
{
    add(line, "[");
    for (uint64_t k = pd_random_below(state, 4), n = k; k > 0; k--) {
        add(line, k < n ? "," : "");
        add_blanks(line, state);
        add_value(line, state, hostile, depth);
        add_blanks(line, state);
    }
    add(line, "]");
}

static void add_value(struct pd_bytes *line, uint64_t *state, bool hostile, unsigned depth)
{
    const uint64_t what = pd_random_below(state, 8);
    if (what < 2 && depth < 5)
        add_object(line, state, hostile, depth + 1);
    else if (what == 2 && depth < 5)
        add_array(line, state, hostile, depth + 1);
    else
        add_scalar(line, state, hostile);
}

/* Change, drop or add a byte. */
static void damage(struct pd_bytes *line, uint64_t *state)
{
    static const char bytes[] = "{}[]\",:\\ 0-.eEu\xef\xff\t\r";
    const size_t at = pd_random_below(state, (uint32_t)line->n);
    const unsigned char byte = (unsigned char)bytes[pd_random_below(state, sizeof bytes)];
    switch (pd_random_below(state, 4)) {
    case 0:
        line->v[at] = byte == '\n' ? 'n' : byte;
        break;
    case 1:
        line->n = at;
        break;
    case 2:
        pd_bytes_push(line, byte);
        break;
    default:
        memmove(line->v + at, line->v + at + 1, line->n - at - 1);
        line->n--;
    }
}

/* A line with a text most of the time, and in a third of the cases with something wrong. */
static void make_line(struct pd_bytes *line, uint64_t *state)
{
    const bool hostile = pd_random_below(state, 3) == 0;
    line->n = 0;
    add_object(line, state, hostile, 0);
    if (pd_random_below(state, 4) > 0) {
        line->n--; /* the bracket */
        add(line, line->n > 1 ? ", \"text\": " : "\"text\": ");
        add_string(line, state, hostile);
        add(line, pd_random_below(state, 2) ? ",\"a\":{\"b\":{\"c\":\"t\"}}}" : "}");
    }
    if (hostile && pd_random_below(state, 2))
        damage(line, state);
    static const char *const ends[] = {"\n",  "\n",   "\n",   "\r\n", " \n",
                                       "}\n", " x\n", "\n\n", NULL};
    add(line, hostile ? one_of(state, ends) : pd_random_below(state, 2) ? "\n" : "\r\n");
}

/* Names of the fields; the last row has names that the lines seldom have. */
static const struct pd_reader_options rows[] = {
    {.format = PD_FORMAT_JSONL},
    {.format = PD_FORMAT_JSONL, .id_field = "m.id", .site_field = "site", .order_field = "a.b"},
    {.format = PD_FORMAT_JSONL, .id_field = "a.b.c", .text_field = "text", .order_field = "id"},
    {.format = PD_FORMAT_JSONL, .id_field = "b.c", .text_field = "a.b.c", .url_field = "a.b"},
    {.format = PD_FORMAT_JSONL, .id_field = "a.", .url_field = ".", .site_field = "..id"}};
enum { ROWS = sizeof rows / sizeof *rows, LINES = 4000 };

/* Print the lines of a file that differ. */
static void print_differences(const struct pd_bytes *file, const struct pd_reader_options *options)
{
    struct reading reading;
    for (size_t k = 0, n; k < file->n; k += n) {
        const unsigned char *lf = memchr(file->v + k, '\n', file->n - k);
        n = (lf ? (size_t)(lf - file->v) + 1 : file->n) - k;
        if (!agrees(file->v + k, n, options, &reading))
            fprintf(stderr, "differs: %.*s", (int)n, file->v + k);
    }
}

/* Random lines have the same documents, skips and counts with the pass as with the parser alone. */
static void test_random_lines(void)
{
    struct pd_bytes file = {0}, line = {0};
    struct reading reading;
    uint64_t state = 36;
    for (size_t row = 0; row < ROWS; row++) {
        file.n = 0;
        add(&file, row % 2 == 1 ? "\xef\xbb\xbf" : "");
        for (int k = 0; k < LINES; k++) {
            make_line(&line, &state);
            pd_bytes_append(&file, line.v, line.n);
        }
        file.n -= row % 2; /* no line end */
        found_fast = 0;
        const bool same = agrees(file.v, file.n, &rows[row], &reading);
        CU_ASSERT(same);
        if (!same)
            print_differences(&file, &rows[row]);
        /* the lines are neither all sound nor all broken */
        CU_ASSERT(found_fast > LINES / 4 && found_fast < LINES);
        CU_ASSERT(reading.documents > LINES / 8 && reading.skips > LINES / 50);
    }
    pd_bytes_release(&line);
    pd_bytes_release(&file);
}

/* A line with many values is judged as before: below the limit it is read, above it is told. */
static void test_many_values(void)
{
    const struct pd_reader_options options = {.format = PD_FORMAT_JSONL};
    for (size_t values = (1 << 20) - 4; values < (1 << 20) + 4; values++) {
        struct pd_bytes line = {0};
        struct reading reading;
        add(&line, "{\"text\": \"t\", \"n\": [0");
        for (size_t k = 0; k < values; k++)
            pd_bytes_append(&line, ",1", 2);
        add(&line, "]}\n");
        CU_ASSERT(agrees(line.v, line.n, &options, &reading));
        CU_ASSERT_EQUAL(reading.documents, values + 3 <= 1 << 20);
        CU_ASSERT_EQUAL(reading.counts.skipped[PD_SKIP_TOO_LARGE], values + 3 > 1 << 20);
        pd_bytes_release(&line);
    }
}

/* A line with nesting that no parser takes, and with nesting that only the parser takes. */
static void test_nesting(void)
{
    const struct pd_reader_options options = {.format = PD_FORMAT_JSONL};
    for (int depth = 1; depth < 5000; depth += depth < 200 ? 1 : 500) {
        struct pd_bytes line = {0};
        struct reading reading;
        add(&line, "{\"text\": \"t\", \"n\": ");
        for (int k = 0; k < depth; k++)
            add(&line, k % 2 ? "[" : "{\"a\":");
        add(&line, "1");
        for (int k = depth; k-- > 0;)
            add(&line, k % 2 ? "]" : "}");
        add(&line, "}\n");
        CU_ASSERT(agrees(line.v, line.n, &options, &reading));
        CU_ASSERT_EQUAL(reading.documents, depth < 2048);
        pd_bytes_release(&line);
    }
}

/* ---- values ---- */

/* The pass finds this value of the field `name`. */
static void found(int row, const char *name, const char *json, enum pd_json_kind kind,
                  const char *value)
{
    struct pd_json_value v;
    struct pd_bytes text = {0};
    const bool fast =
        __real_pd_json_scan((const unsigned char *)json, strlen(json), &name, 1, 1000, &v);
    CU_ASSERT_FATAL(fast);
    pd_bytes_reserve(&text, v.n + 1);
    text.n = kind == PD_JSON_NONE ? 0 : pd_json_decode(&v, text.v);
    const bool same =
        v.kind == kind && text.n == strlen(value) && memcmp(text.v, value, text.n) == 0;
    if (!same)
        fprintf(stderr, "line %d: %s: kind %d, <%.*s>\n", row, json, (int)v.kind, (int)text.n,
                text.v);
    CU_ASSERT(same);
    pd_bytes_release(&text);
}
#define FOUND(name, json, kind, value) found(__LINE__, name, json, PD_JSON_##kind, value)

static void test_values(void)
{
    FOUND("a", "{\"a\": \"x\\ny\\u00e9\\ud83d\\ude00\"}", STRING, "x\ny\xc3\xa9\xf0\x9f\x98\x80");
    FOUND("a", "{\"a\": -0}", INTEGER, "-0");
    FOUND("a", "{\"a\": 1.50}", REAL, "1.50");
    FOUND("a", "{\"a\":null}", NULL, "null");
    FOUND("a", "{\"a\":true}", BOOLEAN, "true");
    FOUND("a", "{\"a\" : {\"b\": [1]} }", OBJECT, "{\"b\": [1]}");
    FOUND("a", " {\"b\": 1, \"a\": [1, \"]\"]} ", ARRAY, "[1, \"]\"]");
    FOUND("a", "{\"b\": {\"a\": 1}}", NONE, "");
    FOUND("a", "{\"a\": 1, \"a\": 2}", INTEGER, "2");
    FOUND("a.b", "{\"a\": {\"b\": 1, \"b\": 2}}", INTEGER, "2");
    FOUND("a.b", "{\"a\": {\"c\": {\"b\": 1}}, \"b\": 2}", NONE, "");
    FOUND("a.b", "{\"a.b\": 7}", INTEGER, "7");
    FOUND("a.b.c", "{\"a\": {\"b.c\": 7}}", INTEGER, "7");
    FOUND("a.b.c", "{\"x\": 1, \"a\": {\"y\": [], \"b\": {\"c\": \"z\"}, \"w\": 2}}", STRING, "z");
}

/* The pass leaves these lines: broken ones, and sound ones that it does not decide. */
static void test_lines_that_are_left(void)
{
    static const char *const lines[] = {"",
                                        "[]",
                                        "5",
                                        "{",
                                        "{}}",
                                        "{} x",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1,}",
                                        "{,}",
                                        "{\"a\":1 2}",
                                        "{\"a\" 1}",
                                        "{a:1}",
                                        "{\"a\":01}",
                                        "{\"a\":1.}",
                                        "{\"a\":.5}",
                                        "{\"a\":1e}",
                                        "{\"a\":-}",
                                        "{\"a\":NaN}",
                                        "{\"a\":tru}",
                                        "{\"a\":[1,]}",
                                        "{\"a\":[1}",
                                        "{\"a\":\"b}",
                                        "{\"a\":\"\\x\"}",
                                        "{\"a\":\"\\ud800\"}",
                                        "{\"a\":\"\\udc00\"}",
                                        "{\"a\":\"\t\"}",
                                        "{\"a\":\"\xff\"}",
                                        "{\"a\":\"\xed\xa0\x80\"}",
                                        "\xef\xbb\xbf{}",
                                        "{\"\\u0061\":1}",
                                        "{\"x\":1234567890123456789}",
                                        "{\"x\":1e100}",
                                        "{\"m\":{\"id\":1},\"m\":{}}",
                                        "{\"m\":5,\"m.id\":1}"};
    static const char *const name = "m.id";
    struct pd_json_value v;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const bool fast = __real_pd_json_scan((const unsigned char *)lines[k], strlen(lines[k]),
                                              &name, 1, 1000, &v);
        if (fast)
            fprintf(stderr, "read: %s\n", lines[k]);
        CU_ASSERT_FALSE(fast);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_values),       PD_TEST(test_lines_that_are_left),
        PD_TEST(test_random_lines), PD_TEST(test_many_values),
        PD_TEST(test_nesting),      CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "json_scan", tests);
}

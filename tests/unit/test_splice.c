/* tests/unit/test_splice.c - records written again without parts of their text. */
#include "pardup/corpus/splice.h"

#include "pardup/corpus/reader.h"

#include "pd_cunit.h"
#include "pd_scratch.h"

enum { ROUNDS = 4000, LONGEST = 60 };

static uint64_t seed = 17;
static struct pd_bytes out;
static struct pd_cuts cuts;

static bool is(const struct pd_bytes *b, const void *v, size_t n)
{
    return b->n == n && (n == 0 || memcmp(b->v, v, n) == 0);
}

/* A character, and ways to write it in a string of JSON. */
static const struct {
    const char *utf8, *forms[3];
} characters[] = {{"a", {"a", "\\u0061", "a"}},
                  {"/", {"/", "\\/", "\\u002F"}},
                  {"\n", {"\\n", "\\u000a", "\\u000A"}},
                  {"\"", {"\\\"", "\\u0022", "\\\""}},
                  {"\\", {"\\\\", "\\u005c", "\\\\"}},
                  {"\xc3\xa9", {"\xc3\xa9", "\\u00e9", "\\u00E9"}},
                  {"\xe4\xb8\xad", {"\xe4\xb8\xad", "\\u4e2d", "\\u4E2D"}},
                  {"\xf0\x9f\x98\x80", {"\xf0\x9f\x98\x80", "\\ud83d\\ude00", "\\uD83D\\uDE00"}}};
enum { CHARACTERS = sizeof characters / sizeof *characters };

static int splice_json(const struct pd_bytes *line, const struct pd_bytes *text, bool *exact)
{
    const struct pd_raw raw = {
        .kind = PD_RECORD_JSON, .id = "x", .id_n = 1, .record = line->v, .record_n = line->n};
    return pd_splice(&raw, "text", &(struct pd_trimmed){text->v, text->n, &cuts}, &out, exact);
}

/* What is not cut stays as it was written, with every other byte of the line. */
static void test_json(void)
{
    struct pd_bytes line = {0}, text = {0}, wanted = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t n = noise(&seed) % LONGEST;
        bool cut = false, exact = false;
        line.n = text.n = wanted.n = cuts.n = 0;
        put(&line, "{ \"id\" : \"t\\u0065xt\", \"n\":[1.50, {\"text\":\"no\"}], \"%s\":\t\"",
            round % 2 ? "text" : "t\\u0065x\\u0074");
        put(&wanted, "%.*s", (int)line.n, (const char *)line.v);
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t c = noise(&seed) % CHARACTERS;
            const char *form = characters[c].forms[noise(&seed) % 3];
            const bool was = cut;
            cut = noise(&seed) % 4 == 0 ? !cut : cut;
            if (cut && !was)
                pd_cuts_push(&cuts, (struct pd_cut){(uint32_t)text.n, 0});
            pd_bytes_append(&text, characters[c].utf8, strlen(characters[c].utf8));
            pd_bytes_append(&line, form, strlen(form));
            if (cut)
                cuts.v[cuts.n - 1].end = (uint32_t)text.n;
            else
                pd_bytes_append(&wanted, form, strlen(form));
        }
        put(&line, "\", \"last\" : null}\r\n");
        put(&wanted, "\", \"last\" : null}\r\n");
        CU_ASSERT_EQUAL(splice_json(&line, &text, &exact), PD_OK);
        CU_ASSERT_TRUE(exact);
        CU_ASSERT_TRUE(is(&out, wanted.v, wanted.n));
    }
    pd_bytes_release(&line);
    pd_bytes_release(&text);
    pd_bytes_release(&wanted);
}

/* A text of several fields is cut in each of them, wherever they stand in the line. */
static void test_json_fields(void)
{
    struct pd_bytes line = {0}, text = {0};
    bool exact = false;
    cuts.n = 0;
    put(&line, "{\"b\":\"Three \\u0066our\",\"c\":\"no\",\"a\":\"One two\"}\n");
    put(&text, "One two\n\nThree four");
    pd_cuts_push(&cuts, (struct pd_cut){4, 15}); /* the end of a, and the beginning of b */
    const struct pd_trimmed trimmed = {text.v, text.n, &cuts};
    const struct pd_raw raw = {
        .kind = PD_RECORD_JSON, .id = "x", .id_n = 1, .record = line.v, .record_n = line.n};
    CU_ASSERT_EQUAL(pd_splice(&raw, "a,missing,b|c", &trimmed, &out, &exact), PD_OK);
    CU_ASSERT_TRUE(exact);
    const char wanted[] = "{\"b\":\"\\u0066our\",\"c\":\"no\",\"a\":\"One \"}\n";
    CU_ASSERT_TRUE(is(&out, wanted, sizeof wanted - 1));
    CU_ASSERT_EQUAL(pd_splice(&raw, "b,a", &trimmed, &out, &exact), PD_EFORMAT); /* not the text */
    pd_error_clear();
    pd_bytes_release(&line);
    pd_bytes_release(&text);
}

/* A field that is not the text gets the cleaned text. */
static void test_json_cleaned(void)
{
    struct pd_bytes line = {0}, text = {0};
    bool exact = true;
    cuts.n = 0;
    put(&line, "{\"id\":\"x\",\"text\":\"<p>One.\\nTwo.</p>\",\"z\":0}\n");
    put(&text, "One.\nTwo.");
    pd_cuts_push(&cuts, (struct pd_cut){0, 5});
    CU_ASSERT_EQUAL(splice_json(&line, &text, &exact), PD_OK);
    CU_ASSERT_FALSE(exact);
    const char wanted[] = "{\"id\":\"x\",\"text\":\"Two.\",\"z\":0}\n";
    CU_ASSERT_TRUE(is(&out, wanted, sizeof wanted - 1));
    line.n = 0;
    put(&line, "{\"id\":\"x\",\"other\":\"One.\",\"t\\u0065xt2\":\"\",\"t\\u0065x\":\"\"}\n");
    CU_ASSERT_EQUAL(splice_json(&line, &text, &exact), PD_EFORMAT);
    pd_error_clear();
    pd_bytes_release(&line);
    pd_bytes_release(&text);
}

/* A name with dots leads to the text that the reader takes, whatever its parts are in the line. */
static void test_json_dots(void)
{
    static const char *const lines[][2] = {
        {"{\"a\":{\"b\":{\"c\":\"1 2\"}}}", "{\"a\":{\"b\":{\"c\":\"2\"}}}"},
        {"{\"a\":{\"b.c\":\"1 2\"}}", "{\"a\":{\"b.c\":\"2\"}}"},
        {"{\"a.b\":{\"c\":\"1 2\"}}", "{\"a.b\":{\"c\":\"2\"}}"},
        {"{\"a.b.c\":\"1 2\",\"a\":{\"b\":{\"c\":\"1 2\"}}}",
         "{\"a.b.c\":\"2\",\"a\":{\"b\":{\"c\":\"1 2\"}}}"},
        {"{\"a.b\":{\"c\":\"1 2\"},\"a\":{\"b\":{\"c\":\"1 2\"}}}",
         "{\"a.b\":{\"c\":\"1 2\"},\"a\":{\"b\":{\"c\":\"2\"}}}"},
        {"{\"a\":{\"b\":{\"c\":\"1 2\"},\"b.c\":\"1 2\"}}",
         "{\"a\":{\"b\":{\"c\":\"1 2\"},\"b.c\":\"2\"}}"},
        {"{\"a\":{\"b\":{\"c\":\"1 2\"}},\"a\":{\"b\":{\"c\":\"1 2\"}}}",
         "{\"a\":{\"b\":{\"c\":\"1 2\"}},\"a\":{\"b\":{\"c\":\"2\"}}}"},
        {"{\"\\u0061\":{\"b\":{\"x\":[{\"c\":1}],\"\\u0063\":\"1 2\"}}}",
         "{\"\\u0061\":{\"b\":{\"x\":[{\"c\":1}],\"\\u0063\":\"2\"}}}"}};
    cuts.n = 0;
    pd_cuts_push(&cuts, (struct pd_cut){0, 2});
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        const struct pd_trimmed text = {(const unsigned char *)"1 2", 3, &cuts};
        const struct pd_raw raw = {.kind = PD_RECORD_JSON,
                                   .record = (const unsigned char *)lines[k][0],
                                   .record_n = strlen(lines[k][0])};
        bool exact = false;
        CU_ASSERT_EQUAL(pd_splice(&raw, "a.b.c", &text, &out, &exact), PD_OK);
        CU_ASSERT_TRUE(exact && is(&out, lines[k][1], strlen(lines[k][1])));
    }
}

static const char header[] = "WARC/1.0\r\n"
                             "WARC-Type: resource\r\n"
                             "warc-block-digest: sha1:AAAA\r\n"
                             " goes on\r\n"
                             "WARC-Record-ID: <urn:uuid:1>\r\n"
                             "Content-Type: text/plain\r\n"
                             "content-length: 9\r\n"
                             "\r\n";

/* Splice a WARC record with this content and cleaned text. */
static bool splice_warc(const char *content, const char *text)
{
    struct pd_bytes record = {0};
    bool exact;
    put(&record, "%s%s\r\n\r\n", header, content);
    const struct pd_raw raw = {.kind = PD_RECORD_WARC,
                               .body = record.v + sizeof header - 1,
                               .n = strlen(content),
                               .record = record.v,
                               .record_n = record.n};
    const struct pd_trimmed trimmed = {(const unsigned char *)text, strlen(text), &cuts};
    CU_ASSERT_EQUAL(pd_splice(&raw, "text", &trimmed, &out, &exact), PD_OK);
    pd_bytes_release(&record);
    return exact;
}

static void test_warc(void)
{
    static const char cut[] = "WARC/1.0\r\n"
                              "WARC-Type: resource\r\n"
                              "WARC-Record-ID: <urn:uuid:1>\r\n"
                              "Content-Type: text/plain\r\n"
                              "Content-Length: 4\r\n"
                              "\r\nTwo.\r\n\r\n";
    static const char cleaned[] = "WARC/1.0\r\n"
                                  "WARC-Type: conversion\r\n"
                                  "WARC-Record-ID: <urn:uuid:1>\r\n"
                                  "Content-Type: text/plain; charset=utf-8\r\n"
                                  "Content-Length: 4\r\n"
                                  "\r\nTwo.\r\n\r\n";
    cuts.n = 0;
    pd_cuts_push(&cuts, (struct pd_cut){0, 5});
    CU_ASSERT_TRUE(splice_warc("One.\nTwo.", "One.\nTwo."));
    CU_ASSERT_TRUE(is(&out, cut, sizeof cut - 1));
    CU_ASSERT_FALSE(splice_warc("<p>One.<p>Two.", "One.\nTwo."));
    CU_ASSERT_TRUE(is(&out, cleaned, sizeof cleaned - 1));
}

/* The head of a record and the cleaned text are enough to write it again. */
static void test_head(void)
{
    static const char *const contents[] = {"One.\nTwo.", "<p>One.<p>Two.", ""};
    const unsigned char *text = (const unsigned char *)"One.\nTwo.";
    struct pd_bytes record = {0}, behind = {0};
    for (size_t k = 0; k < sizeof contents / sizeof *contents; k++) {
        const bool same = splice_warc(contents[k], (const char *)text);
        bool exact = !same;
        record.n = 0;
        put(&record, "%s%s\r\n\r\n", header, contents[k]);
        const struct pd_raw raw = {.kind = PD_RECORD_WARC,
                                   .body = record.v + sizeof header - 1,
                                   .n = strlen(contents[k]),
                                   .record = record.v,
                                   .record_n = record.n};
        const size_t head = pd_splice_head(&raw, text, 9, &exact);
        CU_ASSERT_EQUAL(head, sizeof header - 1);
        CU_ASSERT_EQUAL(exact, same);
        pd_splice_behind(record.v, head, exact, &(struct pd_trimmed){text, 9, &cuts}, &behind);
        CU_ASSERT_TRUE(is(&behind, out.v, out.n));
    }
    const struct pd_raw empty = {.kind = PD_RECORD_WARC,
                                 .body = (const unsigned char *)header + sizeof header - 1,
                                 .record = (const unsigned char *)header,
                                 .record_n = sizeof header - 1};
    bool exact = false;
    cuts.n = 0;
    const size_t head = pd_splice_head(&empty, NULL, 0, &exact);
    CU_ASSERT_TRUE(exact);
    pd_splice_behind(empty.record, head, exact, &(struct pd_trimmed){NULL, 0, &cuts}, &behind);
    CU_ASSERT_TRUE(behind.n > 8 && memcmp(behind.v + behind.n - 8, "\r\n\r\n\r\n\r\n", 8) == 0);
    const struct pd_raw other = {.kind = PD_RECORD_OTHER};
    exact = true;
    CU_ASSERT_EQUAL(pd_splice_head(&other, text, 9, &exact), 0);
    CU_ASSERT_FALSE(exact);
    pd_bytes_release(&record);
    pd_bytes_release(&behind);
}

/* Splice a file whose body begins at `from`. */
static bool splice_file(const char *file, size_t from, const char *text, const char *charset)
{
    const struct pd_raw raw = {.kind = PD_RECORD_FILE,
                               .media = PD_MEDIA_TEXT,
                               .charset = charset,
                               .charset_n = strlen(charset),
                               .body = (const unsigned char *)file + from,
                               .n = strlen(file) - from,
                               .record = (const unsigned char *)file,
                               .record_n = strlen(file)};
    bool exact;
    const struct pd_trimmed trimmed = {(const unsigned char *)text, strlen(text), &cuts};
    CU_ASSERT_EQUAL(pd_splice(&raw, "text", &trimmed, &out, &exact), PD_OK);
    return exact;
}

static void test_file(void)
{
    cuts.n = 0;
    pd_cuts_push(&cuts, (struct pd_cut){0, 5});
    CU_ASSERT_TRUE(splice_file("From: me\n\nOne.\nTwo.", 10, "One.\nTwo.", "latin1"));
    CU_ASSERT_TRUE(is(&out, "From: me\n\nTwo.", 14));
    CU_ASSERT_FALSE(splice_file("From: me\n\nOne.\r\nTwo.", 10, "One.\nTwo.", ""));
    CU_ASSERT_TRUE(is(&out, "From: me\n\nTwo.", 14));
    CU_ASSERT_FALSE(splice_file("From: me\n\nOne.\r\nTwo.", 10, "One.\nTwo.", "latin1"));
    CU_ASSERT_TRUE(is(&out, "Two.", 4));
}

/* Cut bytes [begin, end) of the body of `raw`, and read the record again. */
static int splice_body(const struct pd_raw *raw, uint32_t begin, uint32_t end,
                       struct pd_spliced *spliced)
{
    static const struct pd_reader_options options = {.format = PD_FORMAT_AUTO};
    struct pd_reader *reader = pd_reader_new(&options);
    cuts.n = 0;
    if (begin < end)
        pd_cuts_push(&cuts, (struct pd_cut){begin, end});
    const int status = pd_splice_body(reader, raw, "text", &cuts, spliced);
    out.n = 0; /* what the reader has is lost with it */
    if (status == PD_OK)
        pd_bytes_append(&out, spliced->again.body, spliced->again.n);
    pd_reader_free(reader);
    return status;
}

/* Bytes of bodies go, whatever the text is that they make; heads say what is left. */
static void test_body(void)
{
    static const char old[] = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Payload-Digest: a\r\n"
                              "Content-Type: application/http\r\nContent-Length: 999\r\n\r\n"
                              "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                              "transfer-encoding: chunked,\r\n gzip\r\nDigest: x\r\n"
                              "Content-Length: 1\r\nServer: y\r\n\r\n[stored]\r\n\r\n";
    static const char new[] = "WARC/1.0\r\nWARC-Type: response\r\n"
                              "Content-Type: application/http\r\nContent-Length: 81\r\n\r\n"
                              "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                              "Content-Length: 7\r\nServer: y\r\n\r\n<p> <p>\r\n\r\n";
    static const char page[] = "<p>One. <p>", line[] = "{\"text\":\"<p>\\u004fne. <p>\",\"z\":0}\n";
    const unsigned char *const body = (const unsigned char *)page;
    struct pd_spliced spliced = {.record = {0}};
    struct pd_raw raw = {.kind = PD_RECORD_WARC, .body = body, .n = sizeof page - 1};
    raw.record = (const unsigned char *)old;
    raw.record_n = sizeof old - 1;
    raw.head_n = (size_t)(strstr(old, "[stored]") - old);
    CU_ASSERT_EQUAL(splice_body(&raw, 3, 7, &spliced), PD_OK);
    CU_ASSERT_TRUE(is(&spliced.record, new, sizeof new - 1));
    CU_ASSERT_TRUE(is(&out, "<p> <p>", 7));
    raw.body = NULL;
    raw.n = 0;
    CU_ASSERT_EQUAL(splice_body(&raw, 0, 0, &spliced), PD_OK);
    CU_ASSERT_TRUE(is(&out, "", 0));

    raw = (struct pd_raw){.kind = PD_RECORD_JSON, .body = body, .n = sizeof page - 1};
    raw.record = (const unsigned char *)line;
    raw.record_n = sizeof line - 1;
    CU_ASSERT_EQUAL(splice_body(&raw, 3, 7, &spliced), PD_OK);
    CU_ASSERT_TRUE(is(&spliced.record, "{\"text\":\"<p> <p>\",\"z\":0}\n", 25));
    CU_ASSERT_TRUE(is(&out, "<p> <p>", 7));

    raw = (struct pd_raw){.kind = PD_RECORD_FILE, .body = body, .n = sizeof page - 1};
    raw.record = body;
    raw.record_n = raw.n;
    CU_ASSERT_EQUAL(splice_body(&raw, 3, 7, &spliced), PD_OK);
    CU_ASSERT_TRUE(is(&spliced.record, "<p> <p>", 7));
    raw.record = (const unsigned char *)line; /* the body lies elsewhere: it was coded */
    raw.record_n = sizeof line - 1;
    CU_ASSERT_EQUAL(splice_body(&raw, 3, 7, &spliced), PD_END);
    raw.record = raw.body = (const unsigned char *)"x{\"text\":\"y\"}\n{\"text\":\"z\"}\n";
    raw.record_n = raw.n = 27;
    CU_ASSERT_EQUAL(splice_body(&raw, 0, 1, &spliced), PD_END); /* it would be JSON lines */
    raw.kind = PD_RECORD_OTHER;
    CU_ASSERT_EQUAL(splice_body(&raw, 0, 1, &spliced), PD_EFORMAT);
    pd_error_clear();
    pd_spliced_release(&spliced);
}

static void test_other(void)
{
    const struct pd_raw raw = {.kind = PD_RECORD_OTHER, .id = "doc-7", .id_n = 5};
    bool exact;
    const struct pd_trimmed nothing = {.cuts = &cuts};
    CU_ASSERT_EQUAL(pd_splice(&raw, "text", &nothing, &out, &exact), PD_EFORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr(pd_error_text(), "doc-7: parts of records"));
    pd_error_clear();
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_json),         PD_TEST(test_json_fields),
                                        PD_TEST(test_json_cleaned), PD_TEST(test_json_dots),
                                        PD_TEST(test_warc),         PD_TEST(test_head),
                                        PD_TEST(test_file),         PD_TEST(test_body),
                                        PD_TEST(test_other),        CU_TEST_INFO_NULL};
    const int status = pd_run_tests(argc, argv, "corpus/splice", tests);
    pd_bytes_release(&out);
    pd_cuts_release(&cuts);
    return status;
}

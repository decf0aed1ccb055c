/* tests/unit/test_records.c - what is in a record: WARC, HTTP, JSON lines, whole files. */
#include "pd_cunit.h"
#include "pd_records.h"

static int is_body(const struct seen *seen, const char *want)
{
    return seen->docs.n > 0 && strcmp((const char *)seen->last.v, want) == 0;
}

/* See a file that holds `text`. */
static struct seen see_text(const char *text, enum pd_format format)
{
    return see_bytes(text, strlen(text), format);
}

/* The one page with these HTTP fields and this body. */
static struct seen see_page(const char *fields, const void *v, size_t n)
{
    struct pd_bytes warc = {0};
    put_page(&warc, "page", fields, v, n);
    struct seen seen = see_bytes(warc.v, warc.n, PD_FORMAT_AUTO);
    pd_bytes_release(&warc);
    return seen;
}

static void check_page(const char *fields, const void *v, size_t n, const char *want)
{
    struct seen seen = see_page(fields, v, n);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT(is_body(&seen, want));
    seen_release(&seen);
}

static void check_lost(const char *fields, const void *v, size_t n, enum pd_skip why)
{
    struct seen seen = see_page(fields, v, n);
    CU_ASSERT_EQUAL(seen.docs.n, 0);
    CU_ASSERT_EQUAL(seen.skips.n, 1);
    CU_ASSERT_EQUAL(seen.counts.skipped[why], 1);
    seen_release(&seen);
}

/* ---- WARC headers ---- */

#define TEXT "Content-Type: text/plain\r\n"

static void test_old_header_with_line_feeds(void)
{
    struct seen seen = see_text("WARC/0.18\n"
                                "warc-type: response\n"
                                "WARC-TARGET-URI: <http://example.org/a\n"
                                " \tb>\n"
                                "WARC-Date: 2009-03-65T08:43:19-0800\n"
                                "WARC-Record-ID: <urn:uuid:1>\n"
                                "WARC-TREC-ID: clueweb09-en0000-00-00000\n"
                                "WARC-TREC-ID: another\n"
                                "Content-Type: application/http;\n"
                                "  msgtype=response\n"
                                "Content-Length: 73\n"
                                "\n"
                                "HTTP/1.1 200\n"
                                "Content-Type: Text/HTML; a=b; Charset=\"EUC-JP\"\r\n"
                                "X:y\n"
                                "\n"
                                "<p>body"
                                "\n\n",
                                PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.counts.repaired, 0);
    CU_ASSERT(is_body(&seen, "<p>body"));
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "clueweb09-en0000-00-00000");
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/a b");
    CU_ASSERT_STRING_EQUAL(seen.charset, "EUC-JP");
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_HTML);
    seen_release(&seen);
}

static void test_ids(void)
{
    struct pd_bytes v = {0};
    char want[200];
    put_record(&v, "resource", "x", "Content-Type: text/plain\r\n", "1", 1);
    const size_t second = v.n;
    put(&v, "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\n2\r\n\r\n");
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "urn:x");
    snprintf(want, sizeof want, "%s:%zu", scratch_path("file"), second);
    CU_ASSERT_EQUAL(strncmp(seen.docs.v[1].id, want, sizeof seen.docs.v[1].id - 1), 0);
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_types(void)
{
    static const struct {
        const char *type, *fields;
        int media; /* -1: no document */
    } cases[] = {
        {"resource", "Content-Type: text/html; charset=x\r\n", PD_MEDIA_HTML},
        {"resource", "Content-Type: application/xhtml+xml\r\n", PD_MEDIA_XHTML},
        {"resource", "Content-Type: text/x-news\r\n", PD_MEDIA_UNKNOWN},
        {"resource", "Content-Type: unknown/x\r\n", PD_MEDIA_UNKNOWN},
        {"resource", "Content-Type: nonsense\r\n", PD_MEDIA_UNKNOWN},
        {"resource", "", PD_MEDIA_UNKNOWN},
        {"resource", "Content-Type: image/png\r\n", -1},
        {"resource", "Content-Type: application/pdf\r\n", -1},
        {"conversion", "", PD_MEDIA_TEXT},
        {"conversion", "Content-Type: text/plain\r\n", PD_MEDIA_TEXT},
        {"response", "Content-Type: text/dns\r\n", -1},
        {"revisit", "Content-Type: text/html\r\n", -1},
        {"metadata", "Content-Type: text/plain\r\n", -1},
        {"warcinfo", "Content-Type: text/plain\r\n", -1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pd_bytes v = {0};
        put_record(&v, cases[k].type, "x", cases[k].fields, "text", 4);
        struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT_EQUAL(seen.docs.n, cases[k].media >= 0);
        CU_ASSERT_EQUAL(seen.counts.ignored, cases[k].media < 0);
        if (seen.docs.n)
            CU_ASSERT_EQUAL(seen.media, (enum pd_media)cases[k].media);
        seen_release(&seen);
        pd_bytes_release(&v);
    }
}

/* Append segment k of `n` of the page s; `id`: the id of the first segment. */
static void put_segment(struct pd_bytes *v, const char *id, const char *s, int k, int n)
{
    const size_t all = strlen(s), from = all * (size_t)(k - 1) / (size_t)n;
    const size_t to = all * (size_t)k / (size_t)n;
    char fields[300], own[40];
    int m = snprintf(fields, sizeof fields,
                     "Content-Type: application/http\r\nWARC-Segment-Number: %d\r\n", k);
    if (k > 1)
        m += snprintf(fields + m, sizeof fields - (size_t)m, "WARC-Segment-Origin-ID: <urn:%s>\r\n",
                      id);
    if (k == n)
        snprintf(fields + m, sizeof fields - (size_t)m, "WARC-Segment-Total-Length: %zu\r\n", all);
    snprintf(own, sizeof own, "%s-%d", id, k);
    put_record(v, k > 1 ? "continuation" : "response", k > 1 ? own : id, fields, s + from,
               to - from);
}

#define SEGMENTED "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A page in several segments."

static void test_segments(void)
{
    for (int n = 2; n <= 5; n++) {
        struct pd_bytes v = {0};
        put_record(&v, "resource", "a", TEXT, "one", 3);
        for (int k = 1; k <= n; k++)
            put_segment(&v, "b", SEGMENTED, k, n);
        put_record(&v, "resource", "c", TEXT, "last body", 9);
        struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT_EQUAL(seen.counts.ignored, 0);
        CU_ASSERT_EQUAL_FATAL(seen.docs.n, 3);
        CU_ASSERT_STRING_EQUAL(seen.docs.v[1].id, "urn:b");
        CU_ASSERT_EQUAL(seen.docs.v[1].n, strlen("<p>A page in several segments."));
        CU_ASSERT_EQUAL(cuts_that_matter(v.v, v.n, PD_FORMAT_WARC, 1), 0);
        for (size_t each = 100; each < 700; each += 171)
            CU_ASSERT_EQUAL(packings_that_matter(v.v, v.n, PD_FORMAT_WARC, each), 0);
        seen_release(&seen);
        pd_bytes_release(&v);
    }
}

/* A segment is missing, or the last one: what there is, and a line about it. */
static void test_segments_elsewhere(void)
{
    for (int lost = 2; lost <= 3; lost++) {
        struct pd_bytes v = {0};
        for (int k = 1; k <= 3; k++)
            if (k != lost)
                put_segment(&v, "b", SEGMENTED, k, 3);
        put_record(&v, "resource", "c", TEXT, "last body", 9);
        struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.docs.n, 2);
        CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
        CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_TRUNCATED);
        CU_ASSERT_PTR_NOT_NULL(strstr(seen.skips.v[0].detail, "record in segments"));
        CU_ASSERT(is_body(&seen, "last body"));
        seen_release(&seen);
        pd_bytes_release(&v);
    }
}

static void test_no_type(void)
{
    struct seen seen = see_text("WARC/1.0\r\nContent-Length: 1\r\n\r\nx\r\n\r\n", PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_HEADER], 1);
    CU_ASSERT_EQUAL(seen.counts.ignored, 0);
    seen_release(&seen);
}

/* ---- lengths ---- */

/* Three records, of which the middle one claims `length` bytes. */
static struct seen see_claim(const char *body, long length)
{
    struct pd_bytes v = {0};
    put_record(&v, "resource", "first", TEXT, "first body", 10);
    put_record_claiming(&v, "resource", "middle", TEXT, body, strlen(body), length);
    put_record(&v, "resource", "last", TEXT, "last body", 9);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    pd_bytes_release(&v);
    return seen;
}

static void test_wrong_lengths_are_repaired(void)
{
    static const char body[] = "some\n\nlines of\ntext, WARC/1.0\r\nno record";
    const long n = (long)strlen(body);
    for (long length = -1; length < n + 115; length++) {
        struct seen seen = see_claim(body, length);
        /* Two ways to be wrong without being found out: to end where two line ends happen to
         * stand, and to count line ends that close the record. */
        const int early = length == 4, late = length > n && length <= n + 4;
        CU_ASSERT_EQUAL_FATAL(seen.docs.n, 3);
        CU_ASSERT_EQUAL(seen.docs.v[1].n, early || late ? (size_t)length : (size_t)n);
        CU_ASSERT_EQUAL(seen.skips.n, (size_t)early);
        CU_ASSERT_EQUAL(seen.counts.repaired, length != n && !early && !late);
        CU_ASSERT(is_body(&seen, "last body"));
        seen_release(&seen);
    }
}

static void test_short_length_at_the_end_of_the_file(void)
{
    struct pd_bytes v = {0};
    put_record_claiming(&v, "resource", "x", TEXT, "text, and more", 14, 4);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT(is_body(&seen, "text"));
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_GARBAGE], 1);
    CU_ASSERT_EQUAL(seen.counts.repaired, 0);
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_record_in_a_content_of_right_length(void)
{
    struct seen want = see_claim("x\nWARC/1.0\r\nWARC-Type: resource\r\n\r\nfake", 40);
    CU_ASSERT_EQUAL(want.docs.n, 3);
    CU_ASSERT_EQUAL(want.docs.v[1].n, 40);
    CU_ASSERT_EQUAL(want.counts.repaired, 0);
    seen_release(&want);
}

static void test_huge_length(void)
{
    static const long lengths[] = {(1L << 30) + 1, 4294967295L, 5000000000L};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct seen seen = see_claim("text", lengths[k]);
        CU_ASSERT_EQUAL_FATAL(seen.docs.n, 3);
        CU_ASSERT_EQUAL(seen.docs.v[1].n, 4);
        CU_ASSERT_EQUAL(seen.counts.repaired, 1);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT(is_body(&seen, "last body"));
        seen_release(&seen);
    }
}

/* No record follows within 64 MB: the length may be right. */
static void test_huge_record_is_told_and_left(void)
{
    enum { N = 80 << 20 };
    struct pd_bytes v = {0};
    unsigned char *body = calloc(N, 1);
    memset(body, 'x', N);
    put_record_claiming(&v, "resource", "a", TEXT, body, N, 2000000000L);
    put_record(&v, "resource", "b", TEXT, "last body", 9);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_TOO_LARGE], 1);
    CU_ASSERT_EQUAL(seen.skips.n, 1);
    CU_ASSERT(is_body(&seen, "last body"));
    seen_release(&seen);
    pd_bytes_release(&v);
    free(body);
}

static void test_lengths_that_are_none(void)
{
    static const char *const lengths[] = {"", "Content-Length: 1x\r\n", "Content-Length: \r\n",
                                          "Content-Length: 99999999999999999999999\r\n"};
    for (size_t k = 0; k < 4; k++) {
        struct pd_bytes v = {0};
        for (int twice = 0; twice < 2; twice++)
            put(&v, "WARC/1.0\r\nWARC-Type: resource\r\n%s%s\r\nbody %d\r\n\r\n", TEXT, lengths[k],
                twice);
        struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.docs.n, 2);
        CU_ASSERT_EQUAL(seen.counts.repaired, 2);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT(is_body(&seen, "body 1"));
        seen_release(&seen);
        pd_bytes_release(&v);
    }
}

static void test_garbage_between_records(void)
{
    struct pd_bytes v = {0};
    put_record(&v, "resource", "a", TEXT, "one", 3);
    const size_t from = v.n;
    put(&v, "WARC/1.0 is a\nformat\n");
    const size_t to = v.n;
    put_record(&v, "resource", "b", TEXT, "two", 3);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    char want[120];
    snprintf(want, sizeof want,
             "%zu bytes; expected WARC/ after the record, found 'WARC/1.0 is a?format'", to - from);
    CU_ASSERT_EQUAL(seen.docs.n, 2);
    CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
    CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_GARBAGE);
    CU_ASSERT_EQUAL(seen.skips.v[0].offset, from);
    CU_ASSERT_STRING_EQUAL(seen.skips.v[0].detail, want);
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_blank_lines_are_no_garbage(void)
{
    struct pd_bytes v = {0};
    put(&v, "\r\n\n");
    put_record(&v, "resource", "a", TEXT, "one", 3);
    put(&v, "\n\r\n\n\n");
    put_record(&v, "resource", "b", TEXT, "two", 3);
    v.n -= 4; /* no line end at the end of the file */
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n, 2);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.counts.repaired, 0);
    seen_release(&seen);
    pd_bytes_release(&v);
}

/* ---- HTTP ---- */

#define CHUNKED HTML "Transfer-Encoding: chunked\r\n"

static void check_chunks(const char *body, const char *want)
{
    check_page(CHUNKED, body, strlen(body), want);
}

static void test_chunked(void)
{
    check_chunks("4\r\nWiki\r\n6;ext=1\r\npedia \r\nC\r\nin \r\nchunks.\r\n0\r\nTrailer: x\r\n\r\n",
                 "Wikipedia in \r\nchunks.");
    check_chunks("4\nline\n3\nend\n0\n\n", "lineend");
    check_chunks("0\r\n\r\n", "");
}

static void test_chunked_only_in_name(void)
{
    check_chunks("<html>plain", "<html>plain");
    check_chunks("ad\n<c", "<c");                 /* a chunk cut short */
    check_chunks("2\r\nabc\r\n", "2\r\nabc\r\n"); /* no line end behind the first chunk */
    check_chunks("3\r\nabc\r\nrest", "abcrest");  /* the next size is none */
    check_chunks("3\r\nabc\r\n2\r\nde", "abcde"); /* ends after a chunk */
    check_chunks("3\r\nabc\r\n9\r\nde", "abcde"); /* ends in a chunk */
    check_chunks("fffffffffffffff\r\n<bc", "<bc");
    check_chunks("", "");
}

static void check_coding(const char *coding, const struct pd_bytes *body, const char *want)
{
    char fields[200];
    snprintf(fields, sizeof fields, HTML "Content-Encoding: %s\r\n", coding);
    check_page(fields, body->v, body->n, want);
}

static void test_content_coding(void)
{
    static const char page[] = "<p>a page, a page, a page, a page, a page";
    const size_t n = sizeof page - 1;
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    struct pd_bytes gz = {0}, zst = {0}, zlib = {0}, raw = {0};
    put_gzip(&gz, page, n);
    put_zstd(&zst, page, n);
    pd_bytes_reserve(&zlib, 200);
    pd_bytes_reserve(&raw, 200);
    zlib.n = libdeflate_zlib_compress(c, page, n, zlib.v, 200);
    raw.n = libdeflate_deflate_compress(c, page, n, raw.v, 200);
    check_coding("gzip", &gz, page);
    check_coding("X-GZip", &gz, page);
    check_coding("deflate", &zlib, page);
    check_coding("deflate", &raw, page);
    check_coding("zstd", &zst, page);
    check_coding("identity", &(struct pd_bytes){(unsigned char *)(uintptr_t)page, n, 0}, page);
    gz.n -= 8; /* cut short: what there is */
    check_coding("gzip", &gz, page);
    libdeflate_free_compressor(c);
    pd_bytes_release(&gz);
    pd_bytes_release(&zst);
    pd_bytes_release(&zlib);
    pd_bytes_release(&raw);
}

/* How many documents are counted as repaired: the page with these HTTP fields and this body. */
static uint64_t repaired(const char *fields, const void *v, size_t n)
{
    struct seen seen = see_page(fields, v, n);
    const uint64_t repairs = seen.counts.repaired;
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    seen_release(&seen);
    return repairs;
}

static void test_bodies_cut_short_are_counted(void)
{
    static const char gzip[] = HTML "Content-Encoding: gzip\r\n";
    static const char zstd[] = HTML "Content-Encoding: zstd\r\n";
    struct pd_bytes page = {0}, gz = {0}, zst = {0};
    for (int k = 0; k < 60000; k++)
        put(&page, "<p>%d", k);
    put_gzip(&gz, page.v, page.n);
    put_zstd(&zst, page.v, page.n);
    CU_ASSERT_EQUAL(repaired(gzip, gz.v, gz.n), 0);
    CU_ASSERT_EQUAL(repaired(gzip, gz.v, gz.n - 8), 1);
    CU_ASSERT_EQUAL(repaired(gzip, gz.v, gz.n / 2), 1);
    CU_ASSERT_EQUAL(repaired(HTML, gz.v, gz.n / 2), 1); /* no header names the coding */
    CU_ASSERT_EQUAL(repaired(zstd, zst.v, zst.n), 0);
    CU_ASSERT_EQUAL(repaired(zstd, zst.v, zst.n / 2), 1);
    CU_ASSERT_EQUAL(repaired(CHUNKED, "3\r\nabc\r\n0\r\n\r\n", 13), 0);
    CU_ASSERT_EQUAL(repaired(CHUNKED, "3\r\nabc\r\n9\r\nde", 13), 1);
    pd_bytes_release(&page);
    pd_bytes_release(&gz);
    pd_bytes_release(&zst);
}

static void test_coding_only_in_name(void)
{
    check_page(HTML "Content-Encoding: gzip\r\n", "<p>", 3, "<p>");
    check_page(HTML "Content-Encoding: deflate\r\n", "<p>", 3, "<p>");
    check_page(HTML "Content-Encoding: deflate\r\n", "reader", 6, "reader");   /* raw, if need be */
    check_page(HTML "Content-Encoding: deflate\r\n", "x marks", 7, "x marks"); /* like zlib */
    check_page(HTML "Content-Encoding: deflate\r\n", "x at some length", 16, "x at some length");
    check_page(HTML "Content-Encoding: br\r\n", "<p>", 3, "<p>");
    check_page(HTML "Content-Encoding: gzip\r\n", "", 0, "");
}

static void test_coding_that_cannot_be_undone(void)
{
    struct pd_bytes gz = {0};
    put_gzip(&gz, "<p>some page", 12);
    gz.v[gz.n - 8] ^= 1;
    check_lost(HTML "Content-Encoding: gzip\r\n", gz.v, gz.n, PD_SKIP_CODING);
    check_lost(HTML "Content-Encoding: br\r\n", "\x0b\x02\x80", 3, PD_SKIP_CODING);
    pd_bytes_release(&gz);
}

static void test_decoded_size_is_bounded(void)
{
    enum { BOMB = 40 << 20 };
    unsigned char *zeros = calloc(BOMB, 1);
    struct pd_bytes zst = {0};
    put_zstd(&zst, zeros, BOMB);
    CU_ASSERT(zst.n * 1000 < BOMB);
    check_lost(HTML "Content-Encoding: zstd\r\n", zst.v, zst.n, PD_SKIP_TOO_LARGE);
    pd_bytes_release(&zst);
    free(zeros);
}

static void test_responses(void)
{
    static const char interim[] = "HTTP/1.1 100 Continue\r\nContent-Type: image/png\r\n\r\n"
                                  "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n\r\nbody";
    static const char *const broken[] = {"no HTTP at all", "HTTP/1.1 200 OK\r\nno: end\r\n", ""};
    static const char *const type = "Content-Type: application/http\r\n";
    struct pd_bytes v = {0};
    put_record(&v, "response", "x", "", interim, sizeof interim - 1);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT(is_body(&seen, "body"));
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_TEXT);
    seen_release(&seen);
    for (size_t k = 0; k < 3; k++) {
        v.n = 0;
        put_record(&v, "response", "x", type, broken[k], strlen(broken[k]));
        seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.docs.n, 0);
        CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_HEADER], 1);
        seen_release(&seen);
    }
    pd_bytes_release(&v);
    seen = see_page("Content-Type: image/gif\r\n", "GIF89a", 6);
    CU_ASSERT_EQUAL(seen.counts.ignored, 1);
    seen_release(&seen);
    check_page("", "body", 4, "body");
}

/* ---- JSON lines ---- */

static void test_json_fields(void)
{
    struct seen seen =
        see_text("\xef\xbb\xbf\n{\"text\": \"a\", \"id\": 17, \"url\": \"http://x/\"}\r\n"
                 "  \n"
                 "{\"id\": 1.5, \"text\": \"b\"}\n"
                 "{\"text\": \"c\", \"n\": 123456789012345678901234567890}\n"
                 "{\"id\": \"\", \"text\": \"q\\\"\\u00e9\\n\"}",
                 PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 4);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "17");
    CU_ASSERT_EQUAL(seen.docs.v[0].offset, 4);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[1].id, "1.5");
    CU_ASSERT_EQUAL(strncmp(seen.docs.v[3].id, scratch_path("file"), 10), 0);
    CU_ASSERT(is_body(&seen, "q\"\xc3\xa9\n"));
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_TEXT);
    seen_release(&seen);
}

static void test_json_options(void)
{
    struct pd_raw raw;
    const struct pd_reader_options options = {
        .id_field = "name", .text_field = "body", .url_field = "link"};
    const char *line =
        "{\"id\": 1, \"text\": 2, \"name\": \"n\", \"body\": \"b\", \"link\": \"l\"}";
    const struct pd_file file = file_of(scratch_write("file", line, strlen(line)));
    struct pd_reader *r = pd_reader_new(&options);
    CU_ASSERT_EQUAL(pd_reader_fetch(r, &file, 0, 0, &raw), PD_OK);
    CU_ASSERT(raw.id_n == 1 && *raw.id == 'n');
    CU_ASSERT(raw.n == 1 && *raw.body == 'b');
    CU_ASSERT(raw.url_n == 1 && *raw.url == 'l');
    pd_reader_free(r);
}

/* The id of the line when the field `name` has it; NULL: its place. */
static void id_field(int line, const char *name, const char *json, const char *id)
{
    struct pd_raw raw;
    const struct pd_reader_options options = {.id_field = name, .text_field = "a.text"};
    const struct pd_file file = file_of(scratch_write("file", json, strlen(json)));
    struct pd_reader *r = pd_reader_new(&options);
    CU_ASSERT_EQUAL_FATAL(pd_reader_fetch(r, &file, 0, 0, &raw), PD_OK);
    const bool same = raw.id_n == strlen(id) && memcmp(raw.id, id, raw.id_n) == 0;
    if (!same)
        fprintf(stderr, "line %d: %s: <%.*s>\n", line, name, (int)raw.id_n, raw.id);
    CU_ASSERT(same && raw.n == 1 && *raw.body == 't');
    pd_reader_free(r);
}
#define FIELD(name, json, id) id_field(__LINE__, name, "{\"a\": {\"text\": \"t\"}, " json "}", id)

static void test_json_fields_in_objects(void)
{
    FIELD("m.id", "\"m\": {\"id\": \"x\"}", "x");
    FIELD("m.id", "\"m\": {\"id\": \"x\"}, \"m.id\": \"y\"", "y");
    FIELD("m.id", "\"id\": 5, \"m\": {\"n\": [{\"id\": 1.5}], \"id\": 2.50, \"o\": {\"id\": 3.5}}",
          "2.50");
    FIELD("m.id", "\"m\": {\"x\": 1}, \"o\": {\"id\": 3.5}, \"m\": {\"id\": 18446744073709551615}",
          "18446744073709551615");
    FIELD("m.n.id", "\"m\": {\"n\": {\"id\": 1.50}, \"id\": 2.5}, \"n\": {\"id\": 3.5}", "1.50");
    FIELD("m.n.id", "\"m.n\": {\"id\": \"z\"}", "z");
}

/* Zeros over the ends of several lines are told, and not read as one line. */
static void test_json_damage(void)
{
    struct pd_bytes v = {0};
    for (int k = 0; k < 40; k++)
        put(&v, "{\"id\": \"%d\", \"text\": \"%0200d\"}\n", k, k);
    memset(v.v + 1100, 0, 4000);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.counts.repaired, 0);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_JSON], 1);
    CU_ASSERT(seen.docs.n > 15 && seen.docs.n < 25);
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_clueweb22(void)
{
    struct seen seen = see_text("{\"URL\": \"http://example.org/\\n\", \"Language\": \"en\", "
                                "\"ClueWeb22-ID\": \"clueweb22-en0000-00-00000\", "
                                "\"Clean-Text\": \"text\"}\n",
                                PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT(is_body(&seen, "text"));
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "clueweb22-en0000-00-00000");
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/");
    seen_release(&seen);
    struct pd_bytes v = {0};
    put_record(&v, "resource", "x", "ClueWeb22-ID: clueweb22-1\r\n" TEXT, "1", 1);
    seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "clueweb22-1");
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_json_null_character_and_broken_utf8(void)
{
    struct seen seen = see_text("{\"text\": \"a\\u0000b\"}\n", PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.docs.v[0].n, 3);
    CU_ASSERT_EQUAL(seen.counts.repaired, 0);
    seen_release(&seen);
    seen = see_text("{\"text\": \"a\xff\xc3\xa9\xed\xa0\x80z\xe2\x82\"}\n", PD_FORMAT_AUTO);
#define BAD "\xef\xbf\xbd"
    CU_ASSERT(is_body(&seen, "a" BAD "\xc3\xa9" BAD BAD BAD "z" BAD BAD));
    CU_ASSERT_EQUAL(seen.counts.repaired, 1);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    seen_release(&seen);
}

/* The line has this id and the body "b"; id NULL: its place. */
static void json_id(int line, const char *json, const char *id)
{
    struct seen seen = see_text(json, PD_FORMAT_JSONL);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    const char *got = seen.docs.v[0].id;
    const bool same = id ? strcmp(got, id) == 0 : strncmp(got, scratch_path("file"), 10) == 0;
    if (!same || !is_body(&seen, "b"))
        fprintf(stderr, "line %d: %s: id <%s>\n", line, json, got);
    CU_ASSERT(same && is_body(&seen, "b"));
    seen_release(&seen);
}
#define ID(json, id) json_id(__LINE__, "{\"text\": \"b\", " json "}\n", id)

static void test_json_ids_are_as_written(void)
{
    ID("\"id\": 9007199254740993", "9007199254740993");
    ID("\"id\": 18446744073709551615", "18446744073709551615");
    ID("\"id\": -9223372036854775809 ", "-9223372036854775809");
    ID("\"id\":123456789012345678901234567890123456789012345678901234567890",
       "12345678901234567890123456789012345678901234567");
    ID("\"id\": 1.10", "1.10");
    ID("\"id\": 1e3", "1e3");
    ID("\"id\": 1e999", "1e999");
    ID("\"id\": -0", "-0");
    ID("\"id\": 007", "007");
    ID("\"n\": 18446744073709551615, \"id\": 5", "5");
    ID("\"x\": {\"id\": 1.5}, \"id\": 2.5, \"y\": [{\"id\": 3.5}]", "2.5");
    ID("\"x\": \"\\\"id\\\": 1.5\\\\\", \"id\" : \t2.5", "2.5");
    ID("\"id\": 1.5, \"id\": 2.5", "2.5");
    ID("\"ClueWeb22-ID\": 2.50", "2.50");
    ID("\"id\": NaN", NULL);
    ID("\"id\": null", NULL);
    ID("\"id\": true", NULL);
    ID("\"id\": [1.5]", NULL);
    ID("\"id\": \"a\\u0000b\"", "a\\x00b");
    ID("\"id\": \"a\\u0000\"", "a\\x00");
    ID("\"id\": \"a\\u00e9\"", "a\xc3\xa9");
}

static void test_names_that_are_not_utf8(void)
{
    const char *path = scratch_write("caf\xe8 \xc3\xa9.txt", "b", 1);
    struct seen seen = see(path, PD_FORMAT_TEXT);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(seen.docs.v[0].id, "/caf\\xE8 \xc3\xa9.txt"));
    seen_release(&seen);
}

/* The line has this text, and is counted as repaired. */
static void json_mended(int line, const char *json, const char *text)
{
    struct seen seen = see_text(json, PD_FORMAT_JSONL);
    const bool same = is_body(&seen, text) && seen.counts.repaired == 1 && seen.skips.n == 0;
    if (!same)
        fprintf(stderr, "line %d: %s\n", line, json);
    CU_ASSERT(same);
    seen_release(&seen);
}
#define MENDED(json, text) json_mended(__LINE__, json, text)

static void test_json_that_is_mended(void)
{
    MENDED("{\"x\": NaN, \"y\":-Infinity,\"z\": [Infinity, nan, None, +1, .5, 0x1F],"
           " \"text\": \"a\"}",
           "a");
    MENDED("{\"text\": \"a\\ud800b\\udc00c\\ud83d\\ude00d\\ud800\"}",
           "a" BAD "b" BAD "c\xf0\x9f\x98\x80"
           "d" BAD);
    MENDED("{\"text\": \"a\\ud800\\u0041\"}", "a" BAD "A");
    MENDED("{\"hash\": 18446744073709551615, \"text\": \"a\xff\"}", "a" BAD);
    MENDED("{\"hash\": 1e999, \"n\": NaN, \"text\": \"a\\ud800\xff\"}", "a" BAD BAD);
    MENDED("{\"text\": \"tab\tand \x01\"}", "tab\tand \x01");
    MENDED("{\"text\": \"it\\'s \\x41 \\\" \\n\"}", "it\\'s \\x41 \" \n");
    MENDED("{\"k\xff\": 1, \"text\": \"a\"}", "a");
}

static void test_json_lines_that_are_none(void)
{
    struct seen seen = see_text("{\"text\": \"a\"}\n"
                                "{\"text\": 5}\n"
                                "[1]\n"
                                "{\"text\": \"never closed}\n"
                                "{\"text\": \"b\"}\n",
                                PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n, 2);
    CU_ASSERT_EQUAL_FATAL(seen.skips.n, 3);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_JSON], 3);
    CU_ASSERT_EQUAL(seen.skips.v[0].offset, 14);
    CU_ASSERT_STRING_EQUAL(seen.skips.v[0].detail, "no field \"text\" that is a string");
    seen_release(&seen);
}

/* ---- whole files ---- */

static void check_whole(const void *v, size_t n, enum pd_format format, const char *want,
                        enum pd_media media)
{
    struct seen seen = see_bytes(v, n, format);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT(is_body(&seen, want));
    CU_ASSERT_EQUAL(seen.media, media);
    CU_ASSERT_EQUAL(seen.docs.v[0].offset, 0);
    CU_ASSERT_EQUAL(seen.docs.v[0].length, n);
    CU_ASSERT_EQUAL(seen.counts.stored_bytes, n);
    CU_ASSERT_EQUAL(strncmp(seen.docs.v[0].id, scratch_path("file"), 10), 0);
    seen_release(&seen);
}

static void test_whole_files(void)
{
    struct pd_bytes gz = {0};
    put_gzip(&gz, "<p>", 3);
    check_whole("<p>", 3, PD_FORMAT_AUTO, "<p>", PD_MEDIA_UNKNOWN);
    check_whole("<p>", 3, PD_FORMAT_HTML, "<p>", PD_MEDIA_HTML);
    check_whole("{\"text\"", 7, PD_FORMAT_TEXT, "{\"text\"", PD_MEDIA_TEXT);
    check_whole(gz.v, gz.n, PD_FORMAT_AUTO, "<p>", PD_MEDIA_UNKNOWN);
    check_whole("", 0, PD_FORMAT_AUTO, "", PD_MEDIA_UNKNOWN);
    struct seen seen = see_cut(scratch_write("file", "abc", 3), PD_FORMAT_TEXT, 1, 2);
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    seen_release(&seen);
    pd_bytes_release(&gz);
}

static void test_damaged_whole_files(void)
{
    struct pd_bytes gz = {0};
    put_gzip(&gz, "a page of some length", 21);
    struct seen cut = see_bytes(gz.v, gz.n - 1, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(cut.docs.n, 0);
    CU_ASSERT_EQUAL(cut.counts.skipped[PD_SKIP_TRUNCATED], 1);
    put(&gz, "trailing");
    struct seen garbage = see_bytes(gz.v, gz.n, PD_FORMAT_AUTO);
    CU_ASSERT(is_body(&garbage, "a page of some length"));
    CU_ASSERT_EQUAL(garbage.counts.skipped[PD_SKIP_GARBAGE], 1);
    CU_ASSERT_EQUAL(garbage.skips.n, 1);
    seen_release(&cut);
    seen_release(&garbage);
    pd_bytes_release(&gz);
}

static void test_packings_that_are_not_read(void)
{
    static const char *const files[] = {"BZh91AY&SY",         "\xfd\x37zXZ", "\x04\x22\x4d\x18@p",
                                        "7z\xbc\xaf\x27\x1c", "%!PS-Adobe",  "GIF89a"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct seen seen = see_text(files[k], PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.docs.n, 0);
        CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
        CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_UNKNOWN);
        CU_ASSERT_PTR_NOT_NULL(strstr(seen.skips.v[0].detail, "which pardup does not read"));
        const char *what_to_do = strstr(seen.skips.v[0].detail, "read: ");
        CU_ASSERT_EQUAL(what_to_do != NULL, strcmp(files[k], "GIF89a") != 0);
        seen_release(&seen);
    }
}

/* JSON in UTF-16, an object or a list of objects, is named; another text with a bracket is read. */
static void test_json_in_utf16(void)
{
    static const struct {
        const char *text;
        size_t documents;
    } files[] = {{"{\"id\": 1}\n", 0},
                 {"[{\"id\": 1}]", 0},
                 {" [\r\n\t{\"id\": 1}]", 0},
                 {"[1] A note {x}.", 1},
                 {"[[{]", 1},
                 {"A {\"id\": 1}", 1},
                 {"[", 1},
                 {"", 1}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        for (size_t big = 0; big < 2; big++) {
            struct pd_bytes file = {0};
            pd_bytes_append(&file, big ? "\xfe\xff" : "\xff\xfe", 2);
            for (const char *s = files[k].text; *s; s++)
                pd_bytes_append(&file, big ? (char[]){0, *s} : (char[]){*s, 0}, 2);
            struct seen seen = see_bytes(file.v, file.n, PD_FORMAT_AUTO);
            CU_ASSERT_EQUAL(seen.docs.n, files[k].documents);
            CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_UNKNOWN], 1 - files[k].documents);
            seen_release(&seen);
            pd_bytes_release(&file);
        }
    }
}

static void test_whole_file_that_is_too_large(void)
{
    const char *path = scratch_write("file", "x", 1);
    PD_CHECK(truncate(path, (off_t)PD_DOCUMENT_MOST + 1) == 0); /* a hole: no disk, no reading */
    struct seen seen = see(path, PD_FORMAT_TEXT);
    CU_ASSERT_EQUAL(seen.docs.n, 0);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_TOO_LARGE], 1);
    seen_release(&seen);
}

/* The names are kept in result files and typed by users; --help has a line for each. */
static void test_format_names(void)
{
    static const char *const want[] = {"auto", "warc",    "jsonl", "html", "text", "arc",
                                       "trec", "reuters", "mbox",  "mail", "sogou"};
    for (int k = 0; k < (int)(sizeof want / sizeof *want); k++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(pd_format_names[k]);
        CU_ASSERT_STRING_EQUAL(pd_format_names[k], want[k]);
    }
    CU_ASSERT_STRING_EQUAL(pd_format_names[PD_FORMAT_TREC], "trec");
    CU_ASSERT_PTR_NULL(pd_format_names[PD_FORMATS]);
    for (int k = 0; k < PD_FORMATS; k++)
        CU_ASSERT(strlen(pd_format_help((enum pd_format)k)) > 0);
}

#define TURN(NAME, name, layout, media, turn, help) turn,

/* The formats are tried in an order that does not depend on the order of the rows. */
static void test_format_turns(void)
{
    static const int turns[] = {PD_FORMAT_ROWS(TURN)};
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++)
        for (size_t i = 0; i < k; i++)
            CU_ASSERT(turns[i] != turns[k] || turns[k] == 0);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_format_names),
                                        PD_TEST(test_format_turns),
                                        PD_TEST(test_old_header_with_line_feeds),
                                        PD_TEST(test_ids),
                                        PD_TEST(test_types),
                                        PD_TEST(test_segments),
                                        PD_TEST(test_segments_elsewhere),
                                        PD_TEST(test_no_type),
                                        PD_TEST(test_wrong_lengths_are_repaired),
                                        PD_TEST(test_short_length_at_the_end_of_the_file),
                                        PD_TEST(test_record_in_a_content_of_right_length),
                                        PD_TEST(test_huge_length),
                                        PD_TEST(test_huge_record_is_told_and_left),
                                        PD_TEST(test_lengths_that_are_none),
                                        PD_TEST(test_garbage_between_records),
                                        PD_TEST(test_blank_lines_are_no_garbage),
                                        PD_TEST(test_chunked),
                                        PD_TEST(test_chunked_only_in_name),
                                        PD_TEST(test_content_coding),
                                        PD_TEST(test_bodies_cut_short_are_counted),
                                        PD_TEST(test_coding_only_in_name),
                                        PD_TEST(test_coding_that_cannot_be_undone),
                                        PD_TEST(test_decoded_size_is_bounded),
                                        PD_TEST(test_responses),
                                        PD_TEST(test_json_fields),
                                        PD_TEST(test_json_options),
                                        PD_TEST(test_json_fields_in_objects),
                                        PD_TEST(test_json_damage),
                                        PD_TEST(test_clueweb22),
                                        PD_TEST(test_json_null_character_and_broken_utf8),
                                        PD_TEST(test_json_ids_are_as_written),
                                        PD_TEST(test_names_that_are_not_utf8),
                                        PD_TEST(test_json_that_is_mended),
                                        PD_TEST(test_json_lines_that_are_none),
                                        PD_TEST(test_whole_files),
                                        PD_TEST(test_damaged_whole_files),
                                        PD_TEST(test_packings_that_are_not_read),
                                        PD_TEST(test_json_in_utf16),
                                        PD_TEST(test_whole_file_that_is_too_large),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "records", tests);
}

/* tests/unit/test_http.c - HTTP responses as archives hold them: heads, types, chunks, codings. */
#include <brotli/encode.h>

#include "corpus/web/chunked.h"
#include "pd_cunit.h"
#include "pd_records.h"

#define PAGE    "<!DOCTYPE html><html><body><p>One page.</p></body></html>"
#define PLAIN   "Content-Type: text/plain\r\n"
#define OK      "HTTP/1.1 200 OK\r\n"
#define CHUNKED HTML "Transfer-Encoding: chunked\r\n"

/* See the response s[0, n) in a WARC record. */
static struct seen see_response(const void *s, size_t n)
{
    struct pd_bytes warc = {0};
    put_record(&warc, "response", "x", "Content-Type: application/http\r\n", s, n);
    struct seen seen = see_bytes(warc.v, warc.n, PD_FORMAT_AUTO);
    pd_bytes_release(&warc);
    return seen;
}

/* The response has this body and media; `mended`: its header is counted as repaired. */
static void response(int line, const char *s, const char *body, enum pd_media media, bool mended)
{
    struct seen seen = see_response(s, strlen(s));
    const bool same = seen.docs.n == 1 && strcmp((const char *)seen.last.v, body) == 0 &&
                      seen.media == media && seen.counts.repaired == mended;
    if (!same)
        fprintf(stderr, "line %d: %s\n  got <%s> media %d repaired %d\n", line, s,
                seen.docs.n ? (const char *)seen.last.v : "", (int)seen.media,
                (int)seen.counts.repaired);
    CU_ASSERT(same);
    seen_release(&seen);
}
#define RESPONSE(s, body, media) response(__LINE__, s, body, PD_MEDIA_##media, false)
#define MENDED(s, body, media)   response(__LINE__, s, body, PD_MEDIA_##media, true)

/* ---- heads ---- */

static void test_head_without_empty_line(void)
{
    MENDED(OK HTML PAGE, PAGE, HTML);
    MENDED(OK HTML "  " PAGE "\n\nmore", "  " PAGE "\n\nmore", HTML);
    MENDED(OK HTML "<p>a: b</p>\n\nc", "<p>a: b</p>\n\nc", HTML);
    MENDED(OK PLAIN "Just a text. And more.", "Just a text. And more.", TEXT);
    MENDED(OK PLAIN "A first paragraph.\n\nA second.", "A first paragraph.\n\nA second.", TEXT);
    MENDED(OK CHUNKED "4\r\n<p>a\r\n0\r\n\r\n", "<p>a", HTML);
    MENDED("HTTP/1.0 200 OK\n" PAGE, PAGE, UNKNOWN);
}

static void test_head_with_odd_lines(void)
{
    RESPONSE(OK "junk line\r\n" HTML "\r\n" PAGE, PAGE, HTML);
    RESPONSE(OK HTML "junk line\r\n\r\n" PAGE, PAGE, HTML);
    RESPONSE(OK "X Name: x\r\n" PLAIN "Date: x\r\n\r\nbody", "body", TEXT);
    RESPONSE(OK "Link: </a>;\r\n <http://b>\r\n" HTML "\r\n" PAGE, PAGE, HTML);
    RESPONSE(OK HTML "\r\n\r\n\r\nbody", "\r\n\r\nbody", HTML);
}

static void test_heads_in_front(void)
{
    RESPONSE("HTTP/1.0 200 Connection established\r\n\r\n" OK HTML "\r\n" PAGE, PAGE, HTML);
    RESPONSE("HTTP/1.0 200 OK\r\n" OK HTML "\r\n" PAGE, PAGE, HTML);
    RESPONSE("HTTP/1.1 301 Moved\r\n" PLAIN "\r\n" OK HTML "\r\n" PAGE, PAGE, HTML);
    RESPONSE("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n" OK HTML "\r\n" PAGE, PAGE,
             HTML);
    RESPONSE(OK PLAIN "\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nis a head",
             "HTTP/1.1 200 OK\r\nA: b\r\n\r\nis a head", TEXT);
    MENDED("200 OK\r\n" OK HTML "\r\n" PAGE, PAGE, HTML);
    MENDED("\r\n" OK HTML "\r\n" PAGE, PAGE, HTML);
    RESPONSE("http/1.1 200 ok\r\n" HTML "\r\n" PAGE, PAGE, HTML);
}

/* Is the last page an error page? The last status line says so. */
static void error(int line, const char *s, bool want)
{
    struct seen seen = see_response(s, strlen(s));
    if (seen.docs.n != 1 || seen.error != want)
        fprintf(stderr, "line %d: %s\n", line, s);
    CU_ASSERT(seen.docs.n == 1 && seen.error == want);
    seen_release(&seen);
}
#define ERROR(s, want) error(__LINE__, s, want)

static void test_error_pages(void)
{
    ERROR(OK HTML "\r\n" PAGE, false);
    ERROR("HTTP/1.1 404 Not Found\r\n" HTML "\r\n" PAGE, true);
    ERROR("HTTP/1.0  503\r\n" HTML "\r\n" PAGE, true);
    ERROR("HTTP/1.1 301 Moved\r\n" PLAIN "\r\nHTTP/1.1 404 Gone\r\n" HTML "\r\n" PAGE, true);
    ERROR("HTTP/1.1 301 Moved\r\n" PLAIN "\r\n" OK HTML "\r\n" PAGE, false);
    ERROR("HTTP/1.1\r\n" HTML "\r\n" PAGE, false);
    ERROR(HTML "Server: 404\r\n\r\n" PAGE, false);
}

static void test_no_head(void)
{
    MENDED(HTML "Server: x\r\n\r\n" PAGE, PAGE, HTML);
    MENDED(PAGE, PAGE, UNKNOWN);
    MENDED("\n <!-- c -->" PAGE, "<!-- c -->" PAGE, UNKNOWN);
}

/* ---- types ---- */

/* A page of this type has this media; -1: it is no document. */
static void type(int line, const char *value, const char *body, int media, const char *charset)
{
    char head[400];
    snprintf(head, sizeof head, OK "Content-Type: %s\r\n\r\n%s", value, body);
    struct seen seen = see_response(head, strlen(head));
    const bool same = media < 0 ? seen.docs.n == 0 && seen.counts.ignored == 1
                                : seen.docs.n == 1 && (int)seen.media == media &&
                                      strcmp(seen.charset, charset) == 0;
    if (!same)
        fprintf(stderr, "line %d: %s: media %d, charset <%s>\n", line, value,
                seen.docs.n ? (int)seen.media : -1, seen.charset);
    CU_ASSERT(same);
    seen_release(&seen);
}
#define IS(value, media, charset) type(__LINE__, value, PAGE, PD_MEDIA_##media, charset)
#define IS_NONE(value, body)      type(__LINE__, value, body, -1, "")

static void test_types_of_pages(void)
{
    IS("text/html charset=utf-8", HTML, "utf-8");
    IS("text/html, charset=utf-8", HTML, "utf-8");
    IS("text/html:charset=utf-8", HTML, "utf-8");
    IS("text/html; charset:utf-8", HTML, "utf-8");
    IS("text/html;; charset = 'utf-8'", HTML, "utf-8");
    IS("\"text/html\"", HTML, "");
    IS("\"text/html; charset=utf-8\"", HTML, "utf-8");
    IS("'text/html'; charset=\"utf-8", HTML, "utf-8");
    IS("text/html,text/html; charset=utf-8, text/html", HTML, "utf-8");
    IS("text/html; charset=utf-8, text/html; charset=big5", HTML, "utf-8");
    IS("text/html; charset=", HTML, "");
    IS("text/html; charset=; a=b", HTML, "");
    IS("TEXT/HTM", HTML, "");
    IS("text/html5", HTML, "");
    IS("text/x-html", HTML, "");
    IS("application/html", HTML, "");
    IS("text\\html", HTML, "");
    IS("html", HTML, "");
    IS("; charset=utf-8", UNKNOWN, "utf-8");
    IS("APPLICATION/xhtml+xml;charset=UTF-8", XHTML, "UTF-8");
    IS("application/xhtml xml", XHTML, "");
    IS("text/xhtml", XHTML, "");
    IS("text/plain, text/html", UNKNOWN, "");
    IS("application/octet-stream, text/html", HTML, "");
    IS("text/plain; charset=x", TEXT, "x");
    IS("text/x-news", UNKNOWN, "");
    IS("content/unknown", UNKNOWN, "");
}

static void test_types_that_may_be_pages(void)
{
    IS("application/octet-stream", HTML, "");
    IS("application/x-httpd-php; charset=utf-8", HTML, "utf-8");
    IS("binary/octet-stream", HTML, "");
    IS("application/rss+xml; charset=x", UNKNOWN, "x");
    IS("application/xml", HTML, "");
    type(__LINE__, "application/xml", "<?xml version='1.0'?><rss>", PD_MEDIA_HTML, "");
    IS_NONE("application/xml", "<?xml version='1.0'?><urlset>");
    IS_NONE("application/octet-stream", "no page");
    IS_NONE("application/octet-stream", "");
    IS_NONE("application/pdf", PAGE);
    IS_NONE("image/png", PAGE);
    IS_NONE("text/dns", "x");
    IS_NONE("text/css; charset=utf-8", "p { color: red; }");
    IS_NONE("text/javascript", "f(1);");
}

/* ---- chunks ---- */

static void chunked(int line, const char *body, const char *want)
{
    struct pd_bytes s = {0};
    put(&s, OK PLAIN "Transfer-Encoding: chunked\r\n\r\n%s", body);
    struct seen seen = see_response(s.v, s.n);
    const bool same = seen.docs.n == 1 && strcmp((const char *)seen.last.v, want) == 0;
    if (!same)
        fprintf(stderr, "line %d: %s\n  got <%s>\n", line, body,
                seen.docs.n ? (const char *)seen.last.v : "");
    CU_ASSERT(same);
    seen_release(&seen);
    pd_bytes_release(&s);
}
#define CHUNKS(body, want) chunked(__LINE__, body, want)
#define NO_CHUNKS(body)    chunked(__LINE__, body, body)

static void test_texts_that_are_not_chunked(void)
{
    NO_CHUNKS("Face the facts about this. Second sentence is here.\nThird line.\n");
    NO_CHUNKS("0 results were found for it. Second sentence is here.\nThird line.\n");
    NO_CHUNKS("0\nresults were found.\n");
    NO_CHUNKS("0; nothing\nwas found.\n");
    NO_CHUNKS("1984\r\nIt was a bright cold day in April.\r\n");
    NO_CHUNKS("Face\r\nthe facts.\r\n");
    NO_CHUNKS("a\nbed and so on\n");
    NO_CHUNKS("Deadline is today.\n");
}

static bool is_whole(const char *s)
{
    return pd_chunked_whole((const unsigned char *)s, strlen(s));
}

/* Bodies of nothing but chunks, whose header does not say so. */
static void test_chunks_not_told(void)
{
    CU_ASSERT(is_whole("5\r\nhello\r\n0\r\n\r\n"));
    CU_ASSERT(is_whole("5;a=b\r\nhello\r\n7 \r\n, world\r\n0\r\nX-A: b\r\n\r\n"));
    CU_ASSERT(is_whole("5\nhello\n0\n"));
    CU_ASSERT_FALSE(is_whole("0\r\n\r\n"));
    CU_ASSERT_FALSE(is_whole("5\r\nhello\r\n"));
    CU_ASSERT_FALSE(is_whole("4\r\nhello\r\n0\r\n\r\n"));
    CU_ASSERT_FALSE(is_whole("8\r\nhello\r\n0\r\n\r\n"));
    CU_ASSERT_FALSE(is_whole("5\r\nhello\r\n0\r\n\r\nand more"));
    CU_ASSERT_FALSE(is_whole("hello"));
    CU_ASSERT_FALSE(pd_chunked_whole(NULL, 0));
}

static void test_chunks_that_are_off(void)
{
    CHUNKS("\r\n4\r\nWiki\r\n0\r\n\r\n", "Wiki");
    CHUNKS("4\r\nWiki\r\n\r\n5\r\npedia\r\n\r\n0\r\n\r\n", "Wikipedia");
    CHUNKS("4\r\n\r\nWiki\r\n5\r\n\r\npedia\r\n0\r\n\r\n", "Wikipedia");
    CHUNKS("6\r\nWiki\r\n7\r\npedia\r\n0\r\n\r\n", "Wikipedia"); /* sizes with the line end */
    CHUNKS("3\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n", "Wikipedia");
    CHUNKS("4  \r\nWiki\r\n0  \r\n\r\n", "Wiki");
    CHUNKS("4\nWiki\n0\n", "Wiki");
    CHUNKS("4\r\nWiki\r\n00ff\r\npedia", "Wikipedia");
}

/* ---- codings ---- */

/* Pack v[0, n) as two members or frames. */
static void put_twice(struct pd_bytes *to, void (*pack)(struct pd_bytes *, const void *, size_t),
                      const char *v, size_t cut)
{
    pack(to, v, cut);
    pack(to, v + cut, strlen(v) - cut);
}

/* A page of this coding, packed as v[0, n), is PAGE. */
static void check_page(const char *coding, const struct pd_bytes *packed)
{
    struct pd_bytes s = {0};
    put(&s, OK HTML "%s\r\n", coding);
    pd_bytes_append(&s, packed->v, packed->n);
    struct seen seen = see_response(s.v, s.n);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL((const char *)seen.last.v, PAGE);
    seen_release(&seen);
    pd_bytes_release(&s);
}

#define GZIP "Content-Encoding: gzip\r\n"
#define ZSTD "Content-Encoding: zstd\r\n"

static void test_several_members(void)
{
    static const unsigned char skippable[] = {0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 'x', 'x'};
    struct pd_bytes v = {0};
    for (size_t cut = 0; cut < sizeof PAGE; cut += 7) {
        v.n = 0;
        put_twice(&v, put_gzip, PAGE, cut);
        check_page(GZIP, &v);
        pd_bytes_append(&v, "\0\0\0", 3);
        check_page(GZIP, &v);
        put_gzip(&v, "", 0);
        check_page("Content-Encoding: x-gzip\r\n", &v);
        pd_bytes_append(&v, "behind the last member", 10);
        check_page(GZIP, &v);
        v.n = 0;
        pd_bytes_append(&v, skippable, cut % 2 ? sizeof skippable : 0);
        if (v.n == 0)
            put_twice(&v, put_zstd, PAGE, cut);
        else
            v.n = 0, put_zstd(&v, PAGE, cut), pd_bytes_append(&v, skippable, sizeof skippable),
            put_zstd(&v, &PAGE[cut], strlen(PAGE) - cut);
        check_page(ZSTD, &v);
        pd_bytes_append(&v, "behind", 6);
        check_page(ZSTD, &v);
        v.n = 0;
        pd_bytes_append(&v, skippable, sizeof skippable);
        put_zstd(&v, PAGE, strlen(PAGE));
        check_page(ZSTD, &v);
    }
    pd_bytes_release(&v);
}

static void test_large_members(void)
{
    enum { N = 3 << 20 };
    struct pd_bytes text = {0}, v = {0};
    uint64_t seed = 4;
    put(&v, OK PLAIN GZIP "\r\n");
    while (text.n < N)
        put(&text, "word %x\n", noise(&seed));
    for (size_t at = 0; at < text.n; at += N / 5)
        put_gzip(&v, text.v + at, text.n - at < N / 5 ? text.n - at : N / 5);
    struct seen seen = see_response(v.v, v.n);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.last.n, text.n + 1);
    CU_ASSERT_EQUAL(memcmp(seen.last.v, text.v, text.n), 0);
    seen_release(&seen);
    pd_bytes_release(&v);
    pd_bytes_release(&text);
}

static void test_coded_more_often_than_named(void)
{
    struct pd_bytes once = {0}, twice = {0};
    put_gzip(&once, PAGE, strlen(PAGE));
    check_page("", &once);
    put_gzip(&twice, once.v, once.n);
    check_page("Content-Encoding: gzip, gzip\r\n", &twice);
    check_page(GZIP, &twice);
    once.n = 0;
    put_zstd(&once, twice.v, twice.n);
    check_page("Content-Encoding: gzip, gzip, zstd\r\n", &once);
    pd_bytes_release(&once);
    pd_bytes_release(&twice);
}

/* A body that begins as gzip, zstd or zlib is that, whichever coding the header names. */
static void test_codings_mixed_up(void)
{
    static const char *const names[] = {"gzip", "x-gzip", "deflate", "zstd", "br", "identity", "x"};
    struct pd_bytes gzip = {0}, zstd = {0};
    put_gzip(&gzip, PAGE, strlen(PAGE));
    put_zstd(&zstd, PAGE, strlen(PAGE));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char field[64];
        snprintf(field, sizeof field, "Content-Encoding: %s\r\n", names[k]);
        check_page(field, &gzip);
        check_page(field, &zstd);
    }
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    const size_t most = libdeflate_zlib_compress_bound(c, strlen(PAGE));
    pd_bytes_reserve(&gzip, most);
    gzip.n = libdeflate_zlib_compress(c, PAGE, strlen(PAGE), gzip.v, most);
    libdeflate_free_compressor(c);
    check_page(GZIP, &gzip);
    check_page("Content-Encoding: deflate\r\n", &gzip);
    pd_bytes_release(&gzip);
    pd_bytes_release(&zstd);
}

static void test_second_member_that_is_broken(void)
{
    struct pd_bytes v = {0};
    put(&v, OK HTML GZIP "\r\n");
    put_twice(&v, put_gzip, PAGE, 20);
    v.v[v.n - 12] ^= 1;
    struct seen seen = see_response(v.v, v.n);
    CU_ASSERT_EQUAL(seen.docs.n, 0);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_CODING], 1);
    seen_release(&seen);
    pd_bytes_release(&v);
}

#define BROTLI "Content-Encoding: br\r\n"

static void put_brotli(struct pd_bytes *to, const void *v, size_t n)
{
    size_t made = BrotliEncoderMaxCompressedSize(n);
    pd_bytes_reserve(to, to->n + made);
    PD_CHECK(BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, n, v, &made,
                                   to->v + to->n));
    to->n += made;
}

/* What a response with this body of brotli is: documents, records skipped, documents repaired. */
static void brotli(int line, const struct pd_bytes *packed, size_t n, size_t docs, size_t skipped,
                   uint64_t repaired)
{
    struct pd_bytes s = {0};
    put(&s, OK HTML BROTLI "\r\n");
    pd_bytes_append(&s, packed->v, n);
    struct seen seen = see_response(s.v, s.n);
    const bool same = seen.docs.n == docs && seen.counts.repaired == repaired &&
                      seen.counts.skipped[PD_SKIP_CODING] == skipped;
    if (!same)
        fprintf(stderr, "line %d: %zu documents\n", line, seen.docs.n);
    CU_ASSERT(same);
    seen_release(&seen);
    pd_bytes_release(&s);
}

static void test_brotli(void)
{
    enum { LARGE = 3 << 20 };
    struct pd_bytes v = {0}, text = {0};
    uint64_t seed = 6;
    put_brotli(&v, PAGE, strlen(PAGE));
    check_page(BROTLI, &v);
    check_page("Content-Encoding: BR\r\n", &v);
    brotli(__LINE__, &v, 2, 0, 1, 0);
    while (text.n < LARGE)
        put(&text, "<p>word %x\n", noise(&seed));
    v.n = 0;
    put_brotli(&v, text.v, text.n);
    brotli(__LINE__, &v, v.n, 1, 0, 0);
    brotli(__LINE__, &v, v.n / 2, 1, 0, 1); /* cut short: what there is */
    memset(v.v + v.n / 2, 0x55, 1000);
    brotli(__LINE__, &v, v.n, 0, 1, 0);
    pd_bytes_release(&v);
    pd_bytes_release(&text);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_head_without_empty_line),
                                        PD_TEST(test_head_with_odd_lines),
                                        PD_TEST(test_heads_in_front),
                                        PD_TEST(test_error_pages),
                                        PD_TEST(test_no_head),
                                        PD_TEST(test_types_of_pages),
                                        PD_TEST(test_types_that_may_be_pages),
                                        PD_TEST(test_texts_that_are_not_chunked),
                                        PD_TEST(test_chunks_that_are_off),
                                        PD_TEST(test_chunks_not_told),
                                        PD_TEST(test_several_members),
                                        PD_TEST(test_large_members),
                                        PD_TEST(test_brotli),
                                        PD_TEST(test_coded_more_often_than_named),
                                        PD_TEST(test_codings_mixed_up),
                                        PD_TEST(test_second_member_that_is_broken),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "http", tests);
}

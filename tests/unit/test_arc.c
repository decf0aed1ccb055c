/* tests/unit/test_arc.c - ARC files, versions 1 and 2. */
#include "pd_cunit.h"
#include "pd_records.h"

#define VERSION_1                                                                                  \
    "filedesc://x.arc 0.0.0.0 20040101000000 text/plain 76\n"                                      \
    "1 0 Somebody\nURL IP-address Archive-date Content-type Archive-length\n      \n\n"
#define VERSION_2                                                                                  \
    "filedesc://x.arc 0.0.0.0 20040101000000 text/plain 200 - - 0 x.arc 131\n"                     \
    "2 0 Somebody\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset " \
    "Filename Archive-length\n    \n\n"

static struct seen see_text(const char *text)
{
    return see_bytes(text, strlen(text), PD_FORMAT_AUTO);
}

static int is_body(const struct seen *seen, const char *want)
{
    return seen->docs.n > 0 && strcmp((const char *)seen->last.v, want) == 0;
}

/* A record of version 1 that claims `length` bytes. */
static void put_claim(struct pd_bytes *b, const char *url, const char *type, const char *content,
                      const char *length)
{
    put(b, "%s 10.0.0.1 20040102030405 %s %s\n%s\n", url, type, length, content);
}

static void put_arc(struct pd_bytes *b, const char *url, const char *type, const char *content)
{
    char length[24];
    snprintf(length, sizeof length, "%zu", strlen(content));
    put_claim(b, url, type, content, length);
}

static struct seen see_arc(const struct pd_bytes *v) { return see_bytes(v->v, v->n, 0); }

static void test_version_1(void)
{
    struct pd_bytes v = {0};
    char id[100];
    put(&v, VERSION_1);
    put_arc(&v, "dns:example.org", "text/dns", "20040102030405\nexample.org. 10.0.0.1\n");
    const size_t page = v.n;
    put_arc(&v, "http://example.org/a b?c=d", "text/html",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n<p>page");
    struct seen seen = see_arc(&v);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.counts.ignored, 2);
    CU_ASSERT_EQUAL(seen.counts.decoded_bytes, v.n);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT(is_body(&seen, "<p>page"));
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/a b?c=d");
    CU_ASSERT_STRING_EQUAL(seen.charset, "koi8-r");
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_HTML);
    snprintf(id, sizeof id, "%s:%zu", scratch_path("file"), page);
    CU_ASSERT_EQUAL(strncmp(seen.docs.v[0].id, id, sizeof seen.docs.v[0].id - 1), 0);
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_version_2(void)
{
    struct seen seen = see_text(VERSION_2 "http://example.org/ 10.0.0.1 20040102030405 text/html "
                                          "200 - - 210 x.arc 26\nHTTP/1.0 200 OK\r\n\r\n"
                                          "<p>page\n");
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.counts.ignored, 1);
    CU_ASSERT(is_body(&seen, "<p>page"));
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/");
    seen_release(&seen);
}

static void test_types(void)
{
    struct pd_bytes v = {0};
    put(&v, VERSION_1);
    put_arc(&v, "ftp://example.org/x", "text/plain;charset=utf-8", "no http");
    put_arc(&v, "http://example.org/x", "image/png", "no text");
    put_arc(&v, "http://example.org/x", "text/html",
            "HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\nno text");
    put_arc(&v, "http://[::1]/x", "no-type", "unknown");
    struct seen seen = see_arc(&v);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.counts.ignored, 3);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
    CU_ASSERT_EQUAL(seen.docs.v[0].n, 7);
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_UNKNOWN);
    CU_ASSERT(is_body(&seen, "unknown"));
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_wrong_lengths_are_repaired(void)
{
    static const char *const lengths[] = {"-1", "abc", "3", "60", "99999999999999999999"};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct pd_bytes v = {0};
        put(&v, VERSION_1);
        put_claim(&v, "http://example.org/1", "text/plain", "first text", lengths[k]);
        put_arc(&v, "http://example.org/2", "text/plain", "second text");
        struct seen seen = see_arc(&v);
        CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
        CU_ASSERT_EQUAL(seen.docs.v[0].n, 10);
        CU_ASSERT_EQUAL(seen.counts.repaired, 1);
        CU_ASSERT(is_body(&seen, "second text"));
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        seen_release(&seen);
        pd_bytes_release(&v);
    }
}

static void test_losses_are_told(void)
{
    struct seen seen = see_text(VERSION_1 "strange line\nhttp://example.org/ 10.0.0.1 2004010203 "
                                          "text/plain 20\nfile ends here");
    CU_ASSERT_EQUAL(seen.docs.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.skips.n, 2);
    CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_GARBAGE);
    CU_ASSERT_EQUAL(seen.skips.v[1].why, PD_SKIP_TRUNCATED);
    seen_release(&seen);
    seen = see_text(VERSION_1 "http://example.org/ 10.0.0.1 20040102030405 text/html 20\n"
                              "HTTP/1.0 200 OK\r\nX:1\n");
    CU_ASSERT_EQUAL(seen.docs.n, 0);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_HEADER], 1);
    seen_release(&seen);
    seen = see_text("filedesc://cut");
    CU_ASSERT_EQUAL(seen.docs.n, 0);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_TRUNCATED], 1);
    seen_release(&seen);
}

static void test_lines_that_are_none(void)
{
    static const char *const lines[] = {
        "http://example.org/ 10.0.0.1 20040102030405\n", "http://example.org/ ip 2004010203 t 1\n",
        "http://example.org/ 10.0.0.1 200401 text/html 1\n",
        "Http 10.0.0.1 20040102030405 text/html 1\n", "10.0.0.1 20040102030405 text/html 1\n"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        struct seen seen = see_text(lines[k]);
        CU_ASSERT_EQUAL(seen.docs.n, 1);
        CU_ASSERT_EQUAL(seen.docs.v[0].n, strlen(lines[k]));
        seen_release(&seen);
    }
}

static void make_collection(struct pd_bytes *v)
{
    put(v, VERSION_1);
    for (int k = 0; k < 12; k++) {
        char url[60], content[500];
        snprintf(url, sizeof url, "%s://example.org/%d", k % 5 == 4 ? "ftp" : "http", k);
        snprintf(content, sizeof content,
                 "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nhttp://a\n%0*d\n", k * 20, k);
        put_arc(v, url, "text/plain", content);
        if (k == 7)
            put(v, "what is this\n");
    }
}

static void test_cuts_and_packings_do_not_matter(void)
{
    struct pd_bytes v = {0};
    make_collection(&v);
    struct seen seen = see_arc(&v);
    CU_ASSERT_EQUAL(seen.docs.n, 12);
    CU_ASSERT_EQUAL(seen.skips.n, 1);
    seen_release(&seen);
    CU_ASSERT_EQUAL(cuts_that_matter(v.v, v.n, PD_FORMAT_AUTO, 1), 0);
    for (size_t each = 60; each < v.n + 60; each += 97)
        CU_ASSERT_EQUAL(packings_that_matter(v.v, v.n, PD_FORMAT_ARC, each), 0);
    CU_ASSERT_EQUAL(damage_that_matters(v.v, v.n, PD_FORMAT_ARC, "0 19\nh:/.x", 300), 0);
    pd_bytes_release(&v);
}

static void test_one_member_a_record(void)
{
    struct pd_bytes v = {0}, gz = {0};
    size_t from = 0;
    put(&v, VERSION_1);
    for (int k = 0; k < 20; k++) {
        put_gzip(&gz, v.v + from, v.n - from);
        from = v.n;
        put_arc(&v, k % 3 ? "http://example.org/" : "ftp://example.org/", "text/plain", "text");
    }
    put_gzip(&gz, v.v + from, v.n - from);
    CU_ASSERT_EQUAL(cuts_that_matter(gz.v, gz.n, PD_FORMAT_AUTO, 1), 0);
    const struct pd_file file = file_of(scratch_write("file", gz.v, gz.n));
    struct pd_reader *r = pd_reader_new(&(struct pd_reader_options){0});
    int split, striped;
    CU_ASSERT_EQUAL(pd_reader_probe(r, &file, &split, &striped), PD_OK);
    CU_ASSERT(split && !striped);
    pd_reader_free(r);
    pd_bytes_release(&v);
    pd_bytes_release(&gz);
}

/* A member that begins like a record and is none breaks inside the record before it. */
static void test_broken_member_in_a_record(void)
{
    struct pd_bytes v = {0}, gz = {0};
    put(&v, VERSION_1);
    put_arc(&v, "http://example.org/", "text/plain", "text");
    put_gzip(&gz, v.v, v.n);
    v.n = 0;
    put_claim(&v, "ftp://example.org/", "text/plain", "cut short", "5000");
    put_gzip(&gz, v.v, v.n);
    v.n = 0;
    put(&v, "http and more");
    put_gzip(&gz, v.v, v.n);
    gz.n -= 5;
    struct seen seen = see_arc(&gz);
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.skips.n, 1);
    seen_release(&seen);
    CU_ASSERT_EQUAL(cuts_that_matter(gz.v, gz.n, PD_FORMAT_ARC, 1), 0);
    pd_bytes_release(&v);
    pd_bytes_release(&gz);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_version_1),
                                        PD_TEST(test_version_2),
                                        PD_TEST(test_types),
                                        PD_TEST(test_wrong_lengths_are_repaired),
                                        PD_TEST(test_losses_are_told),
                                        PD_TEST(test_lines_that_are_none),
                                        PD_TEST(test_cuts_and_packings_do_not_matter),
                                        PD_TEST(test_one_member_a_record),
                                        PD_TEST(test_broken_member_in_a_record),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "arc", tests);
}

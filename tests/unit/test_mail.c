/* tests/unit/test_mail.c - mail and news: single messages, mbox, MIME. */
#include "corpus/fields.h"
#include "corpus/mail/mail.h"
#include "pd_cunit.h"
#include "pd_records.h"

static struct seen see_text(const char *text)
{
    return see_bytes(text, strlen(text), PD_FORMAT_AUTO);
}

static int is_body(const struct seen *seen, const char *want)
{
    return seen->docs.n > 0 && strcmp((const char *)seen->last.v, want) == 0;
}

#define HEAD "From: a@example.org (A)\nSubject: x\n"

static void check_message(const char *text, const char *want)
{
    struct seen seen = see_text(text);
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT(is_body(&seen, want));
    seen_release(&seen);
}

static void test_header_is_left_out(void)
{
    struct seen seen =
        see_text("Path: a!b\n" HEAD "Message-ID: <1@example.org>\n\ttail\n"
                 "Content-Type: text/plain; charset=\"iso-8859-2\"\n\nBody.\n\nEnd.\n");
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT(is_body(&seen, "Body.\n\nEnd.\n"));
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_TEXT);
    CU_ASSERT_STRING_EQUAL(seen.charset, "iso-8859-2");
    CU_ASSERT_EQUAL(strncmp(seen.docs.v[0].id, scratch_path("file"), 10), 0);
    CU_ASSERT_EQUAL(seen.docs.v[0].offset, 0);
    seen_release(&seen);
    check_message(HEAD "\r\n\r\nBody\r\n", "\r\nBody\r\n");
    check_message(HEAD "Content-Type: text\n\nold\n", "old\n");
    check_message(HEAD "Content-Type: setext/plain\n\nunknown\n", "unknown\n");
}

static void test_texts_that_are_no_mail(void)
{
    static const char *const texts[] = {"From: here\n\ntext",       "Title: x\nAuthor: y\n\ntext",
                                        HEAD "no field\n\ntext",    "From here: on\nSubject: x\n\n",
                                        " From: x\nSubject: y\n\n", "\nDear Sir,\nFrom: x\n\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        check_message(texts[k], texts[k]);
}

/* ---- transfer encodings, parts ---- */

static bool begins(const char *text)
{
    return pd_fields_begin_message((const unsigned char *)text, strlen(text));
}

static void test_beginnings(void)
{
    CU_ASSERT_TRUE(begins("From: a@b\nSubject: x\n\nHello."));
    CU_ASSERT_TRUE(begins("Path: x!y\r\nFrom: a@b\r\n\r\nHello."));
    CU_ASSERT_FALSE(begins("From: a@b\n\nHello."));
    CU_ASSERT_FALSE(begins("From: a@b wrote\nto them.\nSubject: x\n\n"));
    CU_ASSERT_FALSE(begins("One line without an end"));
    CU_ASSERT_FALSE(begins(""));
    CU_ASSERT_FALSE(pd_fields_begin_message(NULL, 0));
}

static void test_encodings(void)
{
    check_message(HEAD "Content-Transfer-Encoding: quoted-printable\n\n"
                       "caf=E9 =3d=\n joined= \t\nhere 1=2 =\n",
                  "caf\xe9 = joinedhere 1=2 ");
    check_message(HEAD "content-transfer-encoding: BASE64\n\nQSB0\nZX*h0\r\nIQ==\nignored",
                  "A text!");
    check_message(HEAD "content-transfer-encoding: base64\n\nNot so. It is a text.\n",
                  "Not so. It is a text.\n");
    check_message(HEAD "content-transfer-encoding: base64\n\n", "");
    check_message(HEAD "content-transfer-encoding: quoted-printable\n\nend=", "end=");
    check_message(HEAD "\n^B: \x02, DEL: \x7f, tab:\t\x1b$B\n", "^B: , DEL: , tab:\t\x1b$B\n");
    check_message(HEAD "content-transfer-encoding: base64\n\nAUECQgM=\n", "AB");
    check_message(HEAD "content-transfer-encoding: 8bit\n\nas=20is", "as=20is");
}

#define MULTI     HEAD "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"b b\"\n\n"
#define HTML_PART "--b b\nContent-Type: text/html; charset=utf-8\n\n<p>html\n"

static void test_parts(void)
{
    check_message(MULTI "preamble\n" HTML_PART "--b b\nContent-Type: text/plain\n\ntext\n\n"
                        "--b b--\nepilogue\n",
                  "text\n");
    check_message(MULTI "--b b\r\n\r\nno header\r\n--b b\n\nsecond\n", "no header");
    check_message(MULTI "--b b\nContent-Type: text/plain\nContent-Disposition: attachment\n\nx\n"
                        "--b b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\ninner\n--c--\n",
                  "inner");
    check_message(MULTI "--b b\nContent-Type: message/rfc822\n\n" HEAD "\nforwarded\n--b b--",
                  "forwarded");
    check_message(MULTI "--b b\nContent-Type: text/plain\n\nnever closed", "never closed");
    struct seen seen = see_text(MULTI HTML_PART "--b b--\n");
    CU_ASSERT(is_body(&seen, "<p>html"));
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_HTML);
    CU_ASSERT_STRING_EQUAL(seen.charset, "utf-8");
    seen_release(&seen);
}

#define MIXED    HEAD "Content-Type: multipart/mixed; boundary=\"=_1\"\n\n"
#define INNER    "--=_1\nContent-Type: multipart/alternative; boundary=\"=_1a\"\n\n"
#define AS(type) "Content-Type: " type "\n\n"

static void test_several_texts(void)
{
    check_message(MIXED "--=_1\n" AS("text/plain") "One.\n--=_1\n" AS("image/png") "x\n--=_1\n" AS(
                      "text/plain") "Two.\n\n\n--=_1\n\nThree.\n--=_1--\n",
                  "One.\n\nTwo.\n\nThree.");
    check_message(
        MIXED INNER "--=_1a\n" AS("text/plain") "One.\n--=_1a\n" AS(
            "text/html") "<p>One\n--=_1a--\n--=_1\n" AS("text/plain") "Footer.\n--=_1--\n",
        "One.\n\nFooter.");
    check_message(
        MIXED "--=_1\n" AS("text/html") "<p>One\n--=_1\n" AS("text/plain") "a < b & c\n--=_1--\n",
        "<p>One\n\n<pre>a &lt; b &amp; c</pre>");
    check_message(
        MIXED
        "--=_1\n" AS("text/plain; charset=us-ascii") "One.\n--=_1\n"
                                                     "Content-Transfer-Encoding: base64\n" AS(
                                                         "text/plain; charset=utf-8") "w6kgVHdvLg=="
                                                                                      "\n--=_1--\n",
        "One.\n\n\xc3\xa9 Two.");
    struct seen seen =
        see_text(MIXED "--=_1\n" AS("text/plain; charset=utf-8") "\xc3\xa9.\n--=_1\n" AS(
            "text/plain; charset=iso-8859-1") "\xe9.\n--=_1\n" AS("text/plain") "End.\n--=_1--\n");
    CU_ASSERT(is_body(&seen, "\xc3\xa9.\n\nEnd."));
    CU_ASSERT_STRING_EQUAL(seen.charset, "utf-8");
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_CHARSET], 1);
    seen_release(&seen);
}

static void test_odd_boundaries(void)
{
    check_message(HEAD
                  "Content-Type: multipart/mixed; boundary=\"zzz\"\n\nNo boundary at all. More.\n",
                  "No boundary at all. More.\n");
    check_message(HEAD "Content-Type: multipart/mixed\n\nno -- parameter\n-- \nme",
                  "no -- parameter\n-- \nme");
    check_message(HEAD "Content-Type: multipart/mixed\n\n--x\n" AS("text/plain") "One.\n--x--\n",
                  "One.");
    check_message(HEAD "Content-Type: multipart/mixed; boundary=\"a;b\"\n\n--a;b\n" AS(
                      "text/plain") "One.\n--a;b\n\nTwo.\n--a;b--\n",
                  "One.\n\nTwo.");
    char text[2000], boundary[300];
    memset(boundary, 'y', sizeof boundary);
    boundary[sizeof boundary - 1] = '\0';
    snprintf(text, sizeof text,
             HEAD "Content-Type: multipart/mixed; boundary=%s\n\n--%s\n\nOne.\n--%s--", boundary,
             boundary, boundary);
    check_message(text, "One.");
}

static void test_messages_without_text(void)
{
    static const char *const texts[] = {HEAD "Content-Type: image/png\n\nabc", MULTI "--b b--\n",
                                        MULTI "--b b\nContent-Type: application/pdf\n\nx\n--b b--"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct seen seen = see_text(texts[k]);
        CU_ASSERT_EQUAL(seen.docs.n, 0);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT_EQUAL(seen.counts.ignored, 1);
        CU_ASSERT_EQUAL(seen.counts.decoded_bytes, strlen(texts[k]));
        seen_release(&seen);
    }
}

static void test_deep_nesting_ends(void)
{
    struct pd_bytes v = {0};
    put(&v, HEAD "Content-Type: multipart/mixed; boundary=a\n\n");
    for (int k = 0; k < 2000; k++)
        put(&v, "--a\nContent-Type: multipart/mixed; boundary=a\n\n--a\n"
                "Content-Type: message/rfc822\n\n");
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n + seen.counts.ignored, 1);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_TOO_LARGE], 1);
    seen_release(&seen);
    pd_bytes_release(&v);
}

/* A message that was forwarded twelve times is read; of too many parts the first ones are. */
static void test_nested_messages(void)
{
    struct pd_bytes v = {0};
    put(&v, HEAD);
    for (int k = 0; k < 12; k++)
        put(&v,
            "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" AS(
                "text/plain") "See below.\n--b%d\nContent-Type: message/rfc822\n\n",
            k, k, k);
    put(&v, AS("text/plain") "The first one.\n");
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr((const char *)seen.last.v, "The first one."));
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    seen_release(&seen);
    v.n = 0;
    put(&v, HEAD "Content-Type: multipart/digest; boundary=b\n\n");
    for (int k = 0; k < 1001; k++)
        put(&v, "--b\n\nPart %d.\n", k);
    seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.counts.skipped[PD_SKIP_TOO_LARGE], 1);
    seen_release(&seen);
    pd_bytes_release(&v);
}

/* ---- mbox ---- */

#define LINE "From a@example.org Mon Mar 29 11:57:19 1993\n"

static const char mbox[] = LINE HEAD
    "Message-ID: <1@example.org>\n\nOne.\n\n" LINE HEAD
    "\nTwo: From x Mon 11:57 1993\nFrom here on\nFrom b at example.org  Mon Mar 29 1993 11:57\n"
    "no field\n\nFrom c 11:57 1993\n>From: quoted\nX: y\n\n>From three.\n\n\n" LINE HEAD
    "Content-Type: image/png\n\nno text\n\n" LINE HEAD
    "Content-Transfer-Encoding: base64\n\nRm91cg==\n" LINE LINE HEAD "\nFive.\n\n";

static void test_mbox(void)
{
    struct seen seen = see_text(mbox);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 5);
    CU_ASSERT_EQUAL(seen.counts.ignored, 1);
    CU_ASSERT_EQUAL(seen.docs.v[0].n, strlen("One.\n"));
    CU_ASSERT_EQUAL(seen.docs.v[2].n, strlen(">From three.\n\n"));
    CU_ASSERT_EQUAL(seen.docs.v[3].n, strlen("Four"));
    CU_ASSERT(is_body(&seen, "Five.\n"));
    CU_ASSERT_NOT_EQUAL(seen.docs.v[0].hash, seen.docs.v[1].hash);
    seen_release(&seen);
}

static void test_texts_that_are_no_mbox(void)
{
    static const char *const texts[] = {
        "From the start of 1993, 11:57.\nNobody knew it",
        "From a@example.org Mon Mar 29\nFrom: x\n\n",
        "From a 1993 11:57",
        "From ",
        "From 10:30 in 1999 nothing happened.\nNote: that was it.\n\nEnd.",
        "From the 3rd of Mar 1999, 10:30, on\nNote: a text.\n\nFrom: x",
        "From a@example.org 1993 11:57:19\nFrom: x\nTo: y\n\nz"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        check_message(texts[k], texts[k]);
}

static void test_cuts_and_packings_do_not_matter(void)
{
    const size_t n = strlen(mbox);
    CU_ASSERT_EQUAL(cuts_that_matter(mbox, n, PD_FORMAT_AUTO, 1), 0);
    for (size_t each = 60; each < n + 60; each += 29)
        CU_ASSERT_EQUAL(packings_that_matter(mbox, n, PD_FORMAT_MBOX, each), 0);
    CU_ASSERT_EQUAL(damage_that_matters(mbox, n, PD_FORMAT_MBOX, "From :19\n>-=/", 300), 0);
}

/* A message in a member of its own is whole when the next member is not. */
static void test_broken_member_behind_a_message(void)
{
    const char *one = LINE HEAD "\nOne.\n", *two = LINE HEAD "\nTwo.\n", *cut = "From a 11:57 19";
    struct pd_bytes v = {0}, large = {0};
    put(&large, "%s%04000d", two, 2); /* what of it decodes shows that it is a message */
    put(&large, "%04000d", 2);
    put_zstd(&v, one, strlen(one));
    put_zstd(&v, large.v, large.n);
    v.v[v.n - 1] ^= 1; /* the checksum */
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_MBOX);
    CU_ASSERT_EQUAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.skips.n, 1);
    CU_ASSERT_EQUAL(cuts_that_matter(v.v, v.n, PD_FORMAT_MBOX, 1), 0);
    seen_release(&seen);
    v.n = 0; /* a line that may start a message, and the file ends, or breaks */
    put_gzip(&v, one, strlen(one));
    put_gzip(&v, cut, strlen(cut));
    CU_ASSERT_EQUAL(cuts_that_matter(v.v, v.n, PD_FORMAT_MBOX, 1), 0);
    put_gzip(&v, two, strlen(two));
    for (size_t back = 1; back < 40; back++) {
        v.v[v.n - back] ^= 4;
        CU_ASSERT_EQUAL(cuts_that_matter(v.v, v.n, PD_FORMAT_MBOX, 3), 0);
        v.v[v.n - back] ^= 4;
    }
    pd_bytes_release(&v);
    pd_bytes_release(&large);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_header_is_left_out),
                                        PD_TEST(test_texts_that_are_no_mail),
                                        PD_TEST(test_beginnings),
                                        PD_TEST(test_encodings),
                                        PD_TEST(test_parts),
                                        PD_TEST(test_several_texts),
                                        PD_TEST(test_odd_boundaries),
                                        PD_TEST(test_messages_without_text),
                                        PD_TEST(test_deep_nesting_ends),
                                        PD_TEST(test_nested_messages),
                                        PD_TEST(test_mbox),
                                        PD_TEST(test_texts_that_are_no_mbox),
                                        PD_TEST(test_broken_member_behind_a_message),
                                        PD_TEST(test_cuts_and_packings_do_not_matter),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "mail", tests);
}

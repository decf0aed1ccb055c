/* Unit tests of document/page_told: JSON-LD, meta elements, runs of words. */
#include "document/page/page_told.h"

#include <stdlib.h>
#include <string.h>

#include "pd_cunit.h"

static const unsigned char *bytes(const char *s) { return (const unsigned char *)s; }

/* The pieces as "text:...;" in their order. */
static void pieces_are(const struct pd_told_pieces *pieces, const char *want)
{
    static const char *const names[] = {"text", "title", "about"};
    char got[512] = "";
    size_t n = 0;
    for (size_t k = 0; k < pieces->n; k++) {
        const struct pd_told_piece *p = &pieces->v[k];
        n += (size_t)snprintf(got + n, sizeof got - n, "%s:%.*s;", names[p->what], (int)p->n,
                              (const char *)p->s);
    }
    CU_ASSERT_STRING_EQUAL(got, want);
}

static void json(const char *s, const char *want)
{
    struct pd_told_pieces pieces = {0};
    pd_told_json(&pieces, bytes(s), strlen(s));
    pieces_are(&pieces, want);
    pd_told_pieces_release(&pieces);
}

static void test_json(void)
{
    json("{\"headline\": \"A\", \"articleBody\":\"b c\",\n\"name\":\"no\"}", "title:A;text:b c;");
    json("{\"comment\":[{\"text\" : \"x \\\"y\\\" z\"}],\"description\":\"\"}",
         "text:x \\\"y\\\" z;about:;");
    json("{\"text\":{\"text\":[\"a\"]},\"x\":\"text\"}", ""); /* only strings */
    json("{\"text\":\"text\",\"text\":\"b\"}", "text:text;text:b;");
    json("{\"text\":\"cut", "text:cut;");
    json("{\"text\":\"cut\\", "text:cut\\;");
    json("{\"text\":", "");
    json("{\"text", "");
    json("", "");
}

static void meta(const char *s, const char *want)
{
    struct pd_told_pieces pieces = {0};
    pd_told_meta(&pieces, bytes(s), strlen(s));
    pieces_are(&pieces, want);
    pd_told_pieces_release(&pieces);
}

static void test_meta(void)
{
    meta(" property=\"og:title\" content=\"A 'b'\"/", "title:A 'b';");
    meta(" content='c \"d\"' name='description'", "about:c \"d\";");
    meta(" property=og:description content=\"\"", "about:;");
    meta(" property=og:title content=a", ""); /* no quotation marks */
    meta(" property=og:title content=\"a", "");
    meta(" property=og:title content=", "");
    meta(" property=og:image content=\"a\"", "");
    meta("", "");
}

static uint8_t shares[PD_TOLD_N];

static void look_up(struct pd_told_runs *runs, const char *block)
{
    struct pd_page_text text;
    pd_page_text_read(&text, bytes(block), strlen(block));
    pd_told_look_up(runs, &text, 0, text.n, shares);
    pd_page_text_release(&text);
}

/* Compare a block with a text in JSON; returns the share of its runs that were told. */
static unsigned told(const char *text, const char *block)
{
    struct pd_told_pieces pieces = {0};
    pd_told_pieces_push(&pieces, (struct pd_told_piece){bytes(text), strlen(text), PD_TOLD_TEXT});
    struct pd_told_runs runs = pd_told_runs_make(&pieces, 8);
    look_up(&runs, block);
    free(runs.slots);
    pd_told_pieces_release(&pieces);
    return shares[PD_TOLD_TEXT];
}

static void test_shares(void)
{
    CU_ASSERT_EQUAL(told("a b c d", "b c d"), 255);
    CU_ASSERT_EQUAL(told("a b c d", "B, C - d!"), 255);
    CU_ASSERT_EQUAL(told("a b c d", "b c e"), 0);
    CU_ASSERT_EQUAL(told("a b c d", "a b c e"), 127);
    CU_ASSERT_EQUAL(told("a b c d", "a b"), 0); /* fewer than three words are one run */
    CU_ASSERT_EQUAL(told("a b", "a b"), 255);
    CU_ASSERT_EQUAL(told("a", "a"), 255);
    CU_ASSERT_EQUAL(told("a b", "a"), 0);
    CU_ASSERT_EQUAL(told("a b c", ""), 0);
    CU_ASSERT_EQUAL(told("a b c", "..."), 0);
    CU_ASSERT_EQUAL(told("", "a b c"), 0);
    CU_ASSERT_EQUAL(told("他来了。", "他来了"), 255);
    CU_ASSERT_EQUAL(told("他来了", "他去了"), 0);
}

static void test_escapes(void)
{
    CU_ASSERT_EQUAL(told("a\\nb\\tc", "a b c"), 255);
    CU_ASSERT_EQUAL(told("caf\\u00e9 \\u4ed6 x\\u002dy", "caf\xC3\xA9 \xE4\xBB\x96 x y"), 255);
    CU_ASSERT_EQUAL(told("<p>a <b>b</b><br/>c</p>", "a b c"), 255);
    CU_ASSERT_EQUAL(told("a&nbsp;b &amp; &eacute;", "a b & \xC3\xA9"), 255);
    CU_ASSERT_EQUAL(told("don&#8217;t go", "don\xE2\x80\x99t go"), 255);
    CU_ASSERT_EQUAL(told("don't go", "don\xE2\x80\x99t go"), 255);
    CU_ASSERT_EQUAL(told("a b c\\", "a b c"), 255);
    CU_ASSERT_EQUAL(told("a b c\\u12", "a b c"), 255); /* a cut escape */
    CU_ASSERT_EQUAL(told("a b c <", "a b c"), 255);
    CU_ASSERT_EQUAL(told("a b c &", "a b c"), 255);
}

static void test_before(void)
{
    const struct pd_told_pieces none = {0};
    struct pd_told_runs runs = pd_told_runs_make(&none, 8);
    CU_ASSERT_EQUAL(runs.text_words, 0);
    look_up(&runs, "a b c d");
    CU_ASSERT_EQUAL(shares[PD_TOLD_BEFORE], 0);
    look_up(&runs, "x b c d");
    CU_ASSERT_EQUAL(shares[PD_TOLD_BEFORE], 127);
    CU_ASSERT_EQUAL(shares[PD_TOLD_TEXT], 0);
    free(runs.slots);
}

/* JSON may be cut inside a character. */
static void test_cut(void)
{
    CU_ASSERT_EQUAL(told("a b \xE4\xB8", "a b \xE4\xB8\xAD"), 0);
    CU_ASSERT_EQUAL(told("a b \xE4", "a b c"), 0);
    CU_ASSERT_EQUAL(told("a b c \\\xC3\xA9", "a b c"), 255); /* half of the letter is skipped */
}

/* Text of any length fits, whatever was said about its length. */
static void test_full(void)
{
    const struct pd_told_pieces none = {0};
    struct pd_told_runs runs = pd_told_runs_make(&none, 0);
    char block[32];
    for (int k = 0; k < 10000; k++) {
        snprintf(block, sizeof block, "a%d b%d c%d", k, k, k);
        look_up(&runs, block);
        CU_ASSERT_EQUAL(shares[PD_TOLD_BEFORE], 0);
    }
    look_up(&runs, "a0 b0 c0");
    CU_ASSERT_EQUAL(shares[PD_TOLD_BEFORE], 255);
    free(runs.slots);
}

/* A run that is met again keeps what it was before, and takes no further room. */
static void test_again(void)
{
    struct pd_told_pieces pieces = {0};
    pd_told_pieces_push(&pieces, (struct pd_told_piece){bytes("a b c"), 5, PD_TOLD_TEXT});
    for (int times = 0; times < 100; times++) {
        struct pd_told_runs runs = pd_told_runs_make(&pieces, 0);
        for (int k = 0; k < times; k++) {
            look_up(&runs, "a b c");
            CU_ASSERT_EQUAL(shares[PD_TOLD_TEXT], 255);
            CU_ASSERT_EQUAL(shares[PD_TOLD_BEFORE], k ? 255 : 0);
        }
        look_up(&runs, "x y z");
        CU_ASSERT_EQUAL(shares[PD_TOLD_BEFORE], 0);
        look_up(&runs, "x y z");
        CU_ASSERT_EQUAL(shares[PD_TOLD_BEFORE], 255);
        free(runs.slots);
    }
    pd_told_pieces_release(&pieces);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_json),    PD_TEST(test_meta),   PD_TEST(test_shares),
        PD_TEST(test_escapes), PD_TEST(test_before), PD_TEST(test_full),
        PD_TEST(test_cut),     PD_TEST(test_again),  CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/page_told", tests);
}

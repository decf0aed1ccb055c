/* Unit tests of document/origin: from which bytes of its source a text was made. */
#include "pd_cunit.h"

#include <stdbool.h>
#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/document/document.h"
#include "pd_random.h"

static struct pd_trace trace;
static struct pd_document document = {.trace = &trace};
static struct pd_cuts cuts, body;

static bool read(const void *s, size_t n, enum pd_media media, const char *charset)
{
    const struct pd_raw raw = {
        .body = s, .n = n, .media = media, .charset = charset, .charset_n = strlen(charset)};
    enum pd_skip why;
    return pd_document_read_text(&document, &raw, &why) == PD_OK;
}

/* Append source[0, n) without what is cut. */
static void leave(struct pd_bytes *to, const void *source, size_t n, const struct pd_cuts *gone)
{
    const unsigned char *s = source;
    size_t at = 0;
    for (size_t k = 0; k < gone->n; k++) {
        pd_bytes_append(to, s + at, gone->v[k].begin - at);
        at = gone->v[k].end;
    }
    if (n > at)
        pd_bytes_append(to, s + at, n - at);
}

/* The page without the bytes of `gone`, which is part of its text, is `left`. */
static void expect(int line, const char *page, const char *gone, const char *left)
{
    struct pd_bytes cut = {0};
    CU_ASSERT_TRUE(read(page, strlen(page), PD_MEDIA_HTML, "utf-8"));
    const unsigned char *at = memmem(document.text, document.text_n, gone, strlen(gone));
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    const uint32_t begin = (uint32_t)(at - document.text);
    cuts.n = 0;
    pd_cuts_push(&cuts, (struct pd_cut){begin, begin + (uint32_t)strlen(gone)});
    CU_ASSERT_TRUE(pd_trace_cut(&trace, &cuts, &body));
    leave(&cut, page, strlen(page), &body);
    const bool same = cut.n == strlen(left) && memcmp(cut.v, left, cut.n) == 0;
    if (!same)
        fprintf(stderr, "line %d: got <%.*s>\n", line, (int)cut.n, (const char *)cut.v);
    CU_ASSERT_TRUE(same);
    pd_bytes_release(&cut);
}
#define EXPECT(page, gone, left) expect(__LINE__, page, gone, left)

static void test_pages(void)
{
    EXPECT("<p>One. Two. Three.</p>", "Two. ", "<p>One. Three.</p>");
    EXPECT("<p>One.</p>\n<p>Two.</p>\n<p>Three.</p>", "Two.\n\n",
           "<p>One.</p>\n<p></p>\n<p>Three.</p>");
    EXPECT("<p>One.<br>Two.<br>\nThree.", "Two.\n", "<p>One.<br>\nThree.");
    EXPECT("<p>One.<br>Two.<br/><br>Three.", "\nTwo.", "<p>One.<br/><br>Three.");
    EXPECT("One. <b>T<i>w</i>o</b>\n <!-- x --><script>y</script> two. <img alt='z'>Three.",
           "Two two. ", "One. <b><i></i></b><!-- x --><script>y</script><img alt='z'>Three.");
    EXPECT("<p>One. T&eacute;n &amp; &#65;&nbsp;x. Three.", "T\u00e9n & A\u00a0x. ",
           "<p>One. Three.");
    EXPECT("<pre>One.\r\nTwo.\r\nThree.</pre>", "Two.\n", "<pre>One.\r\nThree.</pre>");
    EXPECT("<pre>One.\n\n</pre>Two. Three.", "Two. ", "<pre>One.\n\n</pre>Three.");
    EXPECT("<pre>One.\n\n</pre>Two. Three.", "\n\nTwo. Three.", "<pre>One.\n\n</pre>");
    EXPECT("<p>One. <ruby>\u6f22<rt>kan</rt>\u5b57<rp>(</rp></ruby>\u3002Two.",
           "\u6f22\u5b57\u3002", "<p>One. <ruby><rt></rt><rp></rp></ruby>Two.");
    EXPECT("One.<template>x</template> Two.<title>y</title>", "One. ",
           "<template>x</template>Two.<title>y</title>");
    EXPECT("<p>a < b. One.", "a < b. ", "<p>One.");
    EXPECT("<html xmlns='http://www.w3.org/1999/xhtml'><p>One.<![CDATA[ <Two>]]> Three.",
           "One. <Two> ", "<html xmlns='http://www.w3.org/1999/xhtml'><p><![CDATA[]]>Three.");
}

static bool is_white(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }

/* The white space between texts that a cut takes with it, as dedup chooses it (keep_lines). */
static struct pd_cut with_space(const unsigned char *t, size_t n, size_t begin, size_t end)
{
    size_t before = begin, behind = end, lines = 0;
    while (behind < n && is_white(t[behind]))
        lines += t[behind++] == '\n';
    while (before > 0 && is_white(t[before - 1]))
        lines -= t[--before] == '\n';
    return before > 0 && (int)lines > 0 ? (struct pd_cut){(uint32_t)before, (uint32_t)end}
                                        : (struct pd_cut){(uint32_t)begin, (uint32_t)behind};
}

/* Choose runs of words to be cut. */
static void choose(uint64_t *seed, const unsigned char *t, size_t n)
{
    cuts.n = 0;
    for (size_t k = 0; k < n;) {
        size_t end = k;
        while (end < n && !is_white(t[end]))
            end++;
        const bool goes = pd_random_below(seed, 3) == 0 && end > k;
        const struct pd_cut cut = with_space(t, n, k, end);
        const bool touches = goes && cuts.n && cuts.v[cuts.n - 1].end > cut.begin;
        if (goes && !touches)
            pd_cuts_push(&cuts, cut);
        for (k = end; k < n && is_white(t[k]);)
            k++;
    }
}

/* Text of copied bytes is the source's, and what is in no origin is made by tags. */
static void check_origins(const struct pd_origins *o, const unsigned char *source, size_t n)
{
    const unsigned char *t = document.text;
    size_t at = 0, from = 0;
    for (size_t k = 0; k < o->n; k++) {
        const struct pd_origin *x = &o->v[k];
        CU_ASSERT_TRUE(x->at >= at && x->from >= from && x->from + x->from_n <= n);
        for (; at < x->at; at++)
            CU_ASSERT_TRUE(is_white(t[at]));
        if (x->n == x->from_n)
            CU_ASSERT_TRUE(memcmp(t + at, source + x->from, x->n) == 0);
        at = x->at + x->n;
        from = x->from + x->from_n;
    }
    CU_ASSERT_EQUAL(at, document.text_n);
}

/* Pages without their cut words have the other words, and the white space between them. */
static void test_random_pages(void)
{
    enum { ROUNDS = 20000, MOST = 30 };
    static const char *const pieces[] = {"one ",
                                         " two.",
                                         "three",
                                         "\n",
                                         "<p>",
                                         "</p>",
                                         "<b>",
                                         "</b>",
                                         "<br>",
                                         " <br/>",
                                         "&amp; ",
                                         "x&nbsp;y",
                                         "<li> four",
                                         "<td>",
                                         "<!-- x -->",
                                         "<script>y</script>",
                                         "<i> ",
                                         "</i>",
                                         " <div>\n",
                                         "\u00e9\u597d",
                                         "five six seven eight nine ten"};
    uint64_t seed = 23;
    struct pd_bytes page = {0}, wanted = {0}, left = {0}, plain = {0};
    for (int round = 0; round < ROUNDS; round++) {
        page.n = wanted.n = left.n = plain.n = 0;
        for (uint32_t k = pd_random_below(&seed, MOST); k > 0; k--) {
            const char *s = pieces[pd_random_below(&seed, sizeof pieces / sizeof *pieces)];
            pd_bytes_append(&page, s, strlen(s));
        }
        CU_ASSERT_TRUE(read(page.v, page.n, PD_MEDIA_HTML, "utf-8"));
        pd_html_text(page.v, page.n, &plain);
        CU_ASSERT_EQUAL(plain.n, document.text_n);
        CU_ASSERT_TRUE(plain.n == 0 || memcmp(plain.v, document.text, plain.n) == 0);
        check_origins(&trace.origins[PD_STEP_PAGE], page.v, page.n);
        choose(&seed, document.text, document.text_n);
        leave(&wanted, document.text, document.text_n, &cuts);
        while (wanted.n > 0 && is_white(wanted.v[wanted.n - 1]))
            wanted.n--;
        CU_ASSERT_TRUE(pd_trace_cut(&trace, &cuts, &body));
        leave(&left, page.v, page.n, &body);
        CU_ASSERT_TRUE(read(left.v, left.n, PD_MEDIA_HTML, "utf-8"));
        const bool same = wanted.n == document.text_n &&
                          (wanted.n == 0 || memcmp(wanted.v, document.text, wanted.n) == 0);
        if (!same)
            fprintf(stderr, "round %d: <%.*s>\n  cut: <%.*s>\n  is <%.*s>\n  not <%.*s>\n", round,
                    (int)page.n, (char *)page.v, (int)left.n, (char *)left.v, (int)document.text_n,
                    (char *)document.text, (int)wanted.n, (char *)wanted.v);
        CU_ASSERT_TRUE_FATAL(same);
    }
    pd_bytes_release(&page);
    pd_bytes_release(&wanted);
    pd_bytes_release(&left);
    pd_bytes_release(&plain);
}

/* Bytes of any character set: each origin alone becomes its part of the text. */
static void test_character_sets(void)
{
    enum { ROUNDS = 300, MOST = 60 };
    static const char *const sets[] = {"windows-1252", "koi8-r", "gb18030", "big5",
                                       "shift_jis",    "euc-jp", "euc-kr"};
    uint64_t seed = 29;
    struct pd_bytes bytes = {0}, text = {0};
    for (int round = 0; round < ROUNDS * (int)(sizeof sets / sizeof *sets); round++) {
        const char *set = sets[round % (int)(sizeof sets / sizeof *sets)];
        size_t at = 0;
        bytes.n = text.n = 0;
        pd_bytes_append(&bytes, "\xB9\xFA", 2); /* no UTF-8, which would win over the label */
        for (uint32_t k = pd_random_below(&seed, MOST); k > 0; k--)
            pd_bytes_push(&bytes, (unsigned char)(pd_random_below(&seed, 3)
                                                      ? 0x80 + pd_random_below(&seed, 0x80)
                                                      : 0x20 + pd_random_below(&seed, 0x5F)));
        CU_ASSERT_TRUE_FATAL(read(bytes.v, bytes.n, PD_MEDIA_TEXT, set));
        CU_ASSERT_TRUE_FATAL(trace.made[PD_STEP_DECODED] && !trace.made[PD_STEP_PAGE]);
        pd_bytes_append(&text, document.text, document.text_n);
        const struct pd_origins o = trace.origins[PD_STEP_DECODED];
        trace.origins[PD_STEP_DECODED] = (struct pd_origins){0};
        size_t from = 0;
        for (size_t k = 0; k < o.n; k++) {
            CU_ASSERT_TRUE_FATAL(o.v[k].at == at && o.v[k].from == from);
            at += o.v[k].n;
            from += o.v[k].from_n;
            if (o.v[k].from_n == o.v[k].n) /* ASCII, or as long as in UTF-8 */
                continue;
            CU_ASSERT_TRUE(read(bytes.v + o.v[k].from, o.v[k].from_n, PD_MEDIA_TEXT, set));
            const bool broken =
                text.n - o.v[k].at >= 3 && memcmp(text.v + o.v[k].at, "\xEF\xBF\xBD", 3) == 0;
            CU_ASSERT_TRUE(broken || (document.text_n == o.v[k].n &&
                                      memcmp(document.text, text.v + o.v[k].at, o.v[k].n) == 0));
        }
        CU_ASSERT_EQUAL(at, text.n);
        CU_ASSERT_EQUAL(from, bytes.n);
        pd_origins_release(&trace.origins[PD_STEP_DECODED]);
        trace.origins[PD_STEP_DECODED] = o;
    }
    pd_bytes_release(&bytes);
    pd_bytes_release(&text);
}

/* Bytes go in the page's own character set; a byte order mark stays. */
static void test_encoded_pages(void)
{
    static const struct {
        const char *set, *page, *text;
        uint32_t begin, end;
        const char *left;
    } cases[] = {{"iso-8859-1", "<p>\xE9. z\xE9ro.", "\u00E9. z\u00E9ro.", 0, 4, "<p>z\xE9ro."},
                 {"gbk", "<p>\xB9\xFA\xA1\xA3\xBA\xC3\xA1\xA3x", "\u56FD\u3002\u597D\u3002x", 6, 12,
                  "<p>\xB9\xFA\xA1\xA3x"},
                 {"", "\xEF\xBB\xBF<p>A. B.", "A. B.", 0, 3, "\xEF\xBB\xBF<p>B."},
                 {"utf-8", "<p>\xFF. A. B.", "\uFFFD. A. B.", 5, 8, "<p>\xFF. B."}};
    struct pd_bytes left = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *page = cases[k].page;
        CU_ASSERT_TRUE(read(page, strlen(page), PD_MEDIA_HTML, cases[k].set));
        CU_ASSERT_EQUAL(document.text_n, strlen(cases[k].text));
        CU_ASSERT_NSTRING_EQUAL(document.text, cases[k].text, document.text_n);
        cuts.n = left.n = 0;
        pd_cuts_push(&cuts, (struct pd_cut){cases[k].begin, cases[k].end});
        CU_ASSERT_TRUE(pd_trace_cut(&trace, &cuts, &body));
        leave(&left, page, strlen(page), &body);
        CU_ASSERT_EQUAL(left.n, strlen(cases[k].left));
        CU_ASSERT_NSTRING_EQUAL(left.v, cases[k].left, left.n);
    }
    CU_ASSERT_TRUE(read("<\0p\0>\0A\0", 8, PD_MEDIA_HTML, "utf-16le"));
    CU_ASSERT_EQUAL(document.text_n, 1);
    CU_ASSERT_FALSE(pd_trace_cut(&trace, &(struct pd_cuts){&(struct pd_cut){0, 1}, 1, 1}, &body));
    pd_bytes_release(&left);
}

/* The main content, in which no-break spaces become spaces. */
static void test_main(void)
{
    static const char page[] =
        "<nav><a href=a>Home</a> <a href=b>News</a></nav><article>"
        "<p>The river rose in the night, and by the morning the whole of the lower town was under "
        "water.</p>\n<p>In the&nbsp;evening the rain, which had fallen for a week, came to an end, "
        "and people went home. Most of them found that the mud had reached the first floor.</p>"
        "</article><footer>Imprint</footer>";
    static const char gone[] = "In the evening the rain, which had fallen for a week, came to an "
                               "end, and people went home. ";
    struct pd_bytes left = {0}, wanted = {0};
    document.content = PD_CONTENT_MAIN;
    CU_ASSERT_TRUE(read(page, sizeof page - 1, PD_MEDIA_HTML, "utf-8"));
    CU_ASSERT_TRUE(trace.made[PD_STEP_MAIN]);
    const unsigned char *at = memmem(document.text, document.text_n, gone, sizeof gone - 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    const uint32_t begin = (uint32_t)(at - document.text);
    cuts.n = 0;
    pd_cuts_push(&cuts, (struct pd_cut){begin, begin + sizeof gone - 1});
    leave(&wanted, document.text, document.text_n, &cuts);
    CU_ASSERT_TRUE(pd_trace_cut(&trace, &cuts, &body));
    leave(&left, page, sizeof page - 1, &body);
    CU_ASSERT_TRUE(read(left.v, left.n, PD_MEDIA_HTML, "utf-8"));
    CU_ASSERT_EQUAL(document.text_n, wanted.n);
    CU_ASSERT_NSTRING_EQUAL(document.text, wanted.v, wanted.n);
    pd_bytes_push(&left, '\0');
    CU_ASSERT_PTR_NOT_NULL(strstr((const char *)left.v, "<a href=b>News</a>"));
    document.content = PD_CONTENT_ALL;
    pd_bytes_release(&left);
    pd_bytes_release(&wanted);
}

/* Nothing comes from nothing; what is not followed is told, and no cut needs no bytes. */
static void test_nothing(void)
{
    struct pd_bytes none = {0};
    struct pd_origins origins = {0};
    pd_html_text_told(NULL, 0, false, &none, &(struct pd_html_wants){.origins = &origins});
    CU_ASSERT_EQUAL(origins.n, 0);
    cuts.n = 0;
    CU_ASSERT_TRUE(pd_origins_cut(&origins, &cuts, &body));
    CU_ASSERT_TRUE(read(NULL, 0, PD_MEDIA_HTML, ""));
    CU_ASSERT_TRUE(pd_trace_cut(&trace, &cuts, &body));
    CU_ASSERT_EQUAL(body.n, 0);
    CU_ASSERT_TRUE(read(NULL, 0, PD_MEDIA_TEXT, ""));
    CU_ASSERT_TRUE(pd_trace_cut(&trace, &cuts, &body));
    static const char feed[] = "<rss><channel><item><title>One.</title></item></channel></rss>";
    CU_ASSERT_TRUE(read(feed, sizeof feed - 1, PD_MEDIA_XHTML, ""));
    CU_ASSERT_EQUAL(document.text_n, 4);
    CU_ASSERT_FALSE(pd_trace_cut(&trace, &(struct pd_cuts){&(struct pd_cut){0, 4}, 1, 1}, &body));
    CU_ASSERT_TRUE(read("a&acE;&Bfr;b", 12, PD_MEDIA_HTML, ""));
    CU_ASSERT_FALSE(pd_trace_cut(&trace, &(struct pd_cuts){&(struct pd_cut){0, 7}, 1, 1}, &body));
    pd_bytes_release(&none);
    pd_origins_release(&origins);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_pages),
                                        PD_TEST(test_random_pages),
                                        PD_TEST(test_character_sets),
                                        PD_TEST(test_encoded_pages),
                                        PD_TEST(test_main),
                                        PD_TEST(test_nothing),
                                        CU_TEST_INFO_NULL};
    const int status = pd_run_tests(argc, argv, "document/origin", tests);
    pd_document_release(&document);
    pd_trace_release(&trace);
    pd_cuts_release(&cuts);
    pd_cuts_release(&body);
    return status;
}

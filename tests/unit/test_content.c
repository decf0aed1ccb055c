/* Unit tests of document/content: links, the decision tree at its limits, what is left of a page. */
#include "document/content.h"

#include <stdbool.h>
#include <stdio.h>

#include "pardup/base/error.h"
#include "pardup/document/document.h"
#include "pardup/document/utf8.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

static struct pd_bytes out;
static struct pd_html_links links;

static void append(struct pd_bytes *html, const char *s) { pd_bytes_append(html, s, strlen(s)); }

/* A paragraph of `n` words "letter1 letter2 ..", the first `linked` of them in a link. */
static void append_block(struct pd_bytes *html, char letter, unsigned n, unsigned linked)
{
    append(html, linked ? "<p><a href=x>" : "<p>");
    for (unsigned k = 0; k < n; k++) {
        char word[32];
        snprintf(word, sizeof word, "%c%u%s ", letter, k, k + 1 == linked ? "</a>" : "");
        append(html, word);
    }
    append(html, "</p>");
}

/* Is block b kept, between blocks a and c? Words and linked words of each. */
static bool is_kept(unsigned a, unsigned a_linked, unsigned b, unsigned b_linked, unsigned c,
                    unsigned c_linked)
{
    struct pd_bytes html = {0};
    append_block(&html, 'a', a, a_linked);
    append_block(&html, 'b', b, b_linked);
    append_block(&html, 'c', c, c_linked);
    out.n = 0;
    pd_html_text_linked(html.v, html.n, false, &out, &links);
    pd_content_keep_main(&out, &links);
    pd_bytes_release(&html);
    return out.n > 0 && memmem(out.v, out.n, "b0", 2) != NULL;
}

static void test_deltas(void)
{
    CU_ASSERT(is_kept(1, 0, 17, 0, 1, 0));
    CU_ASSERT_FALSE(is_kept(1, 0, 16, 0, 1, 0));
    CU_ASSERT(is_kept(1, 0, 3, 0, 16, 0)); /* a heading before a paragraph */
    CU_ASSERT_FALSE(is_kept(1, 0, 3, 0, 15, 0));
    CU_ASSERT(is_kept(5, 0, 3, 0, 1, 0)); /* a short line behind one of some length */
    CU_ASSERT_FALSE(is_kept(4, 0, 3, 0, 1, 0));
}

static void test_links(void)
{
    CU_ASSERT(is_kept(1, 0, 30, 9, 1, 0));
    CU_ASSERT_FALSE(is_kept(1, 0, 30, 11, 1, 0));
    CU_ASSERT_FALSE(is_kept(100, 0, 100, 40, 100, 0));
    CU_ASSERT(is_kept(20, 11, 17, 0, 1, 0));
    CU_ASSERT_FALSE(is_kept(20, 12, 17, 0, 1, 0)); /* behind a list of links more is asked for */
    CU_ASSERT_FALSE(is_kept(20, 12, 40, 0, 17, 0));
    CU_ASSERT(is_kept(20, 12, 41, 0, 1, 0));
    CU_ASSERT(is_kept(20, 12, 3, 0, 18, 0));
}

static void marked(const char *html, const char *want)
{
    char got[256];
    size_t n = 0;
    out.n = 0;
    pd_html_text_linked((const unsigned char *)html, strlen(html), false, &out, &links);
    for (size_t i = 0, k = 0; i <= out.n; i++) {
        if (k < links.n && i == links.v[k].end) {
            got[n++] = ']';
            k++;
        }
        if (k < links.n && i == links.v[k].begin)
            got[n++] = '[';
        if (i < out.n)
            got[n++] = (char)out.v[i];
    }
    got[n] = '\0';
    CU_ASSERT_STRING_EQUAL(got, want);
}

static void test_where_links_are(void)
{
    marked("a<a href=x>b</a>c", "a[b]c");
    marked("a<A>b<b>c</b><i>d</a>e", "a[bcd]e");
    marked("a<a>b<a>c</a>d</a>e", "a[bc]de"); /* links do not nest */
    marked("a<a>b", "a[b]");
    marked("a</a>b<a></a>c<abbr>d</abbr>", "abcd");
    marked("a<nav>b<a>c</a>d</nav>e", "a[\n\nbcd]\n\ne");
    marked("<a>b<nav>c</a>d</nav>e", "[b\n\ncd]\n\ne");
    marked("<nav>a<nav>b</nav>c</nav>d", "[a\n\nb\n\nc]\n\nd");
    marked("a</nav>b<form>c</form><footer>d", "a\n\nb\n\nc[\n\nd]");
    marked("a<template><a></template>b", "ab");
    marked("<pre><a>b      </a></pre>c<a>d", "[b]\n\nc[d]"); /* white space is taken back */
    marked("<pre>b      <a></pre>c</a>d", "b[\n\nc]d");
}

static void main_of(const char *html, const char *want)
{
    out.n = 0;
    pd_html_text_linked((const unsigned char *)html, strlen(html), false, &out, &links);
    pd_content_keep_main(&out, &links);
    pd_bytes_push(&out, '\0');
    CU_ASSERT_STRING_EQUAL((const char *)out.v, want);
}

static void test_pages(void)
{
    main_of("", "");
    main_of("<p>short", "");
    main_of("<ul><li><a>Home</a><li><a>News</a></ul>", "");
    main_of("<ul><li><a>Home</a></ul><h1>Of mice</h1>"
            "<p>1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18<br>19<p>20 21 22 23 24 25<p>26 27"
            "<nav>a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o"
            "</nav><p>Imprint",
            "Of mice\n\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n19\n\n20 21 22 23 24 "
            "25\n\n26 27");
    main_of(
        "<pre>1 2 3 4 5 6 7 8 9 10\n\n\n11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27</pre>",
        "1 2 3 4 5 6 7 8 9 10\n\n11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27");
}

/* Signs are no words; two Chinese or Japanese characters are one. */
static void test_what_a_word_is(void)
{
    main_of("<p>. . . . . . . . . . . . . . . . . . . .", "");
    main_of("<p>我们的城市在河边的平原上有很多人和很多房子我们都喜欢这里", "");
    main_of("<p>我们的城市在河边的平原上有很多人和很多房子我们都喜欢这里的天气春天夏天",
            "我们的城市在河边的平原上有很多人和很多房子我们都喜欢这里的天气春天夏天");
}

/* Markup in any order: links ascend and are disjoint; what is left are blocks of the whole text. */
static void test_random(void)
{
    static const char *const pieces[] = {
        "<a>",         "</a>",   "<nav>",
        "</nav>",      "<p>",    "<br>",
        "<pre>",       "</pre>", "<template>",
        "</template>", "\n\n\n", " ",
        "中",          "word ",  "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 "};
    struct pd_random random = {11};
    struct pd_bytes html = {0}, all = {0};
    for (int round = 0; round < 5000; round++) {
        html.n = all.n = out.n = 0;
        for (uint32_t left = pd_random_below(&random, 40); left > 0; left--)
            append(&html, pieces[pd_random_below(&random, sizeof pieces / sizeof *pieces)]);
        append(&html, " ");
        pd_html_text(html.v, html.n, &all);
        pd_html_text_linked(html.v, html.n, false, &out, &links);
        CU_ASSERT(out.n == all.n && (out.n == 0 || memcmp(out.v, all.v, out.n) == 0));
        size_t done = 0;
        for (size_t k = 0; k < links.n; k++) {
            CU_ASSERT(links.v[k].begin >= done && links.v[k].begin < links.v[k].end);
            done = links.v[k].end;
        }
        CU_ASSERT(done <= out.n);
        pd_content_keep_main(&out, &links);
        CU_ASSERT(out.n <= all.n);
        CU_ASSERT_EQUAL(pd_utf8_valid(out.v, out.n), out.n);
    }
    pd_bytes_release(&html);
    pd_bytes_release(&all);
}

/* The document: offsets count what is left; nothing changes for plain text or without the option. */
static void test_document(void)
{
    static const char page[] =
        "<p><a>Menu</a><p>x<p>y<p>One two three four five six seven eight nine ten. "
        "Eleven twelve 13 14 15 16 17 18.<nav>Imprint</nav>";
    const struct pd_raw raw = {
        .body = (const unsigned char *)page, .n = sizeof page - 1, .media = PD_MEDIA_HTML};
    struct pd_raw plain = raw;
    struct pd_document d = {.content = PD_CONTENT_MAIN};
    enum pd_skip why;
    CU_ASSERT_EQUAL(pd_document_read(&d, &raw, &why), PD_OK);
    CU_ASSERT_EQUAL(d.sentences.n, 3);
    CU_ASSERT_EQUAL(d.words.n, 19);
    CU_ASSERT_NSTRING_EQUAL(d.text, "y\n\nOne two", 10);
    CU_ASSERT_NSTRING_EQUAL(d.text + d.sentences.v[2].begin, "Eleven", 6);
    plain.media = PD_MEDIA_TEXT;
    CU_ASSERT_EQUAL(pd_document_read(&d, &plain, &why), PD_OK);
    CU_ASSERT_PTR_EQUAL(d.text, page);
    d.content = PD_CONTENT_ALL;
    CU_ASSERT_EQUAL(pd_document_read(&d, &raw, &why), PD_OK);
    CU_ASSERT_NSTRING_EQUAL(d.text, "Menu", 4);
    pd_document_release(&d);
    pd_bytes_release(&out);
    pd_html_links_release(&links);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_deltas),          PD_TEST(test_links),
                                        PD_TEST(test_where_links_are), PD_TEST(test_pages),
                                        PD_TEST(test_what_a_word_is),  PD_TEST(test_random),
                                        PD_TEST(test_document),        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/content", tests);
}

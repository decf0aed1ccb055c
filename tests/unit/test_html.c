/* Unit tests of document/html: tags, raw text, character references, layout, sniffing. */
#include "pd_cunit.h"

#include <stdbool.h>
#include <stdio.h>

#include "document/feed.h"
#include "document/xml/xml.h"
#include "pardup/document/html.h"
#include "pardup/document/utf8.h"
#include "pd_random.h"

static struct pd_bytes out;

/* The input lies at the very end of its own allocation: a byte too far is seen by the sanitizer. */
static void convert_bytes(const void *html, size_t n)
{
    unsigned char *copy = pd_realloc(NULL, n + 1, 1);
    memcpy(copy + 1, html, n);
    out.n = 0;
    pd_html_text(copy + 1, n, &out);
    free(copy);
}

static void expect(int line, const char *html, const char *text)
{
    convert_bytes(html, strlen(html));
    const bool same = out.n == strlen(text) && (out.n == 0 || !memcmp(out.v, text, out.n));
    if (!same)
        fprintf(stderr, "line %d: %s\n  got <%.*s>\n", line, html, (int)out.n, (char *)out.v);
    CU_ASSERT(same);
}
#define EXPECT(html, text) expect(__LINE__, html, text)

/* Text that a reader has found empty may have no address: the sanitizer sees NULL + 0. */
static void test_nothing(void)
{
    struct pd_html_outline outline = {0};
    out.n = 0;
    pd_html_text(NULL, 0, &out);
    pd_html_text_outlined(NULL, 0, true, &out, &outline);
    pd_xml_text((const unsigned char *)"<TEI><teiHeader>a</teiHeader></TEI>", 35, &out);
    pd_xml_text((const unsigned char *)"", 0, &out);
    pd_feed_text((const unsigned char *)"<rss><item><title></title></item></rss>", 39, &out);
    CU_ASSERT_EQUAL(out.n, 0);
    pd_html_outline_release(&outline);
}

static void test_tags(void)
{
    EXPECT("", "");
    EXPECT("plain", "plain");
    EXPECT("a<b>b</b>c<x-y z>d</x-y>", "abcd");
    EXPECT("a<i title='>' alt=\">\" c=a\">b", "ab");
    EXPECT("a<i title = '>'/>b", "ab");
    EXPECT("a<i \"x>b\">c", "ab\">c");
    EXPECT("a<i =\"x>b\">c", "ab\">c");
    EXPECT("a<i x=>b", "ab");
    EXPECT("a<i x=/>b", "ab");
    EXPECT("a<i x='never closed>b</i><p>c", "a");
    EXPECT("a<b", "a");
    EXPECT("a<b c", "a");
    EXPECT("a < b <3 <= <", "a < b <3 <= <");
    EXPECT("a</", "a</");
    EXPECT("a</>b</ c>d</3>e", "abde");
    EXPECT("a</ x='>'>b", "a'>b");
    EXPECT("a<?php x > y ?>b", "a y ?>b");
    EXPECT("a<!doctype html \">\">b", "a\">b");
    EXPECT("a<!x>b<![CDATA[c>d]]>e", "abd]]>e");
    EXPECT("a<P>b<DiV>c</dIv>d", "a\n\nb\n\nc\n\nd");
    EXPECT("a<pp>b<blockquotes>c<abcdefghijklmnopq>d", "abcd");
}

/* Pages as they are: nothing closed, or too much, or in the wrong order. */
static void test_unclosed_and_nested(void)
{
    EXPECT("<p>a<p>b<li>c<div>d<h1>e", "a\n\nb\n\nc\n\nd\n\ne");
    EXPECT("<b>a<i>b</b>c</i>d</u>e", "abcde");
    EXPECT("a</div></p></table>b</body></html>c", "a\n\nb\n\nc");
    EXPECT("<div><div><p>a</div>b</div></div></div>c", "a\n\nb\n\nc");
    EXPECT("<a href=1>a<a href=2>b<a href=3>c</a></a>", "abc");
    EXPECT("<p<b>a</b>", "a");
    EXPECT("<b<i>a</b>c", "ac");
    EXPECT("<<p>>a<</p>>", "<\n\n>a<\n\n>");
    EXPECT("<form><select><option>a<option>b</select>c<button>d</form>e", "a\n\nb\n\nc\n\nd\n\ne");
    EXPECT("a<ruby>b<rp>(<rt>c<rp>)</ruby>d", "abd");
    EXPECT("<body>a<body>b<html>c<head>d", "a\n\nb\n\nc\n\nd");
}

static void test_tables(void)
{
    EXPECT("<table><tr><td>a<td>b<tr><th>c</table>d", "a\n\nb\n\nc\n\nd");
    EXPECT("<table><caption>a</caption><col><tbody><tr><td> b </td> </tr></tbody></table>",
           "a\n\nb");
    EXPECT("<table><tr><td><table><tr><td>a</td></tr></table>b</td><td>c", "a\n\nb\n\nc");
    EXPECT("<table>a<tr>b<td>c</table>", "a\n\nb\n\nc"); /* no foster parents: order is kept */
    EXPECT("<td>a</tr></table>b", "a\n\nb");
}

/* They are in the text, where offsets count them; words leave them out (word.h). */
static void test_invisible_characters(void)
{
    EXPECT("co&shy;op co\u00ADop", "co\u00ADop co\u00ADop");
    EXPECT("a&ZeroWidthSpace;b&zwnj;c&#8205;d&#xFEFF;e", "a\u200Bb\u200Cc\u200Dd\uFEFFe");
    EXPECT("<p>\u200B<p>a", "\u200B\n\na");
    EXPECT("a<wbr>b<nobr>c</nobr>&NoBreak;d", "abc\u2060d");
}

static void test_markup_in_strings(void)
{
    EXPECT("a<script>document.write(\"<p>b<\\/p><!-- c\");</script>d", "ad");
    EXPECT("a<script>x = '<script>b</script>c", "ac");
    EXPECT("a<script>x = '</scr' + 'ipt>'; y = \"</p>\"</script>b", "ab");
    EXPECT("a<style>p:after { content: '</p><!--' }</style>b", "ab");
    EXPECT("a<img alt='<p>b</p>' onclick=\"f('<script>')\">c", "ac");
    EXPECT("a<noscript><img src='x'><p>b<!-- </noscript>c--></noscript>d", "ac-->d");
    EXPECT("a<noscript>b", "a");
    EXPECT("a<textarea><script>b</textarea>c", "a\n\n<script>b\n\nc");
}

static void test_comments(void)
{
    EXPECT("a<!--b-->c", "ac");
    EXPECT("a<!-->b-->c", "ab-->c");
    EXPECT("a<!--->b-->c", "ab-->c");
    EXPECT("a<!---->b", "ab");
    EXPECT("a<!--b--!>c", "ac");
    EXPECT("a<!--b->c-- >d--->e", "ae");
    EXPECT("a<!--<!-->b", "ab");
    EXPECT("a<!-- <p>b</p> > - -->c", "ac");
    EXPECT("a<!-- never closed <p>b", "a");
    EXPECT("a<!-b>c", "ac");
}

static void test_dropped_elements(void)
{
    EXPECT("<title>a</b>&lt;</title>b", "b");
    EXPECT("a<style>b</styles><p></style >c", "ac");
    EXPECT("a<noscript><p>b</noscript>c<iframe>d</iframe>e<noembed>f</noembed>g", "aceg");
    EXPECT("a<noframes><body>b</noframes>c", "ac");
    EXPECT("a<style>b<!--</style>c", "ac");
    EXPECT("a<script>b</script", "a");
    EXPECT("a<script/>b</script x='>'>c", "ac");
    EXPECT("a<template><p>b<template>c</template>d</p></template>e", "ae");
    EXPECT("a<template><pre>b</template> c\n d", "a c d");
    EXPECT("a</template>b<template>c<p>d", "ab");
    EXPECT("a<template><script></template></script>b</template>c", "ac");
}

static void test_scripts(void)
{
    EXPECT("a<script>'<b>' < '</i>'</script>c", "ac");
    EXPECT("a<script><!--b</script>c-->d", "ac-->d");
    EXPECT("a<script><!--<script>b</script>c--></script>d", "ad");
    EXPECT("a<script><!--<script>b</script>c</script>d", "ad");
    EXPECT("a<script><!--<script>b--></script>c", "ac");
    EXPECT("a<script><!--<script>b->c</script>d</script>e", "ae");
    EXPECT("a<script><!--><script></script>b", "ab");
    EXPECT("a<script><!--<scripts></script>b", "ab");
    EXPECT("a<script><!--<script>b</script>c", "a");
    EXPECT("a<SCRIPT>b</Script\n>c", "ac");
}

static void test_foreign(void)
{
    EXPECT("a<svg><desc>b</desc><title>c</title><text>d</text></svg>e", "ade");
    EXPECT("a<svg><![CDATA[<b>&amp;]]></svg>c<![CDATA[d>e", "a<b>&amp;ce");
    EXPECT("a<math><mi>x</mi><![CDATA[y", "axy");
    EXPECT("a<svg><title/>b<script/>c</svg>d", "abcd");
    EXPECT("a<svg/><title/>b", "a");
    EXPECT("a<svg><desc>b<p>c", "a\n\nc");
    EXPECT("a<svg><p>b<![CDATA[c>d]]>e", "a\n\nbd]]>e");
    EXPECT("a<svg><title x=/>b</title>c", "ac");
    EXPECT("a<svg><desc>b</svg>c<desc>d", "acd");
}

static void test_ruby(void)
{
    EXPECT("a<ruby>b<rt>x</rt>c<rt>y</rt></ruby>d", "abcd");
    EXPECT("a<ruby>b<rp>(</rp><rt>x</rt><rp>)</rp></ruby>d", "abd");
    EXPECT("a<RUBY><rb>b<rt>x<rb>c<rt>y</ruby>d", "abcd");
    EXPECT("<ruby>b<rtc><rt>x</rt></rtc></ruby>d<ruby>e<rt><b>x</b><a>y</a></ruby>f", "bdef");
    EXPECT("<p>a<ruby>b<rt>never closed<p>c</p>d", "ab\n\nc\n\nd");
    EXPECT("a<rt>b", "a");
    EXPECT("<?xml?>a<rt/>b", "ab");
}

/*
 * In XHTML an element with a slash is empty, and CDATA is text, however the page says what it is.
 */
static void test_xhtml(void)
{
    static const char *const heads[] = {"<?xml version='1.0'?>",
                                        "\n<?xml version='1.0'?>\n<!-- c -->",
                                        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN'>",
                                        "<!-- c --><HTML XMLNS='x' xmlns='y'>"};
    static const struct {
        const char *body, *text;
    } cases[] = {
        {"<title/>a<script src='x'/>b<style/>c<iframe/>d<textarea/>e", "abcd\n\ne"},
        {"<TITLE />a<SCRIPT\nx=\"/>\" />b<noscript/>c<noframes/>d<xmp/>e", "abcd\n\ne"},
        {"<template/>a<pre/>b  c<plaintext/>d <p>e", "a\n\nb c\n\nd\n\ne"},
        {"a<svg/>b<math/>c<svg><title/>d</svg>e<br/>f", "abcde\nf"},
        {"a<![CDATA[<b> & &amp;]]>b<![CDATA[]]>c", "a<b> & &amp;bc"},
        {"<p>a<![CDATA[b>c<p>d<![CDATA[e>f", "ac\n\ndf"},
        {"<script>x</script>a<title>y</title>b<script x=/>c</script>d", "abd"},
        {"<style><![CDATA[a > b]]></style>c", "c"},
        {"<template>a<template/>b</template>c", "c"},
    };
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            char page[300];
            snprintf(page, sizeof page, "%s%s", heads[h], cases[k].body);
            EXPECT(page, cases[k].text);
        }
    EXPECT("<!DOCTYPE html><html><title/>a", "");
    struct pd_bytes text = {0};
    pd_html_text_outlined((const unsigned char *)"<title/>a", 9, true, &text, NULL);
    CU_ASSERT(text.n == 1 && text.v[0] == 'a');
    pd_bytes_release(&text);
}

/* The text of a page that shows nothing without scripts is in its <noscript>. */
static void test_alternative(void)
{
    enum { MENU = 100 /* bytes of other text */ };
    struct pd_bytes html = {0};
    for (int k = 0; k < MENU; k++)
        pd_bytes_push(&html, 'm');
    pd_bytes_append(&html, "<noscript><p>", 13);
    const size_t least = 2000 - 3;
    for (size_t k = 0; k < least - 1; k++)
        pd_bytes_push(&html, 'x');
    pd_bytes_append(&html, "</noscript>", 11);
    convert_bytes(html.v, html.n);
    CU_ASSERT_EQUAL(out.n, MENU); /* too short to be a page */
    pd_bytes_append(&html, "<noscript>y</noscript>", 22);
    convert_bytes(html.v, html.n);
    CU_ASSERT_EQUAL(out.n, MENU + 2 + least - 1 + 1);
    pd_bytes_append(&html, "<p>", 3);
    for (int k = 0; k < 151; k++) /* more than an eighth is other text */
        pd_bytes_push(&html, 'm');
    convert_bytes(html.v, html.n);
    CU_ASSERT_EQUAL(out.n, MENU + 2 + 151);
    pd_bytes_release(&html);
}

static void test_kept_raw_text(void)
{
    EXPECT("<textarea>\n a\n  <b>&amp;</textarea>b", "a\n  <b>&\n\nb");
    EXPECT("a<xmp>\r\n <b>&amp;\r</xmp>b", "a\n\n <b>&amp;\n\nb");
    EXPECT("a<plaintext>b</plaintext>\n<p>&lt;", "a\n\nb</plaintext>\n<p>&lt;");
    EXPECT("a<listing>\n\n x</listing>b", "a\n\n\n x\n\nb");
}

static void test_references(void)
{
    EXPECT("&lt;p&gt;&amp;amp;", "<p>&amp;");
    EXPECT("&copy &copyx &notit; &notin; &notin &ampamp;", "© ©x ¬it; ∉ ¬in &amp;");
    EXPECT("&nosuch; & &; &a &b; &&lt;", "&nosuch; & &; &a &b; &<");
    EXPECT("&CounterClockwiseContourIntegral;&CounterClockwiseContourIntegralx;",
           "∳&CounterClockwiseContourIntegralx;");
    EXPECT("&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;",
           "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;");
    EXPECT("&ampaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;", "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;");
    EXPECT("&NotEqualTilde;&nGt;&acE;", "≂̸≫⃒∾̳");
    EXPECT("&#65;&#x42&#X43;d&#x1F600;", "ABCd😀");
    EXPECT("&#128;&#x92;&#x81;", "€’\xC2\x81");
    EXPECT("&#159;&#x9F;", "ŸŸ");
    EXPECT("&#0;&#xD800;&#x110000;&#99999999999999999999;", "����");
    EXPECT("&# &#; &#x &#x; &#xg", "&# &#; &#x &#x; &#xg");
    EXPECT("&#65a&#4294967361;", "Aa�");
    EXPECT("a&#32;&#10;&Tab;b&nbsp;c", "a b\u00A0c");
    EXPECT("a&am<b>p;</b>&lt", "a&amp;<");
}

static void test_white_space(void)
{
    EXPECT(" \t\n\f\r a \r\n b  <i> c</i> d ", "a b c d");
    EXPECT("a <b> </b> c<i>d </i>e", "a cd e");
    EXPECT("a<br>b <br/> c</br>d", "a\nb\nc\nd");
    EXPECT("<br>a<br><br><br>b<br>", "a\n\nb");
    EXPECT("a<wbr>b<img>c<input>d", "abcd");
    EXPECT("<p>a</p>\n\n<p> </p><div><br>b", "a\n\nb");
    EXPECT("<ul><li>a<li>b</ul><td>c<td>d<option>e", "a\n\nb\n\nc\n\nd\n\ne");
    EXPECT("a\u3000 \u2003b", "a\u3000 \u2003b");
}

/* Text is copied eight bytes at a time: nothing may slip through, wherever it stands. */
static void test_every_position(void)
{
    static const char *const pieces[][2] = {{"&amp;", "&"},  {"  ", " "}, {" \n", " "},
                                            {"\t", " "},     {" ", " "},  {"é", "é"},
                                            {"\x01", "\x01"}};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        for (int before = 1; before < 30; before++) {
            static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCD";
            char html[64], text[64];
            snprintf(html, sizeof html, "%.*s%s%s", before, letters, pieces[k][0],
                     letters + before);
            snprintf(text, sizeof text, "%.*s%s%s", before, letters, pieces[k][1],
                     letters + before);
            EXPECT(html, text);
        }
    }
}

static void test_preformatted(void)
{
    EXPECT("a<pre>\n  b\r\n\tc <i> d</i>  \n\n</pre>e  f", "a\n\n  b\n\tc  d\n\ne f");
    EXPECT("a<pre>\r\nb\rc</pre>", "a\n\nb\nc");
    EXPECT("<pre>\n\n  a\n\n</pre>", "a");
    EXPECT("a<pre> \n </pre> b", "a\n\nb");
    EXPECT("<pre>a&#32;&Tab;b", "a \tb");
    EXPECT("<pre>a  <br>b", "a  \nb");
    EXPECT("a<pre>b<pre>c</pre>  d</pre>e  f", "a\n\nb\n\nc\n\n  d\n\ne f");
    EXPECT("a</pre>b  c", "a\n\nb c");
}

static void test_nul(void)
{
    static const char html[] = "a\0b<p\0>c<pre>\0d<style></style\0>x</style><p>e";
    static const char want[] = "a�bc\n\n�d\n\ne";
    convert_bytes(html, sizeof html - 1);
    CU_ASSERT_EQUAL(out.n, sizeof want - 1);
    CU_ASSERT_NSTRING_EQUAL(out.v, want, out.n);
}

static void test_appends(void)
{
    convert_bytes("<p>a ", 5);
    pd_html_text((const unsigned char *)" <p>b", 5, &out);
    CU_ASSERT_EQUAL(out.n, 2);
    CU_ASSERT_NSTRING_EQUAL(out.v, "ab", 2);
}

static uint64_t random_state = 20100719;

static uint32_t draw(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % n;
}

/* Pieces of markup in any order, cut anywhere: never out of bounds, never a third line end. */
static void test_random_markup(void)
{
    static const char *const pieces[] = {
        "<",          ">",           "</",        "/>",      "<!--",
        "-->",        "--!>",        "<![CDATA[", "]]>",     "script",
        "<script>",   "</script>",   "<svg>",     "</svg>",  "<desc>",
        "<template>", "</template>", "<title>",   "</title", "<p>",
        "<br>",       "<td x=",      "\"",        "'",       "=",
        " ",          "\n",          "&",         "&amp",    "#",
        "x41",        ";",           "é",         "&nbsp;",  "word",
        "\t",         "<!",          "<?",        "-",       "\xE4\xB8\xAD",
        "<style>",    "</style>"};
    const uint32_t npieces = sizeof pieces / sizeof *pieces;
    struct pd_bytes html = {0};
    for (int round = 0; round < 20000; round++) {
        html.n = 0;
        for (uint32_t left = draw(30); left > 0; left--) {
            const char *piece = pieces[draw(npieces)];
            pd_bytes_append(&html, piece, strlen(piece));
        }
        convert_bytes(html.v, html.n);
        CU_ASSERT_EQUAL(pd_utf8_valid(out.v, out.n), out.n);
        CU_ASSERT_PTR_NULL(out.n ? memmem(out.v, out.n, "\n\n\n", 3) : NULL);
        CU_ASSERT_PTR_NULL(out.n ? memmem(out.v, out.n, "  ", 2) : NULL);
        CU_ASSERT(out.n == 0 ||
                  (strchr(" \n", out.v[0]) == NULL && strchr(" \n", out.v[out.n - 1]) == NULL));
    }
    pd_bytes_release(&html);
}

static void test_random_bytes(void)
{
    unsigned char html[64];
    size_t produced = 0;
    for (int round = 0; round < 20000; round++) {
        const uint32_t n = draw(sizeof html);
        for (uint32_t k = 0; k < n; k++)
            html[k] = (unsigned char)(draw(3) ? draw(256) : (uint32_t) "<>&;!-/\0"[draw(8)]);
        convert_bytes(html, n);
        produced += out.n;
    }
    CU_ASSERT(produced > 0);
}

static void sniff(int line, const char *s, bool is_html)
{
    const bool got = pd_html_sniff((const unsigned char *)s, strlen(s));
    if (got != is_html)
        fprintf(stderr, "line %d: %s\n", line, s);
    CU_ASSERT_EQUAL(got, is_html);
}
#define HTML(s)     sniff(__LINE__, s, true)
#define NOT_HTML(s) sniff(__LINE__, s, false)

static void test_sniff(void)
{
    HTML("<!DOCTYPE html>");
    HTML("\xEF\xBB\xBF \n<!doctype  HTML PUBLIC");
    HTML("<?xml version='1.0'?>\n<!-- c --><html xmlns='x'>");
    HTML("<!-- a --> <!-- b -->\n<Title>x");
    HTML("<p>x");
    HTML("<a href='x'>");
    HTML("<br/>");
    HTML("<h1\n");
    NOT_HTML("");
    NOT_HTML("<");
    NOT_HTML("<p");
    NOT_HTML("text <html> text");
    NOT_HTML("<foo@bar.example> wrote:");
    NOT_HTML("<pfoo>");
    NOT_HTML("<?xml version='1.0'?><rss>");
    NOT_HTML("<!DOCTYPE rss>");
    NOT_HTML("a < b");
    NOT_HTML("xhtml >");
    NOT_HTML("<!-- note -->\n# Heading");
}

/* A few tags of HTML behind another one. */
static void test_sniff_tags(void)
{
    HTML("<text id='1'>\n<table><tr><td>a</td>");
    HTML("<nav><p>a<br>b</nav>");
    NOT_HTML("<text id='1'>\n<table><tr></tr>");    /* three */
    NOT_HTML("<text id='1'>\n<table><tr><td><br>"); /* none ends */
    NOT_HTML("a <table><tr><td>b</td></tr></table>");
    NOT_HTML("<foo@bar.example> <table><tr><td>b</td></tr></table>");
    NOT_HTML("<https://x.example> <table><tr><td>b</td></tr></table>");
    NOT_HTML("<root><item>a</item><name>b</name><size>c</size></root>");
    NOT_HTML("<?xml version='1.0'?><chapter><title>a</title><section><p>b</p></section>");
}

static void test_sniff_first_kilobyte(void)
{
    char page[2048];
    memset(page, ' ', sizeof page);
    memcpy(page + sizeof page - 6, "<html>", 6);
    CU_ASSERT_TRUE(pd_html_sniff((unsigned char *)page, sizeof page));
    memset(page, 'x', 1200);
    CU_ASSERT_FALSE(pd_html_sniff((unsigned char *)page, sizeof page));
    memcpy(page, "<!--", 4); /* a long comment is a page's */
    CU_ASSERT_TRUE(pd_html_sniff((unsigned char *)page, sizeof page));
    pd_bytes_release(&out);
}

/* Behind other text, a page is one only if it also ends as one. */
static void test_sniff_late(void)
{
    HTML("Warning: no include in x.php\n<html><body>a</body></html>");
    HTML("junk <!DOCTYPE HTML><p>a</BODY>\n");
    NOT_HTML("This <html> has no end.");
    NOT_HTML("The tag </html> has no beginning");
    NOT_HTML("A text on <b> and </html>");
    HTML("Warning: x\n<html><body>a</body></html>\n<!-- kept since noon -->\n");
    NOT_HTML("def page():\n    return '<html><body>%s</body></html>' % text\n");
    NOT_HTML("cat <<END\n<html>a</html>\nEND\n");
}

/*
 * Text is copied sixteen bytes at a time: with a tag that does nothing behind every character, one
 * by one.
 */
/* hOCR: lines and words of print, whatever stands between them. */
static void test_print(void)
{
#define PAGE(lines) "<html><body><div class='ocr_page'>" lines "</div></body></html>"
#define LINE(words) "<span class='ocr_line'>" words "</span>"
    EXPECT(PAGE(LINE("a sen-") LINE("tence")), "a sen-\ntence");
    EXPECT(PAGE(LINE("a sen-") "<br />\n" LINE("tence<br>") LINE("b")), "a sen-\ntence\nb");
    EXPECT(PAGE("<span class='ocr_header'>a</span><span class='ocr_caption'>b</span>"), "a\nb");
    EXPECT(PAGE(LINE("<span class='ocrx_word'>a</span><span class='ocrx_word'>b</span>&shy;")
                    LINE("<b class='ocrx_word'>c</b>")),
           "a b\u00AD\nc");
    EXPECT("<p><span class='ocrx_word'>a</span><span class='ocrx_word'>b</span>", "ab");
#undef PAGE
#undef LINE
}

static void test_one_by_one(void)
{
    enum { ROUNDS = 20000, MOST = 60 };
    static const char *const letters[] = {"a", "b", "\u00E9", "\u597D", "c", "d"};
    static const char *const others[] = {" ",   "\n",   "\t",   "  ",    "\r\n",   "\x01", "\v",
                                         "<p>", "</p>", "<br>", "<pre>", "</pre>", "<b>",  "</b>"};
    uint64_t seed = 16;
    struct pd_bytes html = {0}, apart = {0}, whole = {0};
    for (int round = 0; round < ROUNDS; round++) {
        html.n = apart.n = 0;
        for (uint32_t k = pd_random_below(&seed, MOST) + 1; k > 0; k--) {
            const char *s = pd_random_below(&seed, 4)
                                ? letters[pd_random_below(&seed, sizeof letters / sizeof *letters)]
                                : others[pd_random_below(&seed, sizeof others / sizeof *others)];
            pd_bytes_append(&html, s, strlen(s));
            pd_bytes_append(&apart, s, strlen(s));
            if (*s != '<') /* a line end right behind <pre> is not text */
                pd_bytes_append(&apart, "<i>", 3);
        }
        convert_bytes(html.v, html.n);
        whole.n = 0;
        pd_bytes_append(&whole, out.v, out.n);
        convert_bytes(apart.v, apart.n);
        CU_ASSERT(out.n == whole.n && (out.n == 0 || memcmp(out.v, whole.v, out.n) == 0));
    }
    pd_bytes_release(&html);
    pd_bytes_release(&apart);
    pd_bytes_release(&whole);
}

/* Where links are wanted, pages are gone through in the plain way. */
static void test_two_ways(void)
{
    enum { ROUNDS = 20000, MOST = 60 };
    static const char *const pieces[] = {
        " ",
        "\n",
        "\n   ",
        "a",
        "word",
        "two words",
        "x  y\tz",
        "words up to thirty characters",
        ".",
        "tab\tand\fform feed",
        "\x01",
        "\v",
        "\r\n",
        "\u00E9\u597D",
        "&amp;",
        "&nbsp;",
        "&#32;",
        "&",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<td>",
        "<br>",
        "<br/>",
        "</td></tr>\n<tr><td class=\"x\">",
        "<a href=\"a&amp;b\">",
        "</a>",
        "<a title=\"a>b\" href='x'>",
        "<img alt='>' src=x>",
        "<i x=\"",
        "<span class=\"a b c d e f g h i j k l m n o p q r s t\" id=\"x\">",
        "<averyveryverylongname>",
        "<pre>",
        "</pre>",
        "<pre>\n  a\n\n",
        "<textarea> a ",
        "</textarea>",
        "<script>a<b</script>",
        "<!-- <p> -->",
        "<!x>",
        "<",
        ">",
        "</",
        "<svg>",
        "</svg>",
        "<template>",
        "</template>",
        "<title>a</title>",
        "<H1 ID=x>",
        "</H1\n>",
        "<p\v>",
        "</ x>",
        "<nav>",
        "</nav>"};
    uint64_t seed = 17;
    struct pd_bytes html = {0}, plain = {0};
    struct pd_html_outline outline = {0};
    for (int round = 0; round < ROUNDS; round++) {
        html.n = plain.n = 0;
        for (uint32_t k = pd_random_below(&seed, MOST); k > 0; k--) {
            const char *s = pieces[pd_random_below(&seed, sizeof pieces / sizeof *pieces)];
            pd_bytes_append(&html, s, strlen(s));
            if (pd_random_below(&seed, 50) == 0)
                pd_bytes_push(&html, '\0');
        }
        convert_bytes(html.v, html.n);
        pd_html_text_outlined(html.v, html.n, false, &plain, &outline);
        CU_ASSERT(out.n == plain.n && (out.n == 0 || memcmp(out.v, plain.v, out.n) == 0));
    }
    pd_bytes_release(&html);
    pd_bytes_release(&plain);
    pd_html_outline_release(&outline);
}

/* Pages that are too short for the fast way have the outline that they have as part of a long one. */
static void test_outline(void)
{
    enum { ROUNDS = 20000, SHORT = 49, PAD = 80 };
    static const char *const pieces[] = {"<a href=x>", "</a>",  "<p>",      "</P>",   "<li ID=a>",
                                         "<img>",      "<br/>", "<label/>", "a ",     " b",
                                         "\xC3\xA9",   "&lt;",  "<nav>",    "</nav>", "<pre>",
                                         "</pre>",     "<td/>", "<a/>",     "<b>",    "\n"};
    uint64_t seed = 19;
    char html[SHORT + PAD + 1];
    struct pd_bytes text[2] = {{0}};
    struct pd_html_outline outline[2] = {{.links = {0}}};
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = 0;
        for (const char *s = ""; n + strlen(s) <= SHORT;) {
            memcpy(html + n, s, strlen(s));
            n += strlen(s);
            s = pieces[pd_random_below(&seed, sizeof pieces / sizeof *pieces)];
        }
        memset(html + n, 'x', PAD);
        memcpy(html + n, "<!--", 4);
        for (int k = 0; k < 2; k++) {
            text[k].n = 0;
            pd_html_text_outlined((unsigned char *)html, n + (size_t)k * PAD, round % 2, &text[k],
                                  &outline[k]);
        }
        CU_ASSERT_EQUAL_FATAL(outline[0].links.n, outline[1].links.n);
        CU_ASSERT_EQUAL_FATAL(outline[0].tags.n, outline[1].tags.n);
        for (size_t k = 0; k < outline[0].links.n; k++) {
            const struct pd_html_link a = outline[0].links.v[k], b = outline[1].links.v[k];
            CU_ASSERT(a.begin == b.begin && a.end == b.end);
        }
        for (size_t k = 0; k < outline[0].tags.n; k++) {
            const struct pd_html_tag a = outline[0].tags.v[k], b = outline[1].tags.v[k];
            CU_ASSERT(a.at == b.at && a.attributes == b.attributes && a.tag == b.tag &&
                      a.attributes_n == b.attributes_n && a.closing == b.closing &&
                      a.empty == b.empty);
        }
    }
    for (int k = 0; k < 2; k++) {
        pd_bytes_release(&text[k]);
        pd_html_outline_release(&outline[k]);
    }
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_one_by_one),
                                        PD_TEST(test_outline),
                                        PD_TEST(test_two_ways),
                                        PD_TEST(test_nothing),
                                        PD_TEST(test_tags),
                                        PD_TEST(test_unclosed_and_nested),
                                        PD_TEST(test_tables),
                                        PD_TEST(test_alternative),
                                        PD_TEST(test_invisible_characters),
                                        PD_TEST(test_markup_in_strings),
                                        PD_TEST(test_comments),
                                        PD_TEST(test_dropped_elements),
                                        PD_TEST(test_scripts),
                                        PD_TEST(test_foreign),
                                        PD_TEST(test_xhtml),
                                        PD_TEST(test_ruby),
                                        PD_TEST(test_print),
                                        PD_TEST(test_sniff_late),
                                        PD_TEST(test_kept_raw_text),
                                        PD_TEST(test_references),
                                        PD_TEST(test_white_space),
                                        PD_TEST(test_every_position),
                                        PD_TEST(test_preformatted),
                                        PD_TEST(test_nul),
                                        PD_TEST(test_appends),
                                        PD_TEST(test_random_markup),
                                        PD_TEST(test_random_bytes),
                                        PD_TEST(test_sniff),
                                        PD_TEST(test_sniff_tags),
                                        PD_TEST(test_sniff_first_kilobyte),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "html", tests);
}

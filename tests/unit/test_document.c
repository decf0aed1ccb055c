/* Unit tests of document/document: what is text, media types, sentences and words put together. */
#include "pd_cunit.h"

#include <stdbool.h>
#include <stdio.h>

#include "document/feed.h"
#include "pardup/base/error.h"
#include "pardup/base/json.h"
#include "pardup/document/document.h"

static struct pd_document doc;
static enum pd_skip why;

static int read_bytes(const void *body, size_t n, enum pd_media media)
{
    const struct pd_raw raw = {.body = body, .n = n, .media = media};
    return pd_document_read(&doc, &raw, &why);
}

static int read_string(const char *body, enum pd_media media)
{
    return read_bytes(body, strlen(body), media);
}

static bool text_is(const char *want)
{
    const bool same = doc.text_n == strlen(want) && memcmp(doc.text, want, doc.text_n) == 0;
    if (!same)
        fprintf(stderr, "got <%.*s>\n", (int)doc.text_n, (const char *)doc.text);
    return same;
}

static bool sentence_is(size_t k, const char *want, uint32_t nwords)
{
    if (k >= doc.sentences.n)
        return false;
    const struct pd_sentence s = doc.sentences.v[k];
    return s.end - s.begin == strlen(want) && s.nwords == nwords &&
           memcmp(doc.text + s.begin, want, strlen(want)) == 0;
}

static void test_plain_text_is_the_file(void)
{
    static const char body[] = "\xEF\xBB\xBFOne  fish.\r\n\r\nTwo fish. ";
    CU_ASSERT_EQUAL(read_string(body, PD_MEDIA_TEXT), PD_OK);
    CU_ASSERT_PTR_EQUAL(doc.text, body);
    CU_ASSERT_EQUAL(doc.text_n, sizeof body - 1);
    CU_ASSERT_EQUAL(doc.sentences.n, 2);
    CU_ASSERT(sentence_is(1, "Two fish.", 2));
}

static void test_words_of_sentences(void)
{
    CU_ASSERT_EQUAL(read_string("<p>One FISH.</p>\n<p>--- !</p><p>Two fish", PD_MEDIA_HTML), PD_OK);
    CU_ASSERT(text_is("One FISH.\n\n--- !\n\nTwo fish"));
    CU_ASSERT_EQUAL(doc.sentences.n, 2); /* no words, no sentence */
    CU_ASSERT(sentence_is(0, "One FISH.", 2));
    CU_ASSERT(sentence_is(1, "Two fish", 2));
    CU_ASSERT_EQUAL(doc.words.n, 4);
    CU_ASSERT_EQUAL(doc.sentences.v[1].word, 2);
    const struct pd_word *w = doc.words.v;
    CU_ASSERT_EQUAL(w[1].begin, 4);
    CU_ASSERT_EQUAL(w[1].end, 8);
    CU_ASSERT_EQUAL(w[1].norm_n, 4);
    CU_ASSERT_NSTRING_EQUAL(doc.norm.v + w[1].norm, "fish", 4);
    CU_ASSERT_EQUAL(w[1].term, w[3].term);
    CU_ASSERT_NOT_EQUAL(w[0].term, w[2].term);
}

static void test_empty(void)
{
    CU_ASSERT_EQUAL(read_string("", PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT_EQUAL(doc.sentences.n + doc.words.n + doc.text_n, 0);
    CU_ASSERT_EQUAL(read_string("<p> </p>", PD_MEDIA_HTML), PD_OK);
    CU_ASSERT_PTR_NOT_NULL(doc.text);
    CU_ASSERT_EQUAL(doc.sentences.n + doc.words.n + doc.text_n, 0);
    CU_ASSERT_EQUAL(read_string(" \n", PD_MEDIA_TEXT), PD_OK);
    CU_ASSERT_EQUAL(doc.sentences.n, 0);
    CU_ASSERT_EQUAL(doc.text_n, 2);
}

static void test_media(void)
{
    CU_ASSERT_EQUAL(read_string("<html>a&amp;b", PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT(text_is("a&b"));
    CU_ASSERT_EQUAL(read_string("<html>a&amp;b", PD_MEDIA_TEXT), PD_OK);
    CU_ASSERT(text_is("<html>a&amp;b"));
    CU_ASSERT_EQUAL(read_string("a <b>c</b>", PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT(text_is("a <b>c</b>"));
    CU_ASSERT_EQUAL(read_string("a <b>c</b>", PD_MEDIA_HTML), PD_OK);
    CU_ASSERT(text_is("a c"));
    CU_ASSERT_EQUAL(read_bytes("\xFF\xFE<\0p\0>\0\x2D\x4E", 10, PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT(text_is("中"));
    CU_ASSERT_EQUAL(read_string("<p><meta charset=koi8-r>\xF0\xD2", PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT(text_is("Пр"));
}

static void test_replaced_is_per_document(void)
{
    const struct pd_raw raw = {.charset = "utf-8",
                               .charset_n = 5,
                               .body = (const unsigned char *)"a\xFF\xFE!",
                               .n = 4,
                               .media = PD_MEDIA_TEXT};
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(pd_document_read(&doc, &raw, &why), PD_OK);
        CU_ASSERT_EQUAL(doc.replaced, 2);
    }
    CU_ASSERT_EQUAL(read_string("a", PD_MEDIA_TEXT), PD_OK);
    CU_ASSERT_EQUAL(doc.replaced, 0);
}

static void expect_binary(const void *body, size_t n)
{
    CU_ASSERT_EQUAL(read_bytes(body, n, PD_MEDIA_UNKNOWN), PD_END);
    CU_ASSERT_EQUAL(why, PD_SKIP_BINARY);
    CU_ASSERT_EQUAL(read_bytes(body, n, PD_MEDIA_HTML), PD_END);
}

/* Each byte counts, or not, wherever it stands; a few of those that count are no harm. */
static void expect_controls(size_t n)
{
    unsigned char body[1024];
    for (int c = 0; c < 256; c++) {
        const int most = c == 0 ? 4 + (int)n / 32 : 16 + (int)n / 8; /* the rest is UTF-8 */
        for (int found = most; found <= most + 1; found++) {
            memset(body, 'x', n);
            for (int k = 0; k < found; k++)
                body[(size_t)(k * 27 + c) % n] = (unsigned char)c;
            const bool counts = c < 0x20 && !strchr("\b\t\n\f\r\x1B", c ? c : 'x');
            const int status = read_bytes(body, n, PD_MEDIA_TEXT);
            CU_ASSERT_EQUAL(status, counts && found > most ? PD_END : PD_OK);
        }
    }
}

/* They are counted 128 at a time. */
static void test_controls(void)
{
    expect_controls(1000);
    expect_controls(1024);
}

static void test_binary(void)
{
    expect_binary("%PDF-1.4\n", 9);
    expect_binary("\x89PNG\r\n\x1A\n", 8);
    expect_binary("GIF89a", 6);
    expect_binary("\xFF\xD8\xFF\xE0", 4);
    expect_binary("PK\3\4", 4);
    expect_binary("\x7F\105LF\2\1\1", 7);
    expect_binary("\x1F\x8B\x08", 3);
    expect_binary("\xFD\067zXZ", 5);
    unsigned char noise[6000];
    uint64_t state = 5;
    for (size_t k = 0; k < sizeof noise; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        noise[k] = (unsigned char)(state >> 40);
    }
    expect_binary(noise, sizeof noise);
    memset(noise, '\0', sizeof noise);
    expect_binary(noise, sizeof noise);
}

static void test_stray_controls_are_text(void)
{
    static const char body[] = "one\0two \1\2 three\b\x1B\f";
    CU_ASSERT_EQUAL(read_bytes(body, sizeof body - 1, PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT_PTR_EQUAL(doc.text, body); /* NUL and all */
    CU_ASSERT_EQUAL(doc.text_n, sizeof body - 1);
    CU_ASSERT(doc.words.n >= 3);
    CU_ASSERT_EQUAL(read_string("t\bt_\bwo\b\x1B[0m", PD_MEDIA_TEXT), PD_OK);
    CU_ASSERT(text_is("two\b"));
    CU_ASSERT_EQUAL(read_string("\x1B[0m", PD_MEDIA_TEXT), PD_OK); /* nothing is left */
    CU_ASSERT_EQUAL(doc.text_n, 0);
    CU_ASSERT_EQUAL(read_bytes("a\0b", 3, PD_MEDIA_HTML), PD_OK);
    CU_ASSERT(text_is("a\xEF\xBF\xBD\x62"));
    static const char fields[] = "a\x1E\x1D\x1F"
                                 "b\x1E\x1D\x1F"
                                 "c\x1E\x1D\x1F"
                                 "d \xC3\xA9 and so on";
    CU_ASSERT_EQUAL(read_bytes(fields, sizeof fields - 1, PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT_EQUAL(read_bytes(fields, sizeof fields, PD_MEDIA_UNKNOWN), PD_END); /* a NUL too */
    char page[8192]; /* controls behind the first kilobytes do not matter */
    memset(page, 'x', sizeof page);
    memset(page + 4096, '\1', 4096);
    CU_ASSERT_EQUAL(read_bytes(page, sizeof page, PD_MEDIA_TEXT), PD_OK);
    const struct pd_raw wide = {.charset = "UTF-16BE",
                                .charset_n = 8,
                                .body = (const unsigned char *)"\0a\0b\0c\0d\0e\0f\0g\0h",
                                .n = 16,
                                .media = PD_MEDIA_TEXT};
    CU_ASSERT_EQUAL(pd_document_read(&doc, &wide, &why), PD_OK);
    CU_ASSERT(text_is("abcdefgh"));
}

/* The feed has this text, as every type that feeds come with. */
static void feed(int line, const char *body, const char *text)
{
    static const enum pd_media media[] = {PD_MEDIA_UNKNOWN, PD_MEDIA_HTML, PD_MEDIA_XHTML};
    for (size_t k = 0; k < sizeof media / sizeof *media; k++) {
        const bool same = read_string(body, media[k]) == PD_OK && text_is(text);
        if (!same)
            fprintf(stderr, "line %d: %s\n", line, body);
        CU_ASSERT(same);
    }
}
#define FEED(body, text) feed(__LINE__, body, text)
#define RSS              "<?xml version='1.0' encoding='iso-8859-1'?>\n<rss version='2.0'><channel>"
#define ATOM             "<!-- c --><feed xmlns='http://www.w3.org/2005/Atom'>"

static void test_feeds(void)
{
    FEED(RSS
         "<title>News</title><link>http://x/</link><item><title>A &amp;lt; B</title><guid>7</guid>"
         "<description>One.&lt;p&gt;Two &amp;amp; three.</description>"
         "<content:encoded><![CDATA[<p>Four.<script>x]]></content:encoded></item>"
         "<item><title/><description>caf\xe9</description></item></channel></rss>",
         "News\n\nA < B\n\nOne.\n\nTwo & three.\n\nFour.\n\ncaf\xc3\xa9");
    FEED(ATOM "<title type='text'>T</title><entry><summary>S</summary><updated>2020</updated>"
              "<content type='xhtml'><div><p>One.</p><p>Two.</p></div></content></entry></feed>",
         "T\n\nS\n\nOne.\n\nTwo.");
    FEED("<rdf:RDF><item rdf:about='x'><title>One</title></item>", "One");
    FEED(ATOM "<content>never closed <![CDATA[<b>and", "never closed and");
    FEED(ATOM "<content", "");
    FEED(ATOM "<!-- <title>x</title> -->title>x</title><title>y</title>", "y");
    FEED(ATOM, "");
}

/* The XML file has this text, and is no page. */
static void xml(int line, const char *body, const char *text)
{
    const bool same = read_string(body, PD_MEDIA_UNKNOWN) == PD_OK && text_is(text) && !doc.page;
    if (!same)
        fprintf(stderr, "line %d: %s\n  %.*s\n", line, body, (int)doc.text_n, doc.text);
    CU_ASSERT(same);
}
#define XML(body, text) xml(__LINE__, "<?xml version='1.0'?>\n" body, text)

static void test_xml_blocks_and_inline_elements(void)
{
    XML("<TEI><text><head>One</head><p><hi>T</hi>wo <x>three</x>.</p><p>Four</p></text></TEI>",
        "One\n\nTwo three.\n\nFour");
    XML("<t:TEI xmlns:t='x'><t:P>One<t:note>Two</t:note> three</t:P></t:TEI>",
        "One\n\nTwo\n\nthree");
    XML("<r><name>Ann</name><y>One <x>two</x></y><y><b>T</b>hree</y></r>",
        "Ann\n\nOne two\n\nThree");
    XML("<r><x><y>One</y>Two</x>Three</r>", "One\n\nTwo\n\nThree");
    XML("<lg><l>One</l>\n<l>two</l></lg>", "One\ntwo");
    XML("<r>One<lb/>two<pb n='2'/>three<lb break=\"no\"/>s</r>", "One two threes");
    XML("<article xmlns='x'><title>One</title><sec><p>Two</p></sec></article>", "One\n\nTwo");
}

static void test_xml_elements_that_are_left_out(void)
{
    XML("<TEI><teiHeader><teiHeader/>x<teiHeader>y</teiHeader>z</teiHeader><p>One</p></TEI>",
        "One");
    XML("<r>Of <choice><orig>Vlm</orig><reg>Ulm</reg></choice></r>", "Of Vlm");
    XML("<TEI><teiHeader>kept <!-- </teiHeader> --><p>One</p></TEI>", "kept\n\nOne");
    XML("<!DOCTYPE a [<!ENTITY b 'c>d'>]><r>One<!-- > --><?b c?></r>", "One");
}

static void test_xml_characters(void)
{
    XML("<r>1 &lt; 2 &amp;amp; &#233;<![CDATA[<p>&amp;]]></r>", "1 < 2 &amp; \xc3\xa9<p>&amp;");
    XML("<r b='>' c=\"'>\">One</r>", "One");
    XML("<r>1 < 2<b c='>two</b></r>", "1 < 2two");
    XML("<r><![CDATA[never closed", "never closed");
    XML("<r>One</a", "One");
    CU_ASSERT_EQUAL(
        read_string("<?xml version='1.0' encoding='iso-8859-1'?><r>caf\xe9</r>", PD_MEDIA_UNKNOWN),
        PD_OK);
    CU_ASSERT(text_is("caf\xc3\xa9"));
}

static void test_xml_entities(void)
{
#define DTD(declared) "<!DOCTYPE r [" declared "]>"
    XML(DTD("<!ENTITY co 'Acme &amp; Sons'>") "<r>By &co;.</r>", "By Acme & Sons.");
    XML(DTD("<!ENTITY a \"&b;, &b;\"><!ENTITY b '<i>two</i>'>") "<r>One &a;</r>", "One two, two");
    XML(DTD("<!ENTITY a 'x'><!ENTITY a 'y'><!ENTITY lt '&#38;#60;'>") "<r>&a; &lt;</r>", "x <");
    XML(DTD("<!ENTITY a '&b;'><!ENTITY b '1&a;'>") "<r>&a; &none; & &;</r>", "1&a; &none; & &;");
    XML(DTD("<!ENTITY % p 'x'><!ENTITY f SYSTEM 'f.xml'><!ENTITY e ''>") "<r>&p; &f; &e;.</r>",
        "&p; &f; .");
    XML(DTD("<!ENTITY a 'x'>") "<r><![CDATA[&a;]]><!-- &a; --></r>", "&a;");
    XML(DTD("<!-- ]> it's --><!ENTITY a ']>'>") "<r>One &a;</r>", "One ]>");
    XML("<!DOCTYPE r PUBLIC \"a>b\" 'c' ><r>One &amp;</r>", "One &");
    XML("<!DOCTYPE r [<!ENTITY a 'open>]><r>One &a;</r>", "One &a;");
    struct pd_bytes s = {0};
    pd_bytes_print(&s, "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a0 ''>");
    for (int k = 1; k < 60; k++)
        pd_bytes_print(&s, "<!ENTITY a%d '&a%d;&a%d;&a%d;'>", k, k - 1, k - 1, k - 1);
    for (int k = 0; k < 300; k++)
        pd_bytes_print(&s, "<!-- a type of more than 4 KB -->");
    pd_bytes_print(&s, "]><r>One &a3; &a30;</r>");
    pd_bytes_push(&s, '\0');
    CU_ASSERT_EQUAL(read_string((const char *)s.v, PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT(doc.text_n > 4 && memcmp(doc.text, "One ", 4) == 0 && doc.text_n < 1 << 23);
    pd_bytes_release(&s);
}

/* Pages, texts whose type is given, and texts that begin with a bracket stay what they are. */
static void test_other_than_xml(void)
{
    CU_ASSERT_EQUAL(read_string("<?xml version='1.0'?><html><p>One", PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT(text_is("One") && doc.page);
    CU_ASSERT_EQUAL(read_string("<?xml version='1.0'?><TEI><p>One", PD_MEDIA_TEXT), PD_OK);
    CU_ASSERT(text_is("<?xml version='1.0'?><TEI><p>One") && !doc.page);
    CU_ASSERT_EQUAL(read_string("<TEI><p>One", PD_MEDIA_HTML), PD_OK);
    CU_ASSERT(text_is("One") && doc.page);
    CU_ASSERT_EQUAL(read_string("<x> is a sign.", PD_MEDIA_UNKNOWN), PD_OK);
    CU_ASSERT(text_is("<x> is a sign.") && !doc.page);
}

static void expect_no_text(const char *body, enum pd_media media)
{
    CU_ASSERT_EQUAL(read_string(body, media), PD_END);
    CU_ASSERT_EQUAL(why, PD_SKIP_NO_TEXT);
}

static void test_texts_for_programs(void)
{
    static const char *const maps[] = {
        "<?xml version='1.0'?>\n<urlset xmlns='x'><url><loc>http://x/</loc></url></urlset>",
        "<sitemapindex><sitemap>"};
    static const char *const robots[] = {"User-agent: *\nDisallow: /\n",
                                         "# Hello\r\n\r\nuser-agent : a\r\nX-Other: b\r\n",
                                         "\xEF\xBB\xBFSitemap: http://x/sitemap.xml",
                                         " CDX N b a m s k r M S V g\norg,x)/ 2020",
                                         " CDX A b e\r\n",
                                         "!OpenWayback-CDXJ 1.0\n",
                                         "org,x)/a 20200101000000 {\"url\": 1}\n",
                                         "org,x)/a 20200101000000 http://x.org/ text/html"};
    static const char *const texts[] = {"User-agent: *\nis the first line of a robots.txt.",
                                        "# only a comment\n",
                                        "Name: x\nUser-agent: y\n",
                                        "Allow me to speak.",
                                        " CDX is an index of archives.",
                                        "CDX a b c",
                                        "(see there) 20200101000000 and more ://",
                                        "a) 2020010100000 http://x.org/",
                                        "f(x) 20200101000000 {",
                                        "<url> is in a <urlset>",
                                        ""};
    CU_ASSERT_FALSE(pd_cdx_sniff(NULL, 0));
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
        expect_no_text(maps[k], PD_MEDIA_UNKNOWN);
        expect_no_text(maps[k], PD_MEDIA_HTML);
    }
    for (size_t k = 0; k < sizeof robots / sizeof *robots; k++) {
        expect_no_text(robots[k], PD_MEDIA_UNKNOWN);
        expect_no_text(robots[k], PD_MEDIA_TEXT);
    }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        CU_ASSERT_EQUAL(read_string(texts[k], PD_MEDIA_UNKNOWN), PD_OK);
        CU_ASSERT(text_is(texts[k]));
    }
}

static void test_too_large(void)
{
    unsigned char *body = pd_realloc(NULL, 4096, 1); /* no more than that is looked at */
    memset(body, 'x', 4096);
    const struct pd_raw large = {.body = body, .n = PD_DOCUMENT_MOST + 1, .media = PD_MEDIA_TEXT};
    CU_ASSERT_EQUAL(pd_document_read(&doc, &large, &why), PD_END);
    CU_ASSERT_EQUAL(why, PD_SKIP_TOO_LARGE);
    free(body);
}

static int always(void) { return 1; }

/* A text of `words` words is read if a document may have `most` bytes, and not if less. */
static void read_around(struct pd_document *limited, const struct pd_bytes *text, size_t most,
                        size_t words)
{
    const struct pd_raw raw = {.body = text->v, .n = text->n, .media = PD_MEDIA_TEXT};
    limited->max_bytes = most;
    CU_ASSERT_EQUAL(pd_document_read(limited, &raw, &why), PD_OK);
    CU_ASSERT_EQUAL(limited->words.n, words);
    limited->max_bytes = most - 1;
    CU_ASSERT_EQUAL(pd_document_read(limited, &raw, &why), PD_END);
    CU_ASSERT_EQUAL(why, PD_SKIP_TOO_LARGE);
}

/*
 * A text may have so many bytes and no more, words of one letter one for eight of them. A document
 * that nobody wants ends.
 */
static void test_limits(void)
{
    static const enum pd_base_kind bases[] = {PD_BASE_SENTENCE, PD_BASE_CLAUSE, PD_BASE_STOP,
                                              PD_BASE_STOP};
    enum { TEXTS = 1000 };
    struct pd_bytes text = {0}, dense = {0};
    for (size_t k = 0; k < TEXTS; k++) {
        pd_bytes_append(&text, "This sentence has five words. |a|", 33);
        pd_bytes_append(&dense, "a ", 2);
    }
    const struct pd_raw unwanted = {.body = text.v, .n = text.n, .media = PD_MEDIA_TEXT};
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
        const bool code = k == sizeof bases / sizeof *bases - 1; /* a | is a word of programs */
        struct pd_document limited = {.base = bases[k]};
        limited.words_kind = code ? PD_WORDS_CODE : PD_WORDS_CHAR;
        read_around(&limited, &text, text.n, code ? 8 * TEXTS : 6 * TEXTS);
        read_around(&limited, &dense, 8 * TEXTS, TEXTS);
        limited.max_bytes = 0;
        limited.stopping = always;
        CU_ASSERT_EQUAL(pd_document_read(&limited, &unwanted, &why), PD_END);
        pd_document_release(&limited);
    }
    pd_bytes_release(&text);
    pd_bytes_release(&dense);
}

/* The text of a page, read as a plain text, is the same text with the same sentences. */
static void test_text_of_text(void)
{
    static const char *const pages[] = {
        "<title>x</title><h1>A heading</h1><p>One sentence. Another one!<br>A third",
        "<ul><li>first<li>second</ul><pre>  x = 1;\n\n  y  =  2;\n</pre>after. The end.",
        "<p>&nbsp;</p><p>Mr. Smith&nbsp;went.</p>\n<table><td>1.5<td>&lt;b&gt; 2</table>&#xFEFF;",
        "<p>\xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82\xE6\x97\xA5\xE6\x9C\xAC\xE3\x80\x82<textarea>a\nb",
        "&lt;html&gt; is a tag, and &amp;lt; an entity."};
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++) {
        CU_ASSERT_EQUAL(read_string(pages[k], PD_MEDIA_HTML), PD_OK);
        struct pd_document again = {0};
        const struct pd_raw raw = {.body = doc.text, .n = doc.text_n, .media = PD_MEDIA_TEXT};
        CU_ASSERT_EQUAL(pd_document_read(&again, &raw, &why), PD_OK);
        CU_ASSERT_PTR_EQUAL(again.text, doc.text);
        CU_ASSERT_EQUAL(again.text_n, doc.text_n);
        CU_ASSERT_EQUAL(again.sentences.n, doc.sentences.n);
        CU_ASSERT_NOT_EQUAL(again.sentences.n, 0);
        for (size_t j = 0; j < again.sentences.n && j < doc.sentences.n; j++)
            CU_ASSERT_EQUAL(
                memcmp(&again.sentences.v[j], &doc.sentences.v[j], sizeof *doc.sentences.v), 0);
        pd_document_release(&again);
    }
}

/* Are the words of sentences [from, to) of doc the same if they are read alone? */
static bool are_words_alone(struct pd_document *some, size_t from, size_t to)
{
    const struct pd_sentence *first = &doc.sentences.v[from];
    if (pd_document_cut_some(some, doc.text, doc.text_n, first, to - from) != PD_OK ||
        some->sentences.n != to - from)
        return false;
    for (size_t k = from; k < to; k++) {
        const struct pd_sentence *whole = &doc.sentences.v[k],
                                 *alone = &some->sentences.v[k - from];
        if (alone->nwords != whole->nwords || alone->word != whole->word - first->word)
            return false;
        for (uint32_t w = 0; w < whole->nwords; w++) {
            const struct pd_word *a = &doc.words.v[whole->word + w];
            const struct pd_word *b = &some->words.v[alone->word + w];
            if (a->begin != b->begin || a->end != b->end || a->term != b->term)
                return false;
        }
    }
    const struct pd_sentence *last = &doc.sentences.v[to - 1];
    return some->words.n == last->word + last->nwords - first->word;
}

static void expect_words_alone(const char *text, struct pd_document *some)
{
    CU_ASSERT_EQUAL(read_string(text, PD_MEDIA_TEXT), PD_OK);
    CU_ASSERT(doc.sentences.n >= 3);
    for (size_t from = 0; from < doc.sentences.n; from++)
        for (size_t to = from + 1; to <= doc.sentences.n; to++)
            CU_ASSERT(are_words_alone(some, from, to));
}

static void test_words_of_some_sentences(void)
{
    static const char *const texts[] = {
        "One fish. Two emi-\nnent fish? Yes!\n--- !\nred\xC2\xAD\nfish, or re|ceiue. The "
        "end-\n\nOf it",
        "Caf\xC3\xA9 'twas 3.14. 15 O'Neil's\xE2\x80\x99. (Stra\xC3\x9F"
        "e.) \"So.\" x_1.\n* a\n* b-\nc.",
        "\xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82\xE6\x97\xA5\xE6\x9C\xAC\xE3\x80\x82\xE3\x82\xAB\xE3"
        "\x82\xAB."
        "A sentence of more words than stand in a block of sixty-four bytes, to be sure of it. "
        "End."};
    struct pd_document some = {0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        expect_words_alone(texts[k], &some);
    pd_document_release(&some);
}

/* Lines of program text, of whose comments and quotes some reach over line ends. */
static void test_words_of_some_lines(void)
{
    static const char *const texts[] = {
        "int a = b-- + 1; // note\n\n  x(--y) -- z\n/* of\n two */ c = \"a # b\" # it's\nend",
        "f(\"\"\"a\n'b' \"\"\", 'c\\'d') / 2\n(#no\n #yes\ni --\n--j\n\"open\nk /",
        "a--\n-\n--\n---\n/\n/ /\n* / */ b /* c"};
    struct pd_document some = {.words_kind = PD_WORDS_CODE};
    doc.words_kind = PD_WORDS_CODE;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        expect_words_alone(texts[k], &some);
    doc.words_kind = PD_WORDS_CHAR;
    pd_document_release(&some);
}

static void test_buffers_are_kept(void)
{
    static const char page[] = "<p>caf\xE9 one. Two three.</p><p>Four five.";
    CU_ASSERT_EQUAL(read_string(page, PD_MEDIA_HTML), PD_OK);
    const void *buffers[] = {doc.utf8.v, doc.html.v, doc.norm.v, doc.words.v, doc.sentences.v};
    const size_t nwords = doc.words.n;
    CU_ASSERT_EQUAL(read_string(page, PD_MEDIA_HTML), PD_OK);
    CU_ASSERT_PTR_EQUAL(doc.utf8.v, buffers[0]);
    CU_ASSERT_PTR_EQUAL(doc.html.v, buffers[1]);
    CU_ASSERT_PTR_EQUAL(doc.norm.v, buffers[2]);
    CU_ASSERT_PTR_EQUAL(doc.words.v, buffers[3]);
    CU_ASSERT_PTR_EQUAL(doc.sentences.v, buffers[4]);
    CU_ASSERT_EQUAL(doc.words.n, nwords);
    pd_document_release(&doc);
    CU_ASSERT_PTR_NULL(doc.html.v);
    CU_ASSERT_PTR_NULL(doc.words.v);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_plain_text_is_the_file),
                                        PD_TEST(test_words_of_sentences),
                                        PD_TEST(test_empty),
                                        PD_TEST(test_media),
                                        PD_TEST(test_replaced_is_per_document),
                                        PD_TEST(test_controls),
                                        PD_TEST(test_binary),
                                        PD_TEST(test_stray_controls_are_text),
                                        PD_TEST(test_feeds),
                                        PD_TEST(test_xml_blocks_and_inline_elements),
                                        PD_TEST(test_xml_elements_that_are_left_out),
                                        PD_TEST(test_xml_characters),
                                        PD_TEST(test_xml_entities),
                                        PD_TEST(test_other_than_xml),
                                        PD_TEST(test_texts_for_programs),
                                        PD_TEST(test_too_large),
                                        PD_TEST(test_limits),
                                        PD_TEST(test_text_of_text),
                                        PD_TEST(test_words_of_some_sentences),
                                        PD_TEST(test_words_of_some_lines),
                                        PD_TEST(test_buffers_are_kept),
                                        CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document", tests);
}

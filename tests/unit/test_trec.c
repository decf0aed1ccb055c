/* tests/unit/test_trec.c - documents in SGML and XML: TREC, SogouT, Reuters-21578, PubMed and others. */
#include "pd_cunit.h"
#include "pd_records.h"

static struct seen see_text(const char *text) { return see_bytes(text, strlen(text), 0); }

static int is_body(const struct seen *seen, const char *want)
{
    return seen->docs.n > 0 && strcmp((const char *)seen->last.v, want) == 0;
}

/* ---- what is in a document ---- */

static void test_web_page(void)
{
    struct seen seen = see_text("<DOC>\n"
                                "<DOCNO> GX000-00-0000001 </DOCNO>\n"
                                "<DOCHDR>\n"
                                "http://example.org/a 10.0.0.1 19970215104446 text/html 1014\n"
                                "HTTP/1.1 200 OK\n"
                                "content-type: text/html; charset=iso-8859-2\n"
                                "Transfer-Encoding: chunked\n"
                                "</DOCHDR>\n"
                                "<html>\n<p>page\n"
                                "</DOC>\n");
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "GX000-00-0000001");
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/a");
    CU_ASSERT_STRING_EQUAL(seen.charset, "iso-8859-2");
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_HTML);
    CU_ASSERT(is_body(&seen, "<html>\n<p>page\n"));
    seen_release(&seen);
}

static void test_page_of_other_type(void)
{
    struct seen seen = see_text("<DOC>\n<DOCNO>A-1</DOCNO>\n<DOCHDR>\nhttp://example.org/\n"
                                "Content-Type: application/pdf\n</DOCHDR>\nText of it\n</DOC>\n");
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_UNKNOWN);
    CU_ASSERT(is_body(&seen, "Text of it\n"));
    seen_release(&seen);
}

static void test_blog(void)
{
    struct seen seen = see_text("<DOC>\n<DOCNO>BLOG06-20051206-026-0000000001</DOCNO>\n"
                                "<DATE_XML>2005-12-06T10:00:00+0000</DATE_XML>\n"
                                "<FEEDNO>BLOG06-feed-000001</FEEDNO>\n"
                                "<FEEDURL>http://example.org/feed#</FEEDURL>\n"
                                "<PERMALINK>http://example.org/post#</PERMALINK>\n"
                                "<DOCHDR>\nDate: Tue, 06 Dec 2005 10:00:00 GMT\n"
                                "Content-Type: text/html\n</DOCHDR>\n<p>post</DOC>\n");
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "BLOG06-20051206-026-0000000001");
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/post#");
    CU_ASSERT(is_body(&seen, "<p>post"));
    seen_release(&seen);
}

static void test_newswire(void)
{
    struct seen seen = see_text("<DOC>\n<DOCNO>\nFT911-3\n</DOCNO>\n"
                                "<PROFILE>_AN-ABC</PROFILE>\n<DATE>910514\n</DATE>\n"
                                "<HEADLINE>\nFT  14 MAY 91 / A &lt;head&#62; line\n</HEADLINE>\n"
                                "<TEXT>\n<!-- a comment -->First &amp; <F P=1>second</F>.\n\x01"
                                "<P>\nThird &hyph; 3 < 4 &#20000;\n</P>\n</TEXT>\n"
                                "<PAGE>\nLondon Page 1\n</PAGE>\n</DOC>\n");
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "FT911-3");
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_TEXT);
    CU_ASSERT(is_body(&seen, "FT  14 MAY 91 / A <head> line\n\n"
                             "First & second.\n\nThird &hyph; 3 < 4 &#20000;\n"));
    seen_release(&seen);
}

static void test_newswire_in_other_case(void)
{
    static const char *const docs[] = {
        "<doc>\n<docno>A1</docno>\n<headline>Head</headline>\n<text>\nIt's a "
        "text.\n</text>\n</doc>\n",
        "<Doc>\n<Docno> A1 </Docno>\n<HEADLINE>Head</HEADLINE>\n<TEXT>\nIt's a text.\n</TEXT>\n"
        "</Doc>\n",
        "<DOC>\n<docno>A1</docno>\n<headline>Head</headline>\n<text>\nIt's a "
        "text.\n</text>\n</DOC>\n",
        "<Doc>\n<DocNo> A1 </DocNo>\n<Headline>Head</Headline>\n<Text>\nIt's a text.\n</Text>\n"
        "</Doc>\n"};
    for (size_t k = 0; k < sizeof docs / sizeof *docs; k++) {
        char twice[500];
        snprintf(twice, sizeof twice, "%s%s%s", k % 2 ? "\xEF\xBB\xBF" : "", docs[k], docs[k]);
        struct seen seen = see_bytes(twice, strlen(twice), PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT_EQUAL(seen.counts.repaired, 0);
        CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
        CU_ASSERT_STRING_EQUAL(seen.docs.v[1].id, "A1");
        CU_ASSERT_STRING_EQUAL((const char *)seen.last.v, "Head\n\nIt's a text.\n");
        seen_release(&seen);
    }
}

/* Damage that covers the ends of documents is told, with its bytes. */
static void test_damage_over_many_documents(void)
{
    for (int random = 0; random < 2; random++) {
        struct pd_bytes v = {0};
        uint64_t seed = 6;
        for (int k = 0; k < 40; k++)
            put(&v, "<DOC>\n<DOCNO> A%d </DOCNO>\n<TEXT>\n%03000d\n</TEXT>\n</DOC>\n", k, k);
        for (size_t k = 20000; k < 50000; k++)
            v.v[k] = random ? (unsigned char)noise(&seed) : 0;
        struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
        CU_ASSERT_EQUAL(seen.counts.repaired, 0);
        CU_ASSERT(seen.docs.n > 26 && seen.docs.n < 32);
        CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
        CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_LENGTH);
        CU_ASSERT(strtoul(seen.skips.v[0].detail, NULL, 10) > 30000);
        seen_release(&seen);
        pd_bytes_release(&v);
    }
}

static void test_names_in_the_tag(void)
{
    struct seen seen = see_text("<doc id=\"12\" url='http://example.org/12' title=\"T\">\nT\n\n"
                                "Text.\n</doc>\n<doc id=\"13\">\nx\n</doc>\n");
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "12");
    CU_ASSERT_STRING_EQUAL(seen.docs.v[1].id, "13");
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_UNKNOWN);
    CU_ASSERT(is_body(&seen, "x\n"));
    seen_release(&seen);
    seen = see_text("<doc id=1 url=\"http://example.org/\">text</doc>");
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/");
    CU_ASSERT(is_body(&seen, "text"));
    CU_ASSERT_STRING_EQUAL(seen.charset, "");
    seen_release(&seen);
}

#define SOGOU "<doc>\n<docno>f9f1d3d4-1</docno>\n<url>http://example.org/c</url>\n"

static void test_sogou(void)
{
    struct seen seen = see_text(SOGOU "<html><body>\xd6\xd0\xce\xc4</body></html>\n</doc>\n");
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "f9f1d3d4-1");
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/c");
    CU_ASSERT_STRING_EQUAL(seen.charset, "gbk");
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_UNKNOWN);
    CU_ASSERT(is_body(&seen, "<html><body>\xd6\xd0\xce\xc4</body></html>\n"));
    seen_release(&seen);
    seen = see_text(SOGOU "<meta charset=big5>\xd6\xd0\n</doc>\n");
    CU_ASSERT_STRING_EQUAL(seen.charset, "");
    seen_release(&seen);
    seen = see_text(SOGOU "UTF-8: \xe4\xb8\xad\n</doc>\n");
    CU_ASSERT_STRING_EQUAL(seen.charset, "");
    seen_release(&seen);
    seen = see_text(SOGOU "<contenttitle>\xd6\xd0</contenttitle>\n"
                          "<content>\xce\xc4\xa1\xa3</content>\n</doc>\n");
    CU_ASSERT(is_body(&seen, "\xd6\xd0\n\n\xce\xc4\xa1\xa3\n"));
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_TEXT);
    CU_ASSERT_STRING_EQUAL(seen.charset, "gbk");
    seen_release(&seen);
    seen = see_text("<doc>\n<url>http://example.org/n</url>\n<docno>1-2</docno>\n"
                    "<contenttitle></contenttitle>\n<content>\xce\xc4</content>\n</doc>\n");
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "1-2");
    CU_ASSERT_STRING_EQUAL(seen.url, "http://example.org/n");
    CU_ASSERT(is_body(&seen, "\xce\xc4\n"));
    seen_release(&seen);
}

static void test_joined_reuters_files(void)
{
    struct pd_bytes v = {0};
    for (int k = 0; k < 3; k++)
        put(&v,
            "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n<REUTERS NEWID=\"%d\">\n<TEXT>x</TEXT>\n"
            "</REUTERS>\n",
            k);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n, 3);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    seen_release(&seen);
    put(&v, "<!DOCTYPE and much more %0600d", 1);
    seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.skips.n, 1);
    seen_release(&seen);
    pd_bytes_release(&v);
}

static void test_reuters(void)
{
    struct seen seen = see_text(
        "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"
        "<REUTERS TOPICS=\"YES\" OLDID=\"5544\" NEWID=\"1\">\n<DATE>26-FEB-1987</DATE>\n"
        "<UNKNOWN>\n&#5;C T\n</UNKNOWN>\n<TEXT>&#2;\n<TITLE>A  TITLE</TITLE>\n"
        "<DATELINE>    PLACE, Feb 26 - </DATELINE><BODY>First line\nof a &lt;story>.\n"
        "    Another.\n Reuter\n&#3;</BODY></TEXT>\n</REUTERS>\n"
        "<REUTERS NEWID=\"2\">\n<TEXT TYPE=\"BRIEF\">&#2;\n******NEWS\n&#3;</TEXT>\n</REUTERS>\n");
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
    CU_ASSERT_STRING_EQUAL(seen.docs.v[0].id, "1");
    CU_ASSERT_EQUAL(seen.docs.v[0].n,
                    strlen("A  TITLE\n\n    PLACE, Feb 26 -\n\nFirst line\nof a <story>.\n"
                           "    Another.\n Reuter\n"));
    CU_ASSERT_STRING_EQUAL(seen.docs.v[1].id, "2");
    CU_ASSERT_EQUAL(seen.media, PD_MEDIA_TEXT);
    CU_ASSERT(is_body(&seen, "******NEWS\n"));
    seen_release(&seen);
}

/* ---- what is none ---- */

static void test_other_files(void)
{
    static const char *const texts[] = {"<DOC>",
                                        "<DOC>\n<TITLE>a page</TITLE>",
                                        "<DOCUMENT>\n<DOCNO>1</DOCNO>",
                                        "<DOC type=x>\n<p>",
                                        "<REUTERS",
                                        "<!DOCTYPE html>\n<html><DOC><DOCNO>1</DOCNO>",
                                        ""};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct seen seen = see_text(texts[k]);
        CU_ASSERT_EQUAL(seen.docs.n, 1);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT_EQUAL(seen.last.n, strlen(texts[k]) + 1);
        seen_release(&seen);
    }
}

/* ---- where documents begin and end ---- */

#define DOC(id, text) "<DOC>\n<DOCNO>" id "</DOCNO>\n" text "\n</DOC>\n"

static void test_ends(void)
{
    struct seen seen = see_text(DOC("1", "one, in a </DOC> line") /* the tag there is text */
                                "<DOC>\n<DOCNO>2</DOCNO>\nno end\n" DOC("3", "three"));
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 3);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.counts.repaired, 1);
    CU_ASSERT_EQUAL(seen.docs.v[0].n, strlen("one, in a </DOC> line\n"));
    CU_ASSERT_EQUAL(seen.docs.v[1].n, strlen("no end\n"));
    CU_ASSERT(is_body(&seen, "three\n"));
    seen_release(&seen);
    seen = see_text("<DOC><DOCNO>1</DOCNO>one</DOC><DOC><DOCNO>2</DOCNO>two</DOC>");
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 2);
    CU_ASSERT(is_body(&seen, "two"));
    seen_release(&seen);
}

static void test_end_of_file_inside(void)
{
    struct seen seen = see_text(DOC("1", "one") "<DOC>\n<DOCNO>2</DOCNO>\ntwo, cut sho");
    CU_ASSERT_EQUAL_FATAL(seen.docs.n, 1);
    CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
    CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_TRUNCATED);
    CU_ASSERT_EQUAL(seen.skips.v[0].offset, strlen(DOC("1", "one")));
    seen_release(&seen);
}

static void test_garbage_between(void)
{
    struct seen seen = see_text(DOC("1", "one") "what is\nthis\n" DOC("2", "two"));
    CU_ASSERT_EQUAL(seen.docs.n, 2);
    CU_ASSERT_EQUAL_FATAL(seen.skips.n, 1);
    CU_ASSERT_EQUAL(seen.skips.v[0].why, PD_SKIP_GARBAGE);
    CU_ASSERT_STRING_EQUAL(
        seen.skips.v[0].detail,
        "13 bytes; expected another record after the record, found 'what is?this?<DOC>?<'");
    seen_release(&seen);
}

/* ---- cuts ---- */

static const char trec[] = DOC("1", "one") "garbage\n" DOC(
    "2", "</DOC> in a line <DOC> \n <DOC>\n<DOCNO>") "\n\n<DOC>\n<DOCNO>3</DOCNO>\nno end "
                                                     "tag\n<DOC>\n<TITLE>no document\n"
                                                     "<DOC>\n\n "
                                                     "\n<DOCID>4</DOCID>\nx</DOC><DOC><DOCNO>5</"
                                                     "DOCNO>y</DOC>\n" DOC(
                                                         "6",
                                                         "six") "<DOC id='7'>\nseven\n</DOC>\n<doc "
                                                                "id='8'>\neight\n</doc>\n" DOC(
                                                                    "9", "nine");

static const char reuters[] =
    "<!DOCTYPE lewis>\n<REUTERS NEWID=\"1\">\n<TEXT><BODY>one</BODY></TEXT>\n</REUTERS>\n"
    "<REUTERS NEWID=\"2\">\n<TEXT>two\n\n<REUTERS NEWID=\"3\">\n<TEXT>three</TEXT>\n</REUTERS>\n"
    "strange\n<REUTERS NEWID=\"4\"><TEXT><P>four &lt;4&#3;</TEXT></REUTERS>\n";

/* Written in other ways: an element around all, indented, several on a line, mixed case, no end. */
static const char odd[] =
    "<?xml version=\"1.0\"?>\n<DOCS>\n  <DOC>\n    <DOCNO>1</DOCNO>\n    <TEXT>\n    one\n    "
    "</TEXT>\n  </DOC>\n  <DOC>\n    <DOCNO>2</DOCNO>\n    two </DOC> two\n  </DOC>\n"
    "<DOC> <DOCNO>3</DOCNO> <TEXT>three</TEXT> </DOC> <Doc> <DocNo>4</docno> four </DOC>\n"
    "<DOC docid=\"5\">\n<TEXT>five</TEXT>\n</DOC>\n\t<DOC>\n<TEXT>six</TEXT>\n</DOC>\n"
    "<DOC>\n<DOCNO>7</DOCNO>\n<TEXT>\nseven\n</TEXT>\n</DOCS>\n";

static void test_written_in_other_ways(void)
{
    struct seen seen = see_text(odd);
    CU_ASSERT_EQUAL(seen.skips.n, 0);
    CU_ASSERT_EQUAL(seen.docs.n, 7);
    seen_release(&seen);
    CU_ASSERT_EQUAL(cuts_that_matter(odd, strlen(odd), PD_FORMAT_AUTO, 1), 0);
    for (size_t each = 40; each < sizeof odd + 40; each += 23)
        CU_ASSERT_EQUAL(packings_that_matter(odd, strlen(odd), PD_FORMAT_TREC, each), 0);
    CU_ASSERT_EQUAL(damage_that_matters(odd, strlen(odd), PD_FORMAT_TREC, "<>/DOCN\n &;R1", 300),
                    0);
}

static void test_cuts_do_not_matter(void)
{
    struct seen seen = see_text(trec);
    CU_ASSERT_EQUAL(seen.docs.n, 9);
    CU_ASSERT_EQUAL(seen.skips.n, 2);
    seen_release(&seen);
    seen = see_text(reuters);
    CU_ASSERT_EQUAL(seen.docs.n, 4);
    CU_ASSERT_EQUAL(seen.skips.n, 1);
    seen_release(&seen);
    CU_ASSERT_EQUAL(cuts_that_matter(trec, strlen(trec), PD_FORMAT_AUTO, 1), 0);
    CU_ASSERT_EQUAL(cuts_that_matter(reuters, strlen(reuters), PD_FORMAT_AUTO, 1), 0);
}

static void test_packings_do_not_matter(void)
{
    for (size_t each = 40; each < sizeof trec + 40; each += 23) {
        CU_ASSERT_EQUAL(packings_that_matter(trec, strlen(trec), PD_FORMAT_TREC, each), 0);
        CU_ASSERT_EQUAL(packings_that_matter(reuters, strlen(reuters), PD_FORMAT_REUTERS, each), 0);
    }
}

/* A member that holds no more than the beginning of what every record begins with. */
static void test_start_in_two_members(void)
{
    static const char story[] = "<REUTERS NEWID=\"1\">\n<TEXT>x</TEXT>\n</REUTERS>\n";
    struct pd_bytes gz = {0};
    for (int k = 0; k < 4; k++) {
        const size_t head = k == 2 ? sizeof "<REUT" - 1 : 0;
        if (head > 0)
            put_gzip(&gz, story, head);
        put_gzip(&gz, story + head, sizeof story - 1 - head);
    }
    CU_ASSERT_EQUAL(cuts_that_matter(gz.v, gz.n, PD_FORMAT_REUTERS, 1), 0);
    pd_bytes_release(&gz);
}

static void test_damage(void)
{
    const char *bytes = "<>/DOCN\n &;\"=R1";
    CU_ASSERT_EQUAL(damage_that_matters(trec, strlen(trec), PD_FORMAT_TREC, bytes, 300), 0);
    CU_ASSERT_EQUAL(damage_that_matters(reuters, strlen(reuters), PD_FORMAT_REUTERS, bytes, 300),
                    0);
}

static void test_many_documents(void)
{
    enum { N = 3000 };
    struct pd_bytes v = {0};
    uint64_t seed = 2;
    for (int k = 0; k < N; k++) {
        put(&v, "<DOC>\n<DOCNO>D-%d</DOCNO>\n", k);
        for (uint32_t i = noise(&seed) % 20; i > 0; i--)
            put(&v, "line %x of a <b>text</b>\n", noise(&seed));
        put(&v, "</DOC>\n");
    }
    CU_ASSERT(v.n > 500000); /* more than one window */
    CU_ASSERT_EQUAL(cuts_that_matter(v.v, v.n, PD_FORMAT_AUTO, v.n / 5), 0);
    struct seen seen = see_bytes(v.v, v.n, PD_FORMAT_AUTO);
    CU_ASSERT_EQUAL(seen.docs.n, N);
    seen_release(&seen);
    pd_bytes_release(&v);
}

/* XML files of several documents, each with the number of its documents. */
static const struct bulk {
    const char *text, *id; /* the id of the last document; NULL: its place */
    size_t n;
} bulks[] = {
    {"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE us-patent-grant SYSTEM \"x\" [ ]>\n"
     "<us-patent-grant lang=\"EN\" file=\"A.XML\">\n<p>one</p>\n</us-patent-grant>\n"
     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE us-patent-grant SYSTEM \"x\" [ ]>\n"
     "<us-patent-grant lang=\"EN\" file=\"B.XML\"><p>two</p></us-patent-grant>\n",
     "B.XML", 2},
    {"<?xml version=\"1.0\"?><!DOCTYPE PubmedArticleSet PUBLIC 'a' 'b'><PubmedArticleSet>"
     "<PubmedArticle><PMID Version=\"1\">11</PMID>one</PubmedArticle>\n\n  <PubmedArticle>\n"
     "  <PMID>12</PMID>two</PubmedArticle><PubmedArticle><PMID>13</PMID>three\n </PubmedArticle>\n"
     " <DeleteCitation>\n<PMID>9</PMID>\n</DeleteCitation> \n</PubmedArticleSet>\n",
     "13", 3},
    {"<mediawiki xmlns=\"x\">\n  <siteinfo>\n<case>a</case>\n  </siteinfo>\n  <page>\n"
     "    <title>A</title><text>one\n\n</text>\n  </page>\n  <page>\n    <title>B</title>\n  "
     "</page>  \n"
     "</mediawiki>\n  ",
     NULL, 2},
    {"<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<posts>\r\n  <row Id=\"1\" "
     "Body=\"a\" />\r\n"
     "  <row Id=\"2\" Body=\"b\" />\r\n</posts>",
     NULL, 2},
    {"<teiCorpus xmlns=\"x\"><teiHeader>a</teiHeader>\n<TEI xml:id='a'><teiHeader/><row Id='1'/>\n"
     "<teiHeader/></TEI>\n\t<TEI>two</TEI></teiCorpus>\n",
     NULL, 2},
    {"<teiCorpus>\n<TEI><teiHeader>a</teiHeader>one</TEI>\n<TEI>two</TEI></teiCorpus>\n", NULL, 2},
    {"<teiCorpus><teiHeader/><TEI><teiHeader>a</teiHeader>b</TEI><TEI>c</TEI></teiCorpus>", NULL,
     2},
    {"<mediawiki x='y'><siteinfo/><page><title>A</title></page></mediawiki>", NULL, 1}};

static void test_bulk(void)
{
    for (size_t k = 0; k < sizeof bulks / sizeof *bulks; k++) {
        const size_t n = strlen(bulks[k].text);
        struct seen seen = see_text(bulks[k].text);
        CU_ASSERT_EQUAL(seen.docs.n, bulks[k].n);
        CU_ASSERT_EQUAL(seen.skips.n, 0);
        CU_ASSERT(seen.docs.n == 0 || !bulks[k].id ||
                  strcmp(seen.docs.v[seen.docs.n - 1].id, bulks[k].id) == 0);
        seen_release(&seen);
        CU_ASSERT_EQUAL(cuts_that_matter(bulks[k].text, n, PD_FORMAT_BULK, 1), 0);
        CU_ASSERT_EQUAL(packings_that_matter(bulks[k].text, n, PD_FORMAT_BULK, 67), 0);
    }
}

static void test_bulk_is_not(void)
{
    static const char *const texts[] = {
        "<?xml version='1.0' encoding='latin1'?><teiCorpus><TEI>a</TEI><TEI>b</TEI></teiCorpus>",
        "<!DOCTYPE teiCorpus [<!ENTITY a 'b'>]><teiCorpus><TEI>&a;</TEI></teiCorpus>",
        "<TEI xmlns='x'><p>a</p></TEI>",
        "<posts><post>a</post></posts>",
        "<page><title>a</title></page>",
        "<row Id='1'/>"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct seen seen = see_text(texts[k]);
        CU_ASSERT(is_body(&seen, texts[k]));
        seen_release(&seen);
    }
    struct seen seen = see_text("<posts>\n<row Id='1'/>\n<row Id='2' Body='cut");
    CU_ASSERT(seen.docs.n == 1 && seen.skips.n == 1 && seen.skips.v[0].why == PD_SKIP_TRUNCATED);
    seen_release(&seen);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {PD_TEST(test_web_page),
                                        PD_TEST(test_page_of_other_type),
                                        PD_TEST(test_blog),
                                        PD_TEST(test_newswire),
                                        PD_TEST(test_newswire_in_other_case),
                                        PD_TEST(test_damage_over_many_documents),
                                        PD_TEST(test_names_in_the_tag),
                                        PD_TEST(test_sogou),
                                        PD_TEST(test_reuters),
                                        PD_TEST(test_joined_reuters_files),
                                        PD_TEST(test_other_files),
                                        PD_TEST(test_ends),
                                        PD_TEST(test_end_of_file_inside),
                                        PD_TEST(test_garbage_between),
                                        PD_TEST(test_cuts_do_not_matter),
                                        PD_TEST(test_written_in_other_ways),
                                        PD_TEST(test_packings_do_not_matter),
                                        PD_TEST(test_start_in_two_members),
                                        PD_TEST(test_damage),
                                        PD_TEST(test_many_documents),
                                        PD_TEST(test_bulk),
                                        PD_TEST(test_bulk_is_not),
                                        CU_TEST_INFO_NULL};
    scratch_open();
    return pd_run_tests(argc, argv, "trec", tests);
}

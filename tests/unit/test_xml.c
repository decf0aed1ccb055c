/* Unit tests for the dialects of XML (document/xml/dialect.c). */
#include "pd_cunit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "document/xml/xml.h"

/* The file is a text of XML, and has this text. */
static void xml(int line, const char *body, const char *text)
{
    struct pd_bytes out = {0};
    const unsigned char *s = (const unsigned char *)body;
    const enum pd_xml_kind kind = pd_xml_sniff(s, strlen(body));
    pd_xml_text(s, strlen(body), &out);
    const bool same =
        kind == PD_XML_TEXT && out.n == strlen(text) && memcmp(out.v, text, out.n) == 0;
    if (!same)
        fprintf(stderr, "line %d, kind %d: %s\n  %.*s\n", line, (int)kind, body, (int)out.n, out.v);
    CU_ASSERT(same);
    pd_bytes_release(&out);
}
#define XML(body, text) xml(__LINE__, body, text)
#define OTHER(body)                                                                                \
    CU_ASSERT_EQUAL(pd_xml_sniff((const unsigned char *)(body), strlen(body)), PD_XML_OTHER)

static void test_told(void)
{
    XML("<!DOCTYPE article PUBLIC \"-//NLM//DTD JATS//EN\" "
        "'x'><article><sec><p>One</p></sec></article>",
        "One");
    XML("<!DOCTYPE book [<!ENTITY a 'b'>]>\n<book><title>One</title><p>&a;</p></book>", "One\n\nb");
    XML("<!DOCTYPE d:notes SYSTEM 'x'><d:notes><p>One</p></d:notes>", "One");
    XML("\xEF\xBB\xBF<!-- c -->\n<?p i?><x:alto xmlns:x='y'><x:String CONTENT='One'/></x:alto>",
        "One");
    XML("<article article-type='x'><p>One</p><p>Two</p><p/></article>", "One\n\nTwo");
    XML("<mediawiki><page><title>One</title></page></mediawiki>", "One");
    OTHER("<!DOCTYPE html><html><p>One</html>");
    OTHER("<!DOCTYPE doctype PUBLIC '-//w3c//dtd html 4.0'><body><p>One");
    OTHER("<!DOCTYPE notes is how it begins.");
    OTHER("<article class='x'><p>One</p><p>Two</p></article>");
    OTHER("<document> is a sign.");
    OTHER("<posts> are of wood");
    OTHER("</TEI>");
}

#define TEI(text) "<TEI><text><p>" text "</p></text></TEI>"

static void test_readings(void)
{
    XML(TEI("a<corr>b</corr><reg>c</reg><expan>d</expan>"), "abcd");
    XML(TEI("<choice><abbr>Mr</abbr><expan>Mister</expan></choice> A"), "Mr A");
    XML(TEI("<choice><corr>One</corr> <sic>Oen</sic></choice>."), "Oen.");
    XML(TEI("<choice><unclear>One</unclear><unclear>Own</unclear></choice>."), "One.");
    XML(TEI("a <choice><sic/><corr>b</corr></choice> c"), "a c");
    XML(TEI("<choice><seg><choice><reg>x</reg><orig>y</orig></choice></seg><seg>z</seg></choice>."),
        "y.");
    XML(TEI("<app><rdg>a</rdg><rdg>b</rdg></app> <app><rdg>c</rdg><lem>d</lem></app>"), "a d");
    XML(TEI("<app><rdgGrp><rdg>a</rdg></rdgGrp><rdgGrp><rdg>b</rdg></rdgGrp><wit>x</wit></app>"),
        "a");
    XML(TEI("<app><rdg/><rdg>b</rdg></app> <subst><del>c</del><add>d</add></subst>"), "b d");
    XML(TEI("<choice><sic>a</sic><corr>b"), "ab");
    XML(TEI("the <app><lem>old</lem><note>A</note></app> wall"), "the old wall");
    XML(TEI("the <app><note>A</note><lem>old</lem></app> wall"), "the old wall");

    /* elsewhere such an element has readings, or is none: an appendix, an application, a question */
    XML("<?xml version='1.0'?><d><p>A <choice><sic>a</sic><corr>b</corr></choice>.</p></d>",
        "A a.");
    XML("<?xml version='1.0'?><d><app><name>One</name><about>Two</about></app></d>", "One\n\nTwo");
    XML("<?xml version='1.0'?><d><choice><text>One</text><text>Two</text></choice></d>",
        "One\n\nTwo");
    XML("<!DOCTYPE article PUBLIC '-//NLM//DTD JATS'><article "
        "dtd-version='1'><back><app-group><app>"
        "<title>One</title><boxed-text><p>Two</p></boxed-text></app></app-group></back></article>",
        "One\n\nTwo");
}

static void test_line_ends(void)
{
    XML(TEI("sen-<lb/>\ntence"), "sen-\ntence");
    XML(TEI("sen\xC2\xAC\n<lb/>tence"), "sen\xC2\xAC\ntence");
    XML(TEI("sen&#xAD;<pb/><fw>7</fw><cb/><lb/>tence"), "sen\xC2\xAD\ntence");
    XML(TEI("Hafen-<lb/>\n<hi>Mauer</hi> SEN-<lb/>TENCE"), "Hafen- Mauer SEN-\nTENCE");
    XML(TEI("a <formula notation='TeX'>\\x</formula><formula>b</formula>"), "a b");
    XML(TEI("sen-<lb break='no'/>tence wo<lb break='no'/>rd a<lb/>b"), "sen-\ntence word a b");
    XML("<nitf><head>x</head><body><p>a<br/>b</p></body></nitf>", "a\nb");
    XML("<tt xmlns='http://www.w3.org/ns/ttml'><head>x</head><p>a<br/>b</p><p>c</p></tt>",
        "a\nb\nc");
    XML("<akomaNtoso><meta>x</meta><p><docTitle>a</docTitle> b<eol/>c</p></akomaNtoso>", "a b\nc");
    XML("<o:document xmlns:o='urn:oasis:names:tc:opendocument:xmlns:office:1.0'><o:meta>x</o:meta>"
        "<t:p>a<t:s/>b<t:tab/>c<t:note><t:note-citation>1</t:note-citation><t:p>d</t:p></t:note>"
        "</t:p><o:binary-data>x</o:binary-data></o:document>",
        "a b c\n\nd");
}

static void test_articles_and_books(void)
{
    XML("<article article-type='a'><front><history>x</history></front><p>The "
        "<alternatives><tex-math>"
        "\\x</tex-math><m:math><m:mi>E</m:mi></m:math></alternatives> is.</p></article>",
        "The E is.");
    XML("<article "
        "article-type='a'><ref><surname>A</surname><given-names>B</given-names><year>1</year>"
        "<volume>2</volume></ref></article>",
        "A B 1 2");
    XML("<book xmlns='http://docbook.org/ns/docbook'><para><command>ls</command>: wall<indexterm>"
        "<primary>x</primary></indexterm>s<sbr/>a</para><screen>b\n c</screen></book>",
        "ls: walls\na\n\nb\n c");
    XML("<?xml version='1.0'?><r><history>a</history><aff>b</aff><style>c</style></r>",
        "a\n\nb\n\nc");
    XML("<FictionBook><description>x</description><p><style>a</style> "
        "b</p><v>c</v><v>d</v><binary>x"
        "</binary></FictionBook>",
        "a b\n\nc\nd");
    XML("<mediawiki><siteinfo>x</siteinfo><page><title>A</title><id>1</id><text>b\n\nc</text></"
        "page>"
        "</mediawiki>",
        "A\n\nb\n\nc");
    XML("<PubmedArticleSet><PMID>1</PMID><ArticleTitle>A <i>b</i></ArticleTitle><AbstractText>c"
        "</AbstractText></PubmedArticleSet>",
        "A b\n\nc");
    XML("<w:document xmlns:w='http://x/wordprocessingml/2006/main'><w:p><w:r><w:t>har</w:t></w:r>"
        "<w:proofErr/><w:r><w:t>bour </w:t></w:r></w:p></w:document>",
        "harbour");
}

#define WORD "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q"
#define LINE WORD "\n"

static void test_base64(void)
{
    XML("<?xml version='1.0'?><r>a<x>" LINE LINE LINE LINE "</x></r>", "a");
    XML("<?xml version='1.0'?><r>a <x>iVBORw0KGgo</x></r>", "a iVBORw0KGgo");
    XML(TEI("LlanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochAndMoreOfItsName in 1 " LINE
                LINE "."),
        "LlanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochAndMoreOfItsName in 1 " WORD
        " " WORD " .");
}

static void test_pages(void)
{
    XML("<?xml version='1.0'?><pdf2xml><page><fontspec id='0'/><text top='1'>a "
        "<b>b</b></text>\n<text>c"
        "</text></page><page><text>d</text></page></pdf2xml>",
        "a b\nc\n\nd");
    XML("<alto><Unit>x</Unit><TextBlock><TextLine><String CONTENT='a &amp;'/><SP/><String "
        "CONTENT='b'/>"
        "<String CONTENT='sen' SUBS_TYPE='HypPart1' SUBS_CONTENT='sentence'/><HYP CONTENT='-'/>"
        "</TextLine><TextLine><String CONTENT='tence' SUBS_TYPE='HypPart2' "
        "SUBS_CONTENT='sentence'/>"
        "<String CONTENT='c'/><String CONTENT='d'/><HYP CONTENT='-'/></TextLine><TextLine>"
        "<String CONTENT='e'/></TextLine></TextBlock><TextBlock><String "
        "CONTENT='f'/></TextBlock></alto>",
        "a & b sentence\nc d-\ne\n\nf");
    XML("<alto><TextLine><String CONTENT='' SUBS_TYPE='HypPart1' "
        "SUBS_CONTENT='sentence'/></TextLine>"
        "<TextLine><String CONTENT='tence' SUBS_TYPE='HypPart2' "
        "SUBS_CONTENT='sentence'/></TextLine>"
        "</alto>",
        "sentence");
#define LEVEL(text) "<TextEquiv><Unicode>" text "</Unicode><PlainText>x</PlainText></TextEquiv>\n"
#define WORDS                                                                                      \
    "<Word><Glyph>" LEVEL("x") "</Glyph>" LEVEL("a") "</Word>\n<Word>" LEVEL("b") "</Word>\n"
    XML("<PcGts><Creator>x</Creator><TextRegion><TextLine>" WORDS LEVEL("a b")
            LEVEL("x") "</TextLine>" LEVEL("x") "</TextRegion></PcGts>",
        "a b");
    XML("<PcGts><TextRegion><TextLine>" WORDS LEVEL(
            "") "</TextLine><TextLine>" WORDS
                "</TextLine></TextRegion><TextRegion>" LEVEL("c") "</TextRegion></PcGts>",
        "a b\na b\n\nc");
    XML("<document "
        "xmlns='http://www.abbyy.com/x'><page><par><line><formatting>\n<charParams>a</charParams>"
        "\n<charParams> "
        "</charParams>\n<charParams>b</charParams></formatting></line><line><formatting>c d"
        "</formatting></line></par></page></document>",
        "a b\nc d");
    XML("<!DOCTYPE DjVuXML PUBLIC 'x' 'y'><DjVuXML><HEAD>x</HEAD><PARAGRAPH><LINE><WORD "
        "c='1'>a</WORD>"
        "<WORD>b</WORD></LINE>\n<LINE><WORD>c</WORD></LINE></PARAGRAPH></DjVuXML>",
        "a b\nc");
    XML("<?xml version='1.0'?><pages><page "
        "bbox='1'><textbox><textline><text>a</text>\n<text>b</text>\n"
        "<text> </text>\n<text>c</text>\n<text>\n</text></textline></textbox></page></pages>",
        "ab c");
}

static void test_attributes(void)
{
    XML("<smses><sms body='a &lt; &#233;' type='1'/><sms body=\"it's\"/></smses>",
        "a < \xC3\xA9\n\nit's");
    XML("<posts><row Body='&lt;p&gt;a &lt;b&gt;b&lt;/b&gt; &amp;lt; "
        "c&lt;br&gt;d&lt;/p&gt;&#xA;&lt;p&gt;e"
        "&lt;/p&gt;&lt;script&gt;' Title='A &amp; b' Id='1'/><row Body='f'/></posts>",
        "A & b\n\na b < c\nd\n\ne\n\nf");
    XML("<?xml version='1.0'?><corpus><head><feature name='x'/></head><s><t word='Die' pos='x'/>"
        "<t word='Mauer'/></s><s><t word='Ja'/></s></corpus>",
        "Die Mauer\n\nJa");
}

/* Elements that do not end, and elements that are nested deeply. */
static void test_broken(void)
{
    XML(TEI("One <!-- two</p><p>three <!-- four <?x y?>five"), "One two\n\nthree four five");
    XML(TEI("One <?x two</p><p>three <!-- four -->five"), "One x two\n\nthree five");
    XML(TEI("One <!-- two --> three <!-- four"), "One three four");
    struct pd_bytes s = {0};
    XML("<TEI><p>One <fw>two</p><p>three</p></TEI>", "One two\n\nthree");
    XML("<TEI><p>One</hi></app> two</q></p></x></TEI>three", "One two\n\nthree");
    pd_bytes_print(&s, "<TEI>");
    for (int k = 0; k < 1000; k++)
        pd_bytes_print(&s, "<choice><sic>a");
    for (int k = 0; k < 1000; k++)
        pd_bytes_print(&s, "</sic></choice>");
    pd_bytes_print(&s, " <fw>x</fw>b</TEI>");
    struct pd_bytes out = {0};
    pd_xml_text(s.v, s.n, &out);
    CU_ASSERT_EQUAL(out.n, 1002);
    pd_bytes_release(&s);
    pd_bytes_release(&out);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {PD_TEST(test_told),       PD_TEST(test_readings),
                           PD_TEST(test_line_ends),  PD_TEST(test_articles_and_books),
                           PD_TEST(test_base64),     PD_TEST(test_pages),
                           PD_TEST(test_attributes), PD_TEST(test_broken),
                           CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "xml", tests);
}

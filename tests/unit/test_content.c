/* Unit tests of document/content: links, elements, cues, trees, what is left of a page. */
#include "document/page/content.h"

#include <stdbool.h>
#include <stdio.h>

#include "document/page/outline.h"
#include "document/page/page_cues.h"
#include "document/page/page_trees.h"
#include "pardup/base/error.h"
#include "pardup/document/document.h"
#include "pardup/document/utf8.h"
#include "pd_cunit.h"
#include "pd_random_text.h"

static struct pd_bytes out;
static struct pd_html_outline layout;

static void append(struct pd_bytes *html, const char *s) { pd_bytes_append(html, s, strlen(s)); }

/* Put all text of the page into `out`. */
static void read_all(const char *html, size_t n)
{
    out.n = 0;
    pd_html_text_outlined((const unsigned char *)html, n, false, &out, &layout);
}

static void marked(const char *html, const char *want)
{
    char got[256];
    size_t n = 0;
    read_all(html, strlen(html));
    const struct pd_html_links links = layout.links;
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

/* Write the outline of a page: "(tag" and ")" for elements, a letter for the blocks inside. */
static void outlined(const char *html, const char *want)
{
    char got[256];
    size_t n = 0;
    struct pd_outline outline = {0};
    read_all(html, strlen(html));
    pd_outline_read(&outline, (const unsigned char *)html, strlen(html), &out, &layout);
    for (size_t k = 0; k < outline.blocks.n; k++) {
        const struct pd_outline_block *b = &outline.blocks.v[k];
        got[n++] = (char)out.v[b->begin];
        for (uint32_t node = b->node; node != 0; node = outline.nodes.v[node].parent)
            n += (size_t)snprintf(got + n, sizeof got - n, " %d", outline.nodes.v[node].tag);
        got[n++] = ';';
    }
    got[n] = '\0';
    CU_ASSERT_STRING_EQUAL(got, want);
    pd_outline_release(&outline);
}

static void test_elements(void)
{
    outlined("", "");
    outlined("a<div>b<p>c</div>d", "a;b 2;c 6 2;d;");
    outlined("<p>a<p>b<div>c", "a 6;b 6;c 2;"); /* a block ends a paragraph */
    outlined("<ul><li>a<li>b<ul><li>c</ul></ul>d", "a 16 15;b 16 15;c 16 15 16 15;d;");
    outlined("<table><tr><td>a<td>b<tr><td>c</table>d", "a 21 20 19;b 21 20 19;c 21 20 19;d;");
    outlined("<dl><dt>a<dd>b</dl>", "a 18 17;b 18 17;");
    outlined("a</div>b<section>c<div>d</section>e", "a;b;c 3;d 2 3;e;");
    outlined("<table><tr><td>a</div>b</table>", "a 21 20 19;b 21 20 19;"); /* stays in its cell */
    outlined("<div><h2>a</h2><img>b</div>", "a 8 2;b 2;");
}

/* Write what each block tells: how it ends, "a" if it begins with a small letter, linked half words. */
static void told(const char *html, const char *want)
{
    char got[256];
    size_t n = 0;
    struct pd_outline outline = {0};
    read_all(html, strlen(html));
    pd_outline_read(&outline, (const unsigned char *)html, strlen(html), &out, &layout);
    for (size_t k = 0; k < outline.blocks.n; k++) {
        const struct pd_outline_block *b = &outline.blocks.v[k];
        n += (size_t)snprintf(got + n, sizeof got - n, "%d%s %u/%u;", b->last, b->lower ? "a" : "",
                              b->linked, b->counts.halves);
    }
    got[n] = '\0';
    CU_ASSERT_STRING_EQUAL(got, want);
    pd_outline_release(&outline);
}

static void test_blocks(void)
{
    told("<p>It ends.<p>it asks?<p>It calls!<p>it goes on<p>It says:<p>it lists,",
         "1 0/4;1a 0/4;1 0/4;0a 0/6;2 0/4;0a 0/4;");
    told("<p>A \xE3\x80\x82<p>B \xEF\xBC\x81<p>C \xEF\xBC\x9F<p>D \xEF\xBC\x9A<p>\xE6\x96\x87",
         "1 0/4;1 0/4;1 0/4;2 0/4;0 0/1;");
    /* a link may fill a block, be a part of it, or end where the block does */
    told("<p><a>A b</a><p>A <a>b c</a> d<p>A <a>b</a><p>c", "0 4/4;0 4/8;0 2/4;0a 0/2;");
}

/* Elements nested deeper than any page has belong to the deepest one; reading takes linear time. */
static void test_depth(void)
{
    struct pd_bytes html = {0};
    struct pd_outline outline = {0};
    for (int k = 0; k < 100000; k++)
        append(&html, "<div>");
    append(&html, "a");
    for (int k = 0; k < 100000; k++)
        append(&html, "</section>");
    append(&html, "</div>b");
    read_all((const char *)html.v, html.n);
    pd_outline_read(&outline, html.v, html.n, &out, &layout);
    CU_ASSERT_EQUAL(outline.nodes.n, PD_OUTLINE_DEEPEST + 1);
    CU_ASSERT_EQUAL(outline.nodes.v[outline.blocks.v[0].node].depth, PD_OUTLINE_DEEPEST);
    CU_ASSERT_EQUAL(outline.nodes.v[outline.blocks.v[1].node].depth, PD_OUTLINE_DEEPEST - 1);
    pd_outline_release(&outline);
    pd_bytes_release(&html);
}

static void test_sums(void)
{
    static const char html[] =
        "<div class='card x'><p>one two</p></div><div class='card x'><a>three</a></div>"
        "<div class=y>\xE4\xB8\xAD\xE5\x9B\xBD, \xE4\xB8\xAD</div><p>one two<p>one two";
    struct pd_outline outline = {0};
    read_all(html, sizeof html - 1);
    pd_outline_read(&outline, (const unsigned char *)html, sizeof html - 1, &out, &layout);
    const struct pd_node *nodes = outline.nodes.v;
    CU_ASSERT_EQUAL(outline.blocks.n, 5);
    CU_ASSERT_EQUAL(nodes[0].halves, 4 + 2 + 3 + 4 + 4); /* Chinese characters are half words */
    CU_ASSERT_EQUAL(nodes[0].linked, 2);
    CU_ASSERT_EQUAL(nodes[0].blocks, 5);
    CU_ASSERT_EQUAL(outline.blocks.v[0].copies, 3);
    CU_ASSERT_EQUAL(outline.blocks.v[1].copies, 1);
    CU_ASSERT_EQUAL(outline.blocks.v[2].counts.commas, 1);
    CU_ASSERT_EQUAL(nodes[outline.blocks.v[1].node].twins, 2);
    CU_ASSERT_EQUAL(nodes[outline.blocks.v[1].node].order, 1);
    CU_ASSERT_EQUAL(nodes[outline.blocks.v[2].node].twins, 1);
    CU_ASSERT_EQUAL(outline.blocks.v[3].look, outline.blocks.v[4].look);
    CU_ASSERT_NOT_EQUAL(outline.blocks.v[0].look, outline.blocks.v[3].look);
    pd_outline_release(&outline);
}

static uint64_t cues(enum pd_cue_place place, const char *s)
{
    return pd_page_cues(place, (const unsigned char *)s, strlen(s));
}

static uint64_t text_cues(const char *s)
{
    struct pd_page_text text;
    pd_page_text_read(&text, (const unsigned char *)s, strlen(s));
    const uint64_t cues_of_text = pd_text_cues(&text, 0, text.n);
    pd_page_text_release(&text);
    return cues_of_text;
}

static void test_cues(void)
{
    const uint64_t nav = cues(PD_CUES_CLASS, "nav"), sidebar = cues(PD_CUES_CLASS, "sidebar");
    CU_ASSERT_EQUAL(__builtin_popcountll(nav), 1);
    CU_ASSERT_EQUAL(cues(PD_CUES_CLASS, "main-NAV_2"), nav | cues(PD_CUES_CLASS, "main"));
    CU_ASSERT_EQUAL(cues(PD_CUES_CLASS, "mySidebarLeft"), sidebar);
    CU_ASSERT_EQUAL(cues(PD_CUES_CLASS, "sidebarleft"), sidebar); /* a beginning of five letters */
    CU_ASSERT_EQUAL(cues(PD_CUES_CLASS, "navy"), 0);
    CU_ASSERT_EQUAL(text_cues("sidebar"), 0);
    CU_ASSERT_NOT_EQUAL(text_cues("Leave a comment"), 0);
    CU_ASSERT_EQUAL(text_cues("commentary"), 0); /* whole words */
    CU_ASSERT_EQUAL(text_cues("COMMENT3"), text_cues("leave"));
    CU_ASSERT_NOT_EQUAL(text_cues("\xC2\xA9 2020"), 0);
    CU_ASSERT_NOT_EQUAL(text_cues("Datenschutzerkl\xC3\xA4rung"), 0);
    CU_ASSERT_NOT_EQUAL(cues(PD_CUES_KIND, "\": \"NewsArticle\""), 0);
    CU_ASSERT_EQUAL(cues(PD_CUES_CLASS, ""), 0);
}

static void test_trees(void)
{
    static const struct pd_tree_node nodes[] = {{5, 0, 2},
                                                {-100, PD_TREE_LEAF, 0},
                                                {7, 1, 2},
                                                {10, PD_TREE_LEAF, 0},
                                                {900, PD_TREE_LEAF, 0},
                                                /* the second tree: */ {300, PD_TREE_LEAF, 0}};
    static const uint16_t roots[] = {0, 5};
    const struct pd_forest both = {nodes, roots, 2, 1};
    const int16_t values[3][2] = {{5, 0}, {6, 7}, {6, 8}};
    const int want[3] = {201, 311, PD_SCORE_MOST};
    int16_t rows[PD_FOREST_ROWS][PD_FEATURES_ROOM] = {{0}}, scores[PD_FOREST_ROWS];
    for (int k = 0; k < 3; k++) {
        int16_t *features = rows[k + 14];
        memcpy(features, values[k], sizeof values[k]);
        features[PD_TREE_LEAF] = INT16_MAX;
        CU_ASSERT_EQUAL(pd_forest_score(&both, features), want[k]);
    }
    pd_forest_scores(&both, rows, 2, scores);
    for (int k = 0; k < 3; k++)
        CU_ASSERT_EQUAL(scores[k + 14], want[k]);
}

/* A score that is high or low enough after ten trees is final. */
static void test_sure(void)
{
    static const struct pd_tree_node nodes[] = {
        {33, PD_TREE_LEAF, 0}, {32, PD_TREE_LEAF, 0}, {-33, PD_TREE_LEAF, 0}};
    static const uint16_t all[3][12] = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                                        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                        {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}};
    const int16_t none[PD_FEATURES_ROOM] = {[PD_TREE_LEAF] = INT16_MAX};
    const int want[3] = {330, 384, -330};
    static const int16_t rows[PD_FOREST_ROWS][PD_FEATURES_ROOM];
    int16_t scores[PD_FOREST_ROWS];
    for (int k = 0; k < 3; k++) {
        const struct pd_forest forest = {nodes, all[k], 12, 0};
        CU_ASSERT_EQUAL(pd_forest_score(&forest, none), want[k]);
        pd_forest_scores(&forest, rows, 0, scores);
        CU_ASSERT_EQUAL(scores[PD_FOREST_ROWS - 1], want[k]);
    }
}

/* Rows that are judged together get the scores that each gets alone. */
static void test_rows(void)
{
    static int16_t rows[PD_FOREST_ROWS][PD_FEATURES_ROOM];
    int16_t scores[PD_FOREST_ROWS];
    struct pd_random random = {5};
    for (int round = 0; round < 20; round++) {
        const struct pd_forest *forest = round % 4 ? &pd_block_forest : pd_kind_forests;
        for (unsigned row = 0; row < PD_FOREST_ROWS; row++) {
            for (unsigned f = 0; f < PD_TREE_LEAF; f++)
                rows[row][f] = (int16_t)(pd_random_below(&random, round % 2 ? 3 : 400) - 1);
            rows[row][PD_TREE_LEAF] = INT16_MAX;
        }
        pd_forest_scores(forest, rows, PD_TREE_LEAF, scores);
        for (unsigned row = 0; row < PD_FOREST_ROWS; row++)
            CU_ASSERT_EQUAL(scores[row], pd_forest_score(forest, rows[row]));
    }
}

/* A word may have signs in it, and part of it may be a link: a linked part counts as a word. */
static void test_linked_words(void)
{
    static const char html[] =
        "<p>well-known co<a href=x>op</a>erate a<a href=x>-b \xC3\xA9,</a> Z.</p>";
    struct pd_outline outline = {0};
    read_all(html, sizeof html - 1);
    CU_ASSERT(
        pd_outline_read(&outline, (const unsigned char *)html, sizeof html - 1, &out, &layout));
    CU_ASSERT_EQUAL_FATAL(outline.blocks.n, 1);
    const struct pd_outline_block *b = &outline.blocks.v[0];
    CU_ASSERT_EQUAL(b->counts.halves, 10); /* well-known cooperate a-b, an accented letter, Z */
    CU_ASSERT_EQUAL(b->linked, 6);         /* op, b, and the letter */
    CU_ASSERT_EQUAL(b->counts.chars, 30);
    CU_ASSERT_EQUAL(b->counts.capitals, 1);
    CU_ASSERT_EQUAL(b->counts.commas, 1);
    CU_ASSERT_EQUAL(b->counts.stops, 1);
    CU_ASSERT_EQUAL(b->last, 1);
    pd_outline_release(&outline);
}

static struct pd_main main_content;

/* Leave the main content of the page that was read last in `out`. */
static void keep_main(const unsigned char *html, size_t n)
{
    if (pd_content_find_main(html, n, &layout, &out, &main_content))
        pd_content_keep_main(&main_content, &out);
}

static void main_of(const char *html, const char *want)
{
    read_all(html, strlen(html));
    keep_main((const unsigned char *)html, strlen(html));
    pd_bytes_push(&out, '\0');
    if (strcmp((const char *)out.v, want) != 0)
        printf("\n%s\n", (const char *)out.v);
    CU_ASSERT_STRING_EQUAL((const char *)out.v, want);
}

#define MENU                                                                                       \
    "<nav class=menu><ul><li><a href=/>Home</a><li><a href=/n>News</a><li><a href=/s>Sport</a>"    \
    "<li><a href=/c>Contact</a></ul></nav>"
#define FOOTER                                                                                     \
    "<footer class=footer><ul><li><a href=/i>Imprint</a><li><a href=/p>Privacy policy</a></ul>"    \
    "<p>Copyright 2020 The Gazette. All rights reserved.</p></footer>"
#define SIDE                                                                                       \
    "<aside class=sidebar><h3>Related</h3><ul><li><a href=/1>Ten mice that made it to the top</a>" \
    "<li><a href=/2>What the owl saw last night</a></ul></aside>"
#define FIRST                                                                                      \
    "The mice of the old mill have lived there for a hundred years, and nobody in the village "    \
    "ever thought of driving them out, because they kept the floor clean."
#define SECOND                                                                                     \
    "Last summer, however, the owner sold the mill to a company that wants to turn it into "       \
    "flats, and the mice, as the mayor put it, have to look for another home."

static void test_pages(void)
{
    main_of("", "");
    main_of("<html><body>" MENU "<div class=content><article><h1>Of mice</h1><p>" FIRST
            "</p><p>" SECOND "</p></article></div>" SIDE FOOTER,
            "Of mice\n\n" FIRST "\n\n" SECOND);
    main_of("<html><body>" MENU "<div class=content><p>" FIRST "<p>" SECOND "</div>" FOOTER,
            FIRST "\n\n" SECOND);
}

/* A text that stands on the page twice, the second time for search engines, is kept once. */
static void test_twice(void)
{
    main_of("<html><body>" MENU "<article><p>" FIRST "</p><p>" SECOND "</p></article>"
            "<div itemscope><div itemprop=articleBody>" FIRST " " SECOND "</div></div>" FOOTER,
            FIRST "\n\n" SECOND);
}

#define THIRD                                                                                      \
    "The village council, which met on Tuesday, would like to see the mill kept as it is, and it " \
    "has asked the owner to wait with the work until the winter is over."
#define LINKED "<a href=/x>What happened in the next village, and who was there to see it</a>"
#define PLAIN  "What happened in the next village, and who was there to see it"

/* What is left of an article with a block in it. */
static void article_of(const char *block, const char *want)
{
    static const char head[] =
        "<html><head><meta property=og:type content=article></head><body>" MENU
        "<div class=content><article class=post><h1>Of mice</h1><p>" FIRST "</p>";
    static const char rest[] = "<p>" SECOND "</p><p>" THIRD "</p></article></div>" FOOTER;
    char html[4096], whole[2048];
    snprintf(html, sizeof html, "%s%s%s", head, block, rest);
    snprintf(whole, sizeof whole, FIRST "\n\n%s" SECOND "\n\n" THIRD, want);
    main_of(html, whole);
}

/* A short block of an article that is mostly a link is left out; a heading or an entry is not. */
static void test_pointers(void)
{
    article_of("<p>" PLAIN "</p>", PLAIN "\n\n");
    article_of("<p>" LINKED "</p>", "");
    article_of("<p>See: " LINKED "</p>", "");
    article_of("<p>" PLAIN " <a href=/x>Go on</a></p>", PLAIN " Go on\n\n");
    article_of("<h2>" LINKED "</h2>", PLAIN "\n\n");
    article_of("<ul><li>The mill, and who built it.<li>" LINKED "<li>The owl that came.</ul>",
               "The mill, and who built it.\n\n" PLAIN "\n\nThe owl that came.\n\n");
    article_of("<p><a href=/x>It was told before: " THIRD "</a></p>",
               "It was told before: " THIRD "\n\n");
}

/* Code has the label of what is around it: the trees alone leave out the first and the last one. */
static void test_code(void)
{
    main_of("<html><body>" MENU "<div class=content><article><h1>Of mice</h1><p>" FIRST
            "</p><div><pre><a href=a>mill(1)</a></pre></div><div class=related><pre>cc -o mill\n\n"
            "mill.c</pre></div><p>" SECOND
            "</p><pre><a href=b>owl(1)</a></pre></article></div>" SIDE
            "<aside class=sidebar><pre>a = b</pre></aside>" FOOTER,
            "Of mice\n\n" FIRST "\n\nmill(1)\n\ncc -o mill\n\nmill.c\n\n" SECOND "\n\nowl(1)");
    main_of("<html><body>" MENU "<div class=content><article><h1>Of mice</h1><p>" FIRST
            "</p><p>" SECOND
            "</p></article></div><aside class=sidebar><pre>a = b</pre></aside>" FOOTER,
            "Of mice\n\n" FIRST "\n\n" SECOND);
}

/* A page with little text is not its menu, if it says what its main content is. */
static void test_little_text(void)
{
#define LITTLE(side, text)                                                                         \
    "<html><body><div class=" side "><p>Quick search</p><h3>Contents</h3><ul><li><a href=1>"       \
    "Development process</a><li><a href=2>Submitting patches</a><li><a href=3>Code of conduct</a>" \
    "<li><a href=4>All about mills and mice</a></ul></div><" text "><h1>Mice</h1><p>Contents:</p>" \
    "<ul><li><a href=5>Grey mice</a><li><a href=6>Brown mice</a></ul></div></main>"
    static const char want[] = "Mice\n\nContents:\n\nGrey mice\n\nBrown mice";
    main_of(LITTLE("sidebar", "div role=main class=body"), want);
    main_of(LITTLE("sidebar", "main"), want);
    main_of(LITTLE("sidebar", "div class=body"),
            "Submitting patches\n\nCode of conduct\n\nAll about mills and mice\n\nMice\n\n"
            "Grey mice\n\nBrown mice");
#undef LITTLE
}

/*
 * The text of a page in doubtful, linked or stray blocks, as `asks` tells; in the text that is left if
 * `content` is PD_CONTENT_MAIN.
 */
static void blocks_of(const char *html, enum pd_content content, bool article,
                      bool (*asks)(const struct pd_document *d, size_t k, size_t *at),
                      const char *want)
{
    const struct pd_raw raw = {
        .body = (const unsigned char *)html, .n = strlen(html), .media = PD_MEDIA_HTML};
    struct pd_document d = {.content = content, .marks_frame = true};
    enum pd_skip why;
    size_t at = 0, in_frame = 0;
    CU_ASSERT_EQUAL(pd_document_read(&d, &raw, &why), PD_OK);
    CU_ASSERT_EQUAL(d.main.article, article);
    out.n = 0;
    for (size_t k = 0; k < d.sentences.n; k++) {
        const struct pd_sentence *s = &d.sentences.v[k];
        const bool frame = pd_document_in_frame(&d, k, &in_frame);
        if (!asks(&d, k, &at))
            continue;
        CU_ASSERT_EQUAL(frame, asks == pd_document_is_stray);
        pd_bytes_append(&out, d.text + s->begin, s->end - s->begin);
        pd_bytes_push(&out, '|');
    }
    pd_bytes_push(&out, '\0');
    if (strcmp((const char *)out.v, want) != 0)
        printf("\n%s\n", (const char *)out.v);
    CU_ASSERT_STRING_EQUAL((const char *)out.v, want);
    CU_ASSERT_EQUAL(pd_document_cut(&d, (const unsigned char *)"One.", 4), PD_OK);
    at = 0;
    CU_ASSERT(!asks(&d, 0, &at));
    CU_ASSERT(!d.main.article);
    pd_document_release(&d);
}

/*
 * Links in a list are linked blocks in a page of any kind. What an article would not keep is
 * doubtful where the kind of the page is not sure.
 */
static void test_doubtful(void)
{
#define HEAD "<html><head><meta property=og:type content=article></head><body>" MENU
#define LIST "<ul><li>The mill, and who built it.<li>" LINKED "<li>The owl that came.</ul>"
#define TWO  "<h2>Of mice</h2><p>" FIRST "</p><pre>" SECOND "</pre>"
    static const struct {
        const char *html, *doubtful, *linked;
        bool article;
    } cases[] = {
        {HEAD "<div class=content><article class=post><h1>Of mice</h1><p>" FIRST "</p>" LIST
              "<h2>" LINKED "</h2><p>" SECOND "</p><p>" THIRD "</p></article></div>" FOOTER,
         "", PLAIN "|", true},
        {"<html><body>" MENU "<div class=content><h1>Of mice</h1><p>" FIRST "</p>" LIST "<p>" SECOND
         "</p><pre>" THIRD "</pre></div>" FOOTER,
         "Of mice|", PLAIN "|", false},
        {"<html><body>" MENU "<div class=content>" TWO TWO TWO LIST "<p>" THIRD "</p></div>" FOOTER,
         "", PLAIN "|", false},
        {"<html><body>" MENU "<div class=content>" TWO TWO TWO "<pre>" LINKED "</pre><p>" THIRD
         "</p></div>" FOOTER,
         "", "", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int main = 0; main < 2; main++) {
            const enum pd_content content = main ? PD_CONTENT_MAIN : PD_CONTENT_ALL;
            blocks_of(cases[k].html, content, cases[k].article, pd_document_in_doubt,
                      cases[k].doubtful);
            blocks_of(cases[k].html, content, cases[k].article, pd_document_is_linked,
                      cases[k].linked);
        }
    }
#undef HEAD
#undef LIST
#undef TWO
}

/* Running text outside the main content is stray, unless it is short, linked or a notice of cookies. */
static void test_stray(void)
{
#define TOLD                                                                                       \
    "The mill stood at the river for two hundred years. It was built by the men of the town"
#define TAIL ", who came from the hills with carts, and their sons ran it until the flood."
#define IN(in)                                                                                     \
    "<html><head><meta property=og:type content=article></head><body>" MENU                        \
    "<div class=content><article><h1>Of mice</h1><p>" FIRST "</p><p>" SECOND "</p><p>" THIRD       \
    "</p></article></div><div class=footer>" in "</div>" FOOTER
    static const struct {
        const char *html, *stray;
    } cases[] = {
        {IN("<p>" TOLD TAIL "</p>"), "The mill stood at the river for two hundred years.|"
                                     "It was built by the men of the town" TAIL "|"},
        {IN("<p>" TOLD ".</p>"), ""},
        {IN("<p><a href=1>" TOLD "</a>" TAIL "</p>"), ""},
        {IN("<div class=cookie-consent><p>" TOLD TAIL "</p></div>"), ""},
        {IN("<p>mill mice owl town river hill cart son flood stone wood water wheel corn flour "
            "bread "
            "oven baker street house roof door window stair cellar barn yard gate lane field "
            "hedge</p>"),
         ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        blocks_of(cases[k].html, PD_CONTENT_ALL, true, pd_document_is_stray, cases[k].stray);
        blocks_of(cases[k].html, PD_CONTENT_MAIN, true, pd_document_is_stray, "");
    }
#undef TOLD
#undef TAIL
#undef IN
}

/* Blocks move to the front, and their no-break spaces become spaces. */
static void test_spaces(void)
{
    const struct {
        const char *text, *want;
    } cases[] = {{"x\n\na\xC2\xA0"
                  "b \xC2\xA0\xC2\xA0"
                  "c",
                  "a b   c"},
                 {"x\n\n\xC2\xA9 a\xC2\xA0", "\xC2\xA9 a "},
                 {"x\n\n\xC3\xA0\xC2\xAB\xC3", "\xC3\xA0\xC2\xAB\xC3"},
                 {"x\n\na", "a"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pd_main all = {.article = false};
        out.n = 0;
        append(&out, cases[k].text);
        pd_extents_push(&all.blocks, (struct pd_extent){3, out.n});
        pd_content_keep_main(&all, &out);
        pd_bytes_push(&out, '\0');
        CU_ASSERT_STRING_EQUAL((const char *)out.v, cases[k].want);
        pd_extents_release(&all.blocks);
    }
}

#define RIVER "我们的城市在河边的平原上，有很多人和很多房子，我们都喜欢这里的天气，春天夏天都很好。"
#define MARKET                                                                                     \
    "每到星期六，农民们带着蔬菜和水果来到老市场，孩子们跟着父母买东西，老人坐在树下喝茶。"
#define BRIDGE                                                                                     \
    "去年冬天一座新桥开通了，从前过河要等半个小时的渡船，如今开车只需要两分钟就能到对岸。"

static void test_chinese(void)
{
    main_of(
        "<html><body><div class=nav><a href=/>首页</a><a href=/n>新闻</a></div><div class=content>"
        "<h1>河边的城市</h1><p>" RIVER MARKET "</p><p>" BRIDGE "</p></div>"
        "<div class=footer><a href=/c>版权所有</a></div>",
        "河边的城市\n\n" RIVER MARKET "\n\n" BRIDGE);
}

/* A page with more blocks than any page for people keeps all its text. */
static void test_large(void)
{
    struct pd_bytes html = {0}, all = {0};
    for (int k = 0; k <= PD_OUTLINE_BLOCKS; k++)
        append(&html, "<p><a>b");
    pd_html_text(html.v, html.n, &all);
    read_all((const char *)html.v, html.n);
    keep_main(html.v, html.n);
    CU_ASSERT_EQUAL(out.n, all.n);
    pd_bytes_release(&html);
    pd_bytes_release(&all);
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
        pd_html_text_outlined(html.v, html.n, false, &out, &layout);
        const struct pd_html_links links = layout.links;
        CU_ASSERT(out.n == all.n && (out.n == 0 || memcmp(out.v, all.v, out.n) == 0));
        size_t done = 0;
        for (size_t k = 0; k < links.n; k++) {
            CU_ASSERT(links.v[k].begin >= done && links.v[k].begin < links.v[k].end);
            done = links.v[k].end;
        }
        CU_ASSERT(done <= out.n);
        keep_main(html.v, html.n);
        CU_ASSERT(out.n <= all.n);
        CU_ASSERT_EQUAL(pd_utf8_valid(out.v, out.n), out.n);
    }
    pd_bytes_release(&html);
    pd_bytes_release(&all);
}

/*
 * The document: offsets count what is left; nothing changes for plain text or without the option.
 */
static void test_document(void)
{
    static const char page[] =
        MENU "<div class=content><article><p>" FIRST "</p><p>" SECOND "</p></article></div>" FOOTER;
    const struct pd_raw raw = {
        .body = (const unsigned char *)page, .n = sizeof page - 1, .media = PD_MEDIA_HTML};
    struct pd_raw plain = raw;
    struct pd_document d = {.content = PD_CONTENT_MAIN};
    enum pd_skip why;
    CU_ASSERT_EQUAL(pd_document_read(&d, &raw, &why), PD_OK);
    CU_ASSERT_EQUAL(d.sentences.n, 2);
    CU_ASSERT_NSTRING_EQUAL(d.text, FIRST "\n\n" SECOND, d.text_n);
    CU_ASSERT_NSTRING_EQUAL(d.text + d.sentences.v[1].begin, "Last summer", 11);
    plain.media = PD_MEDIA_TEXT;
    CU_ASSERT_EQUAL(pd_document_read(&d, &plain, &why), PD_OK);
    CU_ASSERT_PTR_EQUAL(d.text, page);
    d.content = PD_CONTENT_ALL;
    CU_ASSERT_EQUAL(pd_document_read(&d, &raw, &why), PD_OK);
    CU_ASSERT_NSTRING_EQUAL(d.text, "Home", 4);
    pd_document_release(&d);
    pd_bytes_release(&out);
    pd_html_outline_release(&layout);
}

/* The frame of a page: the text and its offsets are as without it. */
static void test_frame(void)
{
    static const char page[] =
        MENU "<div class=content><article><p>" FIRST "</p><p>" SECOND "</p></article></div>" FOOTER;
    static const struct pd_raw raw = {
        .body = (const unsigned char *)page, .n = sizeof page - 1, .media = PD_MEDIA_HTML};
    struct pd_document all = {.marks_frame = false}, d = {.marks_frame = true};
    enum pd_skip why;
    size_t at = 0, in_all = 0;
    CU_ASSERT_EQUAL(pd_document_read(&all, &raw, &why), PD_OK);
    CU_ASSERT_EQUAL(pd_document_read(&d, &raw, &why), PD_OK);
    CU_ASSERT_EQUAL_FATAL(d.text_n, all.text_n);
    CU_ASSERT(memcmp(d.text, all.text, all.text_n) == 0);
    CU_ASSERT_EQUAL_FATAL(d.sentences.n, all.sentences.n);
    for (size_t k = 0; k < d.sentences.n; k++) {
        const struct pd_sentence *s = &d.sentences.v[k];
        const char *text = (const char *)d.text + s->begin;
        const bool main = strncmp(text, FIRST, s->end - s->begin) == 0 ||
                          strncmp(text, SECOND, s->end - s->begin) == 0;
        CU_ASSERT_EQUAL(pd_document_in_frame(&d, k, &at), !main);
        CU_ASSERT(!pd_document_in_frame(&all, k, &in_all));
    }
    struct pd_raw error = raw;
    error.error = true;
    at = 0;
    CU_ASSERT_EQUAL(pd_document_read(&d, &error, &why), PD_OK);
    CU_ASSERT_EQUAL_FATAL(d.sentences.n, all.sentences.n);
    for (size_t k = 0; k < d.sentences.n; k++)
        CU_ASSERT(pd_document_in_frame(&d, k, &at));
    pd_document_release(&all);
    pd_document_release(&d);
}

int main(int argc, char **argv)
{
    static const CU_TestInfo tests[] = {
        PD_TEST(test_where_links_are), PD_TEST(test_elements), PD_TEST(test_blocks),
        PD_TEST(test_depth),           PD_TEST(test_sums),     PD_TEST(test_cues),
        PD_TEST(test_trees),           PD_TEST(test_sure),     PD_TEST(test_rows),
        PD_TEST(test_linked_words),    PD_TEST(test_pages),    PD_TEST(test_twice),
        PD_TEST(test_pointers),        PD_TEST(test_code),     PD_TEST(test_little_text),
        PD_TEST(test_doubtful),        PD_TEST(test_stray),    PD_TEST(test_spaces),
        PD_TEST(test_chinese),         PD_TEST(test_large),    PD_TEST(test_random),
        PD_TEST(test_document),        PD_TEST(test_frame),    CU_TEST_INFO_NULL};
    return pd_run_tests(argc, argv, "document/content", tests);
}

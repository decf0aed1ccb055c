/* tools/synth/page.c - see src/tools/synth/page.h */
#include "page.h"

#include <stdio.h>

#include "pardup/base/bytes.h"
#include "pardup/base/error.h"
#include "random.h"

/* ---- filler: style sheets, scripts, data ---- */

enum {
    DIGITS = 6,     /* of a hexadecimal number */
    LINE_MOST = 160 /* bytes that the longest line has with its numbers, or more */
};

/* Lines of filler. Each $ is replaced by a random hexadecimal number. */
static const char *const styles[] = {
    ".box-$ { margin: 0 auto; padding: 4px 12px; border: 1px solid #$; }\n",
    "#main .row-$ > li a:hover { color: #$; text-decoration: none }\n",
    "@media (max-width: 720px) { .col-$ { width: 100%; float: none; } }\n",
    ".icon-$ { background: url(/static/img/$.png) no-repeat 0 0; }\n",
    "h2.title-$, h3.title-$ { font: bold 1.2em/1.4 Georgia, serif; }\n",
    ".nav-$ ul { list-style: none; margin: 0; padding: 0 }\n",
    ".btn-$:active { box-shadow: inset 0 2px 4px rgba(0,0,0,.15); }\n",
    ".grid-$ { display: flex; flex-wrap: wrap; justify-content: space-between }\n"};
static const char *const scripts[] = {
    "  var node$ = document.getElementById(\"el-$\");\n",
    "  if (window.cfg$ && typeof cfg$.load === \"function\") { cfg$.load(); }\n",
    "  queue.push([\"track\", \"event-$\", { value: 0x$, label: \"page\" }]);\n",
    "  function fn$(a, b) { return a < b ? a + 0x$ : b - 0x$; }\n",
    "  for (var i = 0; i < list$.length; i++) { list$[i].hidden = true; }\n",
    "  addEventListener(\"click\", function (e) { send(\"$\", e.target.id); });\n",
    "  // module $ loads after the page is shown\n",
    "  html += \"<div class='w-$'>\" + text$ + \"</div>\";\n"};
static const char *const data[] = {
    "{\"id\":\"$\",\"type\":\"teaser\",\"url\":\"/item/$.html\",\"rank\":0},\n",
    "{\"image\":\"/media/$_$.jpg\",\"width\":640,\"height\":360,\"alt\":\"\"},\n",
    "{\"key\":\"$\",\"value\":\"$\",\"flags\":[1,0,1],\"ttl\":3600},\n",
    "{\"event\":\"view\",\"session\":\"$$\",\"time\":\"$\"},\n"};

/* Append n bytes of random lines; the last line may be cut. */
static void fill(const char *const *lines, uint32_t nlines, struct pd_synth_random *r, size_t n,
                 struct pd_bytes *out)
{
    static const char digits[] = "0123456789abcdef";
    const size_t end = out->n + n;
    pd_bytes_reserve(out, end + LINE_MOST);
    while (out->n < end) {
        uint64_t x = pd_synth_next(r);
        unsigned char *p = out->v + out->n;
        for (const char *c = lines[(x & UINT32_MAX) % nlines]; *c; c++) {
            if (*c != '$') {
                *p++ = (unsigned char)*c;
                continue;
            }
            for (int k = 0; k < DIGITS; k++, x = x >> 4 | x << 60)
                *p++ = (unsigned char)digits[x & 0xF];
        }
        const size_t left = end - out->n, made = (size_t)(p - (out->v + out->n));
        out->n += made < left ? made : left;
    }
}

/* Each function appends n bytes of filler. */
static void synth_filler_style(struct pd_synth_random *r, size_t n, struct pd_bytes *out)
{
    fill(styles, sizeof styles / sizeof *styles, r, n, out);
}

static void synth_filler_script(struct pd_synth_random *r, size_t n, struct pd_bytes *out)
{
    fill(scripts, sizeof scripts / sizeof *scripts, r, n, out);
}

static void synth_filler_data(struct pd_synth_random *r, size_t n, struct pd_bytes *out)
{
    fill(data, sizeof data / sizeof *data, r, n, out);
}

/* ---- pages ---- */

#define SITE_SHARE     0.7  /* share of the filler that all pages of a host have */
#define FILLER_LEAST   0.5  /* least filler as a multiple of the mean; the most is 1.5 */
#define ARTICLE_MARKUP 140. /* bytes around the sentences of an article */

/* The share of the pages that have each common sentence. */
static const double common_shares[PD_SYNTH_COMMONS] = {0.05, 0.01, 0.01, 0.01, 0.01, 0.01,
                                                       0.01, 0.01, 0.01, 0.01, 0.01};

/* Append markup that starts or ends a block, with the white space around it. */
static void block(struct pd_synth_page *page, const char *markup)
{
    pd_bytes_append(&page->html, markup, strlen(markup));
    page->block_ended = true;
}

/* Append markup within a block. */
static void inline_markup(struct pd_synth_page *page, const char *markup)
{
    pd_bytes_append(&page->html, markup, strlen(markup));
}

/* Append text to the HTML. Some characters become references: &, no-break space, (c), long dash. */
static void escape(struct pd_bytes *html, const unsigned char *s, size_t n)
{
    enum { REFERENCE_MOST = 8 }; /* bytes of the longest reference, or more */
    pd_bytes_reserve(html, html->n + REFERENCE_MOST * n);
    unsigned char *p = html->v + html->n;
    for (size_t i = 0; i < n; i++) {
        const char *reference = NULL;
        if (s[i] == '&') {
            reference = "&amp;";
        } else if (s[i] == 0xC2 && i + 1 < n && s[i + 1] == 0xA0) {
            reference = "&nbsp;";
            i++;
        } else if (s[i] == 0xC2 && i + 1 < n && s[i + 1] == 0xA9) {
            reference = "&copy;";
            i++;
        } else if (s[i] == 0xE2 && i + 2 < n && s[i + 1] == 0x80 && s[i + 2] == 0x94) {
            reference = "&mdash;";
            i += 2;
        }
        if (reference == NULL)
            *p++ = s[i];
        else
            while (*reference)
                *p++ = (unsigned char)*reference++;
    }
    html->n = (size_t)(p - html->v);
}

/*
 * Append visible text to HTML and text. It is not empty and does not end in white space; it begins
 * with white space only within a block. Returns where it stands in the text.
 */
static struct pd_synth_span put(struct pd_synth_page *page, const unsigned char *s, size_t n)
{
    if (page->block_ended && page->text.n > 0)
        pd_bytes_append(&page->text, "\n\n", 2);
    page->block_ended = false;
    const uint32_t begin = (uint32_t)page->text.n;
    pd_bytes_append(&page->text, s, n);
    escape(&page->html, s, n);
    return (struct pd_synth_span){begin, (uint32_t)page->text.n};
}

/* Append a space between two texts of a block; in the HTML it is a line end if `line` is set. */
static void space(struct pd_synth_page *page, bool line)
{
    if (!page->block_ended) {
        pd_bytes_append(&page->text, " ", 1);
        pd_bytes_append(&page->html, line ? "\n" : " ", 1);
    }
}

/* Append a random title of `words` words as visible text. */
static void put_title(const struct pd_synth_maker *m, struct pd_synth_page *page,
                      struct pd_synth_random *r, unsigned words)
{
    struct pd_bytes title = {0};
    pd_synth_title(&m->words, r, words, &title);
    put(page, title.v, title.n);
    pd_bytes_release(&title);
}

/* Append the sentence of a key as visible text. */
static struct pd_synth_span put_sentence(const struct pd_synth_maker *m, struct pd_synth_page *page,
                                         uint64_t key)
{
    struct pd_bytes s = {0};
    pd_synth_sentence_text(&m->words, key, &s);
    const struct pd_synth_span span = put(page, s.v, s.n);
    pd_bytes_release(&s);
    return span;
}

/* ---- what all pages of a host share ---- */

/* Random numbers of a host: for the head of its pages, for their foot, for the name in its URLs. */
enum site_part { SITE_HEAD, SITE_FOOT, SITE_NAME };

static uint64_t site_key(const struct pd_synth_maker *m, uint32_t host, enum site_part part)
{
    return pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_SITE, host, part);
}

static void put_links(const struct pd_synth_maker *m, struct pd_synth_page *page,
                      struct pd_synth_random *r, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        char open[64];
        snprintf(open, sizeof open, "\n    <li class=\"item\"><a href=\"/section/%08x.html\">",
                 (unsigned)pd_synth_next(r));
        block(page, open);
        put_title(m, page, r, 1 + pd_synth_below(r, 3));
        block(page, "</a></li>");
    }
}

/* Append what comes before the article: style, script, banner and menu. */
static void put_head(const struct pd_synth_maker *m, struct pd_synth_page *page,
                     struct pd_synth_random *r)
{
    block(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<title>Page</title>\n<style>\n");
    const double share = (FILLER_LEAST + pd_synth_unit(r)) * SITE_SHARE * m->filler;
    synth_filler_style(r, (size_t)(share / 2), &page->html);
    inline_markup(page, "</style>\n<script>\n");
    synth_filler_script(r, (size_t)(share / 2), &page->html);
    block(page, "</script>\n</head>\n<body>\n<div id=\"top\" class=\"banner\"><a href=\"/\"><b>");
    put_title(m, page, r, 2);
    inline_markup(page, "</b></a>");
    space(page, true);
    put_title(m, page, r, 3 + pd_synth_below(r, 4));
    block(page, "</div>\n<nav>\n  <ul>");
    put_links(m, page, r, 3 + pd_synth_below(r, 16));
    block(page, "\n  </ul>\n</nav>\n");
    page->head = (struct pd_synth_span){0, (uint32_t)page->text.n};
}

/* Append a common sentence, if this page has one. */
static void put_common(const struct pd_synth_maker *m, struct pd_synth_page *page, uint64_t slot)
{
    const uint64_t seed = (uint64_t)m->options.seed, n = m->plan.documents;
    double u = pd_synth_stratum(pd_synth_key(seed, PD_SYNTH_COMMON, 0, 0), n, slot);
    page->common = (struct pd_synth_span){0};
    page->which = 0;
    while (page->which < PD_SYNTH_COMMONS && u >= common_shares[page->which])
        u -= common_shares[page->which++];
    if (page->which == PD_SYNTH_COMMONS)
        return;
    block(page, "<p class=\"notice\">");
    page->common = put_sentence(m, page, pd_synth_key(seed, PD_SYNTH_COMMON, 1, page->which));
    block(page, "</p>\n");
}

/* Append what follows the article: links, the common sentence if the page has one, notices. */
static void put_foot(const struct pd_synth_maker *m, struct pd_synth_page *page, uint64_t slot)
{
    static const unsigned char copyright[] = "\xC2\xA9";
    struct pd_synth_random r = {site_key(m, page->host, SITE_FOOT)};
    const size_t before = page->text.n;
    block(page, "<aside><ul>");
    put_links(m, page, &r, pd_synth_below(&r, 6));
    block(page, "\n</ul></aside>\n");
    put_common(m, page, slot);
    block(page, "<footer>\n");
    for (unsigned k = 2 + pd_synth_below(&r, 4); k > 0; k--) {
        block(page, "  <p class=\"small\">");
        put_sentence(m, page, pd_synth_next(&r));
        block(page, "</p>\n");
    }
    block(page, "  <div class=\"legal\">");
    put(page, copyright, sizeof copyright - 1);
    space(page, false);
    put_title(m, page, &r, 4);
    block(page, "</div>\n</footer>\n</body>\n</html>\n");
    page->foot = (struct pd_synth_span){(uint32_t)before, (uint32_t)page->text.n};
}

/* ---- the page ---- */

/*
 * Append a sentence. Three of 16 have their first word in bold type, as a link, or emphasised.
 *   bits  random bits of the sentence; the lowest four decide on its first word
 */
static struct pd_synth_span put_main(struct pd_synth_page *page, const unsigned char *s, size_t n,
                                     uint64_t bits)
{
    static const char *const open[] = {"<b>", "<a href=\"/more.html\" class=\"x\">", "<em>"};
    static const char *const close[] = {"</b>", "</a>", "</em>"};
    const unsigned char *stop = memchr(s, ' ', n);
    const unsigned kind = bits & 0xF;
    if (kind >= 3 || stop == NULL)
        return put(page, s, n);
    const size_t first = (size_t)(stop - s);
    inline_markup(page, open[kind]);
    struct pd_synth_span span = put(page, s, first);
    inline_markup(page, close[kind]);
    span.end = put(page, stop, n - first).end;
    return span;
}

/* Append the title and the sentences of `c`, in paragraphs. */
static void put_article(const struct pd_synth_maker *m, struct pd_synth_page *page, uint64_t slot,
                        const struct pd_synth_content *c)
{
    enum { PARAGRAPH = 4 /* sentences of a paragraph: the mean */ };
    struct pd_synth_random r = {pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_PAGE, slot, 0)};
    block(page, "<main>\n<article>\n<h1>");
    put_title(m, page, &r, 3 + pd_synth_below(&r, 5));
    block(page, "</h1>\n<script type=\"application/json\">");
    const double share = (FILLER_LEAST + pd_synth_unit(&r)) * (1 - SITE_SHARE) * m->filler;
    synth_filler_data(&r, (size_t)share, &page->html);
    block(page, "</script>\n<p>");
    for (size_t i = 0; i < c->sentences.n; i++) {
        const struct pd_synth_sentence *s = &c->sentences.v[i];
        /* Random, but the same in every copy of the sentence: the high half decides whether a
         * paragraph begins, bit 16 whether a line, the lowest four bits on the first word. */
        const uint64_t bits = pd_mix(s->part[0].root);
        if (i > 0 && bits >> 32 < UINT32_MAX / PARAGRAPH)
            block(page, "</p>\n<p>");
        else
            space(page, bits >> 16 & 1);
        pd_synth_spans_push(&page->sentences,
                            put_main(page, c->bytes.v + s->begin, s->end - s->begin, bits));
    }
    block(page, "</p>\n</article>\n</main>\n");
}

void pd_synth_page(struct pd_synth_maker *m, uint64_t slot, const struct pd_synth_content *c,
                   struct pd_synth_page *page)
{
    const struct pd_synth_slots *slots = pd_synth_block(&m->plan, slot / PD_SYNTH_BLOCK);
    page->html.n = page->text.n = page->sentences.n = 0;
    page->host = slots->v[slot % PD_SYNTH_BLOCK].host;
    page->block_ended = true;
    struct pd_synth_random r = {site_key(m, page->host, SITE_HEAD)};
    put_head(m, page, &r);
    put_article(m, page, slot, c);
    put_foot(m, page, slot);
}

void pd_synth_page_release(struct pd_synth_page *page)
{
    PD_RELEASE(pd_bytes, &page->html, &page->text);
    pd_synth_spans_release(&page->sentences);
}

void pd_synth_url(const struct pd_synth_maker *m, uint64_t document, uint32_t host,
                  struct pd_bytes *out)
{
    char url[96];
    const uint64_t name = site_key(m, host, SITE_NAME);
    const int n = snprintf(url, sizeof url, "http://www.h%u-%04x.example/%llu.html", host,
                           (unsigned)(name & 0xFFFF), (unsigned long long)document);
    out->n = 0;
    pd_bytes_append(out, url, (size_t)n);
}

/* ---- how large pages are ---- */

/*
 * Bytes of head and foot without filler: the mean over pages.
 *   weight  set to the filler of a page as a multiple of m->filler: the mean over pages
 */
static double mean_template(struct pd_synth_maker *m, double *weight)
{
    enum { SAMPLE = 400 };
    struct pd_synth_page page = {0};
    double bytes = 0;
    *weight = 0;
    for (uint32_t k = 0; k < SAMPLE; k++) {
        page.html.n = page.text.n = 0;
        page.host = pd_synth_host_at(m->plan.hosts, (k + 0.5) / SAMPLE);
        struct pd_synth_random r = {site_key(m, page.host, SITE_HEAD)}, same = r;
        put_head(m, &page, &r);
        put_foot(m, &page, (uint64_t)k * m->plan.documents / SAMPLE);
        bytes += (double)page.html.n / SAMPLE;
        *weight += SITE_SHARE * (FILLER_LEAST + pd_synth_unit(&same)) / SAMPLE;
    }
    *weight += 1 - SITE_SHARE;
    pd_synth_page_release(&page);
    return bytes;
}

/* Bytes of the sentences of an article, with their markup: the mean over pages. */
static double mean_article(struct pd_synth_maker *m)
{
    enum { SENTENCES = 8000, PAGES = 20000 };
    struct pd_synth_page page = {0};
    struct pd_synth_content c = {0};
    pd_synth_content_original(m, m->plan.documents, SENTENCES, &c); /* the slot of no page */
    put_article(m, &page, 0, &c);
    double pages = 0;
    for (int k = 0; k < PAGES; k++)
        pages += (double)pd_synth_page_sentences((k + 0.5) / PAGES) / PAGES;
    const double bytes = (double)page.html.n / SENTENCES * pages;
    pd_synth_page_release(&page);
    pd_synth_content_release(&c);
    return bytes;
}

int pd_synth_open(struct pd_synth_maker *m, const struct pd_synth_options *o)
{
    double weight;
    m->options = *o;
    pd_synth_words_init(&m->words);
    if (o->learn)
        PD_TRY(pd_synth_words_learn(&m->words, o->learn));
    const int64_t fit = (o->bytes + o->page_bytes - 1) / o->page_bytes;
    pd_synth_plan_init(&m->plan, o, (uint64_t)(o->documents > 0 ? o->documents : fit));
    m->filler = 0;
    const double bare = mean_template(m, &weight) + mean_article(m) + ARTICLE_MARKUP;
    if ((double)o->page_bytes > bare)
        m->filler = ((double)o->page_bytes - bare) / weight;
    return PD_OK;
}

void pd_synth_close(struct pd_synth_maker *m)
{
    pd_synth_words_release(&m->words);
    pd_synth_plan_release(&m->plan);
}

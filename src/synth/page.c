/* synth/page.c - see include/pardup/synth/page.h */
#include "pardup/synth/page.h"

#include <stdio.h>

#include "filler.h"
#include "pardup/base/error.h"

#define SITE_SHARE     0.7  /* share of the filler that all pages of a host have */
#define FILLER_LEAST   0.5  /* least filler as a multiple of the mean; the most is 1.5 */
#define ARTICLE_MARKUP 140. /* bytes around the sentences of an article */

/* The share of the pages that have each common sentence. */
static const double common_shares[PD_SYNTH_COMMONS] = {0.05, 0.01, 0.01, 0.01, 0.01, 0.01,
                                                       0.01, 0.01, 0.01, 0.01, 0.01};

/* Append markup that starts or ends a block, with the white space around it. */
static void block(struct pd_synth_page *g, const char *markup)
{
    pd_bytes_append(&g->html, markup, strlen(markup));
    g->gap = 1;
}

/* Append markup within a block. */
static void inline_markup(struct pd_synth_page *g, const char *markup)
{
    pd_bytes_append(&g->html, markup, strlen(markup));
}

/* Append text to the HTML. Some characters become references: &, no-break space, (c), long dash. */
static void escape(struct pd_bytes *html, const unsigned char *s, size_t n)
{
    enum { REFERENCE_MOST = 8 }; /* bytes of the longest reference, or more */
    pd_bytes_reserve(html, html->n + REFERENCE_MOST * n);
    unsigned char *p = html->v + html->n;
    for (size_t i = 0; i < n; i++) {
        const char *as = NULL;
        if (s[i] == '&') {
            as = "&amp;";
        } else if (s[i] == 0xC2 && i + 1 < n && s[i + 1] == 0xA0) {
            as = "&nbsp;";
            i++;
        } else if (s[i] == 0xC2 && i + 1 < n && s[i + 1] == 0xA9) {
            as = "&copy;";
            i++;
        } else if (s[i] == 0xE2 && i + 2 < n && s[i + 1] == 0x80 && s[i + 2] == 0x94) {
            as = "&mdash;";
            i += 2;
        }
        if (as == NULL)
            *p++ = s[i];
        else
            while (*as)
                *p++ = (unsigned char)*as++;
    }
    html->n = (size_t)(p - html->v);
}

/*
 * Append visible text to HTML and text. It is not empty and has no white space at either end.
 * Returns where it stands in the text.
 */
static struct pd_synth_span put(struct pd_synth_page *g, const unsigned char *s, size_t n)
{
    if (g->gap && g->text.n > 0)
        pd_bytes_append(&g->text, "\n\n", 2);
    g->gap = 0;
    const uint32_t begin = (uint32_t)g->text.n;
    pd_bytes_append(&g->text, s, n);
    escape(&g->html, s, n);
    return (struct pd_synth_span){begin, (uint32_t)g->text.n};
}

/* Append a space between two texts of a block; in the HTML it is a line end if `line` is set. */
static void space(struct pd_synth_page *g, bool line)
{
    if (!g->gap) {
        pd_bytes_append(&g->text, " ", 1);
        pd_bytes_append(&g->html, line ? "\n" : " ", 1);
    }
}

static void put_title(const struct pd_synth_maker *m, struct pd_synth_page *g,
                      struct pd_synth_random *r, unsigned words)
{
    struct pd_bytes title = {0};
    pd_synth_title(&m->words, r, words, &title);
    put(g, title.v, title.n);
    pd_bytes_release(&title);
}

/* Append the sentence of a key as visible text. */
static struct pd_synth_span put_sentence(const struct pd_synth_maker *m, struct pd_synth_page *g,
                                         uint64_t key)
{
    struct pd_bytes s = {0};
    pd_synth_sentence_text(&m->words, key, &s);
    const struct pd_synth_span span = put(g, s.v, s.n);
    pd_bytes_release(&s);
    return span;
}

/* ---- what all pages of a host share ---- */

static struct pd_synth_random site_random(const struct pd_synth_maker *m, uint32_t host)
{
    return (struct pd_synth_random){
        pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_SITE, host, 0)};
}

static void put_links(const struct pd_synth_maker *m, struct pd_synth_page *g,
                      struct pd_synth_random *r, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        char open[64];
        snprintf(open, sizeof open, "\n    <li class=\"item\"><a href=\"/section/%08x.html\">",
                 (unsigned)pd_synth_next(r));
        block(g, open);
        put_title(m, g, r, 1 + pd_synth_below(r, 3));
        block(g, "</a></li>");
    }
}

static void put_head(const struct pd_synth_maker *m, struct pd_synth_page *g,
                     struct pd_synth_random *r)
{
    block(g, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>Page</title>\n<style>\n");
    const double share = (FILLER_LEAST + pd_synth_unit(r)) * SITE_SHARE * m->filler;
    pd_synth_filler_style(r, (size_t)(share / 2), &g->html);
    inline_markup(g, "</style>\n<script>\n");
    pd_synth_filler_script(r, (size_t)(share / 2), &g->html);
    block(g, "</script>\n</head>\n<body>\n<div id=\"top\" class=\"banner\"><a href=\"/\"><b>");
    put_title(m, g, r, 2);
    inline_markup(g, "</b></a>");
    space(g, true);
    put_title(m, g, r, 3 + pd_synth_below(r, 4));
    block(g, "</div>\n<nav>\n  <ul>");
    put_links(m, g, r, 3 + pd_synth_below(r, 16));
    block(g, "\n  </ul>\n</nav>\n");
    g->head = (struct pd_synth_span){0, (uint32_t)g->text.n};
}

/* Append a common sentence, if this page has one. */
static void put_common(const struct pd_synth_maker *m, struct pd_synth_page *g, uint64_t slot)
{
    const uint64_t seed = (uint64_t)m->options.seed, n = m->plan.documents;
    double u = pd_synth_stratum(pd_synth_key(seed, PD_SYNTH_COMMON, 0, 0), n, slot);
    g->common = (struct pd_synth_span){0};
    g->which = 0;
    while (g->which < PD_SYNTH_COMMONS && u >= common_shares[g->which])
        u -= common_shares[g->which++];
    if (g->which == PD_SYNTH_COMMONS)
        return;
    block(g, "<p class=\"notice\">");
    g->common = put_sentence(m, g, pd_synth_key(seed, PD_SYNTH_COMMON, 1, g->which));
    block(g, "</p>\n");
}

static void put_foot(const struct pd_synth_maker *m, struct pd_synth_page *g, uint64_t slot)
{
    static const unsigned char copyright[] = "\xC2\xA9";
    struct pd_synth_random r = {pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_SITE, g->host, 1)};
    const size_t before = g->text.n;
    block(g, "<aside><ul>");
    put_links(m, g, &r, pd_synth_below(&r, 6));
    block(g, "\n</ul></aside>\n");
    put_common(m, g, slot);
    block(g, "<footer>\n");
    for (unsigned k = 2 + pd_synth_below(&r, 4); k > 0; k--) {
        block(g, "  <p class=\"small\">");
        put_sentence(m, g, pd_synth_next(&r));
        block(g, "</p>\n");
    }
    block(g, "  <div class=\"legal\">");
    put(g, copyright, sizeof copyright - 1);
    space(g, false);
    put_title(m, g, &r, 4);
    block(g, "</div>\n</footer>\n</body>\n</html>\n");
    g->foot = (struct pd_synth_span){(uint32_t)before, (uint32_t)g->text.n};
}

/* ---- the page ---- */

/* Append a sentence. One in 5 or so has its first word in bold type, emphasised, or as a link. */
static struct pd_synth_span put_main(struct pd_synth_page *g, const unsigned char *s, size_t n,
                                     uint64_t look)
{
    static const char *const open[] = {"<b>", "<a href=\"/more.html\" class=\"x\">", "<em>"};
    static const char *const close[] = {"</b>", "</a>", "</em>"};
    const unsigned char *stop = memchr(s, ' ', n);
    const unsigned kind = look & 0xF;
    if (kind >= 3 || stop == NULL)
        return put(g, s, n);
    const size_t first = (size_t)(stop - s);
    inline_markup(g, open[kind]);
    struct pd_synth_span span = put(g, s, first);
    inline_markup(g, close[kind]);
    span.end = put(g, stop, n - first).end;
    return span;
}

static void put_article(const struct pd_synth_maker *m, struct pd_synth_page *g, uint64_t slot,
                        const struct pd_synth_content *c)
{
    enum { PARAGRAPH = 4 /* sentences of a paragraph: the mean */ };
    struct pd_synth_random r = {pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_PAGE, slot, 0)};
    block(g, "<main>\n<article>\n<h1>");
    put_title(m, g, &r, 3 + pd_synth_below(&r, 5));
    block(g, "</h1>\n<script type=\"application/json\">");
    const double share = (FILLER_LEAST + pd_synth_unit(&r)) * (1 - SITE_SHARE) * m->filler;
    pd_synth_filler_data(&r, (size_t)share, &g->html);
    block(g, "</script>\n<p>");
    for (size_t i = 0; i < c->sentences.n; i++) {
        const struct pd_synth_sentence *s = &c->sentences.v[i];
        const uint64_t look = pd_mix(s->part[0].root);
        if (i > 0 && look >> 32 < UINT32_MAX / PARAGRAPH)
            block(g, "</p>\n<p>");
        else
            space(g, look >> 16 & 1);
        pd_synth_spans_push(&g->sentences,
                            put_main(g, c->bytes.v + s->begin, s->end - s->begin, look));
    }
    block(g, "</p>\n</article>\n</main>\n");
}

void pd_synth_page(struct pd_synth_maker *m, uint64_t slot, const struct pd_synth_content *c,
                   struct pd_synth_page *g)
{
    const struct pd_synth_slots *b = pd_synth_block(&m->plan, slot / PD_SYNTH_BLOCK);
    g->html.n = g->text.n = g->sentences.n = 0;
    g->host = b->v[slot % PD_SYNTH_BLOCK].host;
    g->gap = 1;
    struct pd_synth_random r = site_random(m, g->host);
    put_head(m, g, &r);
    put_article(m, g, slot, c);
    put_foot(m, g, slot);
}

void pd_synth_page_release(struct pd_synth_page *g)
{
    pd_bytes_release(&g->html);
    pd_bytes_release(&g->text);
    pd_synth_spans_release(&g->sentences);
}

void pd_synth_url(const struct pd_synth_maker *m, uint64_t document, uint32_t host,
                  struct pd_bytes *out)
{
    char url[96];
    const uint64_t name = pd_synth_key((uint64_t)m->options.seed, PD_SYNTH_SITE, host, 2);
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
    struct pd_synth_page g = {0};
    double bytes = 0;
    *weight = 0;
    for (uint32_t k = 0; k < SAMPLE; k++) {
        g.html.n = g.text.n = 0;
        g.host = pd_synth_host_at(m->plan.hosts, (k + 0.5) / SAMPLE);
        struct pd_synth_random r = site_random(m, g.host), same = r;
        put_head(m, &g, &r);
        put_foot(m, &g, (uint64_t)k * m->plan.documents / SAMPLE);
        bytes += (double)g.html.n / SAMPLE;
        *weight += SITE_SHARE * (FILLER_LEAST + pd_synth_unit(&same)) / SAMPLE;
    }
    *weight += 1 - SITE_SHARE;
    pd_synth_page_release(&g);
    return bytes;
}

/* Bytes of the sentences of an article, with their markup: the mean over pages. */
static double mean_article(struct pd_synth_maker *m)
{
    enum { SENTENCES = 8000, PAGES = 20000 };
    struct pd_synth_page g = {0};
    struct pd_synth_content c = {0};
    pd_synth_content_original(m, m->plan.documents, SENTENCES, &c); /* the slot of no page */
    put_article(m, &g, 0, &c);
    double pages = 0;
    for (int k = 0; k < PAGES; k++)
        pages += (double)pd_synth_page_sentences((k + 0.5) / PAGES) / PAGES;
    const double bytes = (double)g.html.n / SENTENCES * pages;
    pd_synth_page_release(&g);
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

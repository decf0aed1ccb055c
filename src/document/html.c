/* html.c - see include/pardup/document/html.h */
#include "pardup/document/html.h"

#include "find.h"
#include "html_flow.h"
#include "html_raw.h"
#include "html_run.h"
#include "html_tag.h"

struct page {
    const unsigned char *end;
    const struct pd_element_slot *elements;
    struct pd_flow flow;
    uint32_t templates; /* open <template>s */
    uint32_t foreign;   /* open <svg>s and <math>s */
    bool desc;          /* inside an svg's <desc> */

    struct pd_html_links *links; /* NULL: not wanted */
    bool link;                   /* inside an <a> */
    uint32_t furniture;          /* open elements of it */
    size_t link_begin;           /* where in the output the first of either began */
    size_t link_end;             /* and where the last one ended */
};

static bool is_letter(unsigned char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static bool hidden(const struct page *g) { return g->templates > 0 || g->desc; }

/* All of [s, end), which holds no tags. */
static void text(struct page *g, const unsigned char *s, const unsigned char *end, bool references)
{
    if (!hidden(g))
        pd_flow_text(&g->flow, s, end, references ? PD_FLOW_REFERENCES : 0);
}

/* Up to the next '<', or the end. */
static inline const unsigned char *data(struct page *g, const unsigned char *s)
{
    if (hidden(g))
        return pd_find(s, g->end, '<');
    if (g->flow.pre == 0)
        s = pd_flow_space(&g->flow, s, g->end);
    if (s == g->end || *s == '<')
        return s;
    return pd_flow_text(&g->flow, s, g->end, PD_FLOW_REFERENCES | PD_FLOW_TAGS);
}

/* The byte after the next '>', or the end. */
static const unsigned char *after_gt(const struct page *g, const unsigned char *s)
{
    const unsigned char *gt = memchr(s, '>', (size_t)(g->end - s));
    return gt ? gt + 1 : g->end;
}

/* After "<!--": ends with --> or --!>, and the opening dashes may be part of it. */
static const unsigned char *skip_comment(const struct page *g, const unsigned char *s)
{
    const unsigned char *start = s;
    for (const unsigned char *gt; (gt = memchr(s, '>', (size_t)(g->end - s))) != NULL; s = gt + 1) {
        const size_t n = (size_t)(gt - start);
        if (n == 0 || (n == 1 && gt[-1] == '-') || (n >= 2 && memcmp(gt - 2, "--", 2) == 0) ||
            (n >= 3 && memcmp(gt - 3, "--!", 3) == 0))
            return gt + 1;
    }
    return g->end;
}

static const unsigned char *cdata(struct page *g, const unsigned char *s)
{
    const unsigned char *close = memmem(s, (size_t)(g->end - s), "]]>", 3);
    text(g, s, close ? close : g->end, false);
    return close ? close + 3 : g->end;
}

/* After "<!". A doctype ends at its first '>' even inside quotes. */
static const unsigned char *declaration(struct page *g, const unsigned char *s)
{
    static const char mark[] = "[CDATA[";
    const size_t left = (size_t)(g->end - s), n = sizeof mark - 1;
    if (left >= 2 && memcmp(s, "--", 2) == 0)
        return skip_comment(g, s + 2);
    if (g->foreign > 0 && left >= n && memcmp(s, mark, n) == 0)
        return cdata(g, s + n);
    return after_gt(g, s);
}

/* A line end right after <pre> and the like belongs to the markup. */
static const unsigned char *skip_line_end(const struct page *g, const unsigned char *s)
{
    if (s < g->end && *s == '\r')
        return s + 1 < g->end && s[1] == '\n' ? s + 2 : s + 1;
    return s < g->end && *s == '\n' ? s + 1 : s;
}

/* The content of an element without tags inside, and its end tag. */
static const unsigned char *raw(struct page *g, const struct pd_element *e, const unsigned char *s)
{
    const unsigned char *end = e->what & PD_EL_ENDLESS  ? g->end
                               : e->what & PD_EL_SCRIPT ? pd_html_script_end(s, g->end)
                                                        : pd_html_raw_end(s, g->end, e->name);
    if (!(e->what & PD_EL_DROP)) {
        g->flow.pre++;
        text(g, s, end, e->what & PD_EL_REFERENCES);
        g->flow.pre--;
        if (!hidden(g))
            pd_flow_block(&g->flow);
    }
    if (end == g->end)
        return end;
    s = pd_tag_end(end + 2 + strlen(e->name), g->end);
    return s ? s : g->end;
}

/* A tag's effect on the layout, start and end tags alike. */
static void lay_out(struct page *g, const struct pd_element *e)
{
    if (hidden(g))
        return;
    if (e->what & PD_EL_BLOCK)
        pd_flow_block(&g->flow);
    else if (e->what & PD_EL_LINE)
        pd_flow_line(&g->flow);
}

static const unsigned char *open_element(struct page *g, const struct pd_element *e,
                                         bool self_closing, const unsigned char *s)
{
    if (e->what & PD_EL_BLOCK) { /* HTML inside svg and math ends them */
        g->foreign = 0;
        g->desc = false;
    }
    const bool empty = self_closing && g->foreign > 0;
    lay_out(g, e);
    if (e->what & PD_EL_FOREIGN && !self_closing)
        g->foreign++;
    else if (e->what & PD_EL_DESC && g->foreign > 0 && !self_closing)
        g->desc = true;
    else if (e->what & PD_EL_TEMPLATE)
        g->templates++;
    if (e->what & PD_EL_PRE)
        s = skip_line_end(g, s);
    if (e->what & PD_EL_RAW)
        return empty ? s : raw(g, e, s);
    if (e->what & PD_EL_PRE && !hidden(g))
        g->flow.pre++;
    return s;
}

static void close_element(struct page *g, const struct pd_element *e)
{
    if (e->what & PD_EL_FOREIGN && g->foreign > 0)
        g->foreign--;
    if (e->what & PD_EL_DESC || g->foreign == 0)
        g->desc = false;
    if (e->what & PD_EL_TEMPLATE && g->templates > 0)
        g->templates--;
    const bool pre = (e->what & (PD_EL_PRE | PD_EL_RAW)) == PD_EL_PRE;
    if (pre && g->flow.pre > 0 && !hidden(g))
        g->flow.pre--;
    lay_out(g, e);
}

static bool is_linked(const struct page *g) { return g->link || g->furniture > 0; }

/* Text behind the output so far is a link's or furniture's, or no longer. */
static void move_link(struct page *g, bool begins)
{
    enum { FAR = 64 }; /* bytes of white space: more than real text has */
    const struct pd_bytes *out = g->flow.out;
    size_t here = out->n; /* without white space, which the end of <pre> may take back */
    while (here > g->link_end && out->n - here < FAR && pd_html_space(out->v[here - 1]))
        here--;
    if (begins) {
        g->link_begin = here > g->link_end ? here : g->link_end;
    } else if (here > g->link_begin) {
        pd_html_links_push(g->links, (struct pd_html_link){g->link_begin, here});
        g->link_end = here;
    }
}

static bool is_a(const struct pd_tag_name *name)
{
    const struct pd_tag_name a = pd_element_name("a");
    return name->head == a.head && name->tail == a.tail;
}

/* Not inlined: tags are many, and most callers do not ask. */
__attribute__((noinline)) static void note_link(struct page *g, const struct pd_tag_name *name,
                                                const struct pd_element *e, bool closing)
{
    const bool was = is_linked(g);
    if (is_a(name))
        g->link = !closing;
    else if (e->what & PD_EL_FURNITURE && !closing)
        g->furniture++;
    else if (e->what & PD_EL_FURNITURE && g->furniture > 0)
        g->furniture--;
    if (was != is_linked(g))
        move_link(g, !was);
}

/* A tag that ends before s and may do anything. Not inlined: most part blocks, or do nothing. */
__attribute__((noinline)) static const unsigned char *
any_tag(struct page *g, const struct pd_tag_name *name, const struct pd_element *e, bool closing,
        const unsigned char *attributes, const unsigned char *s)
{
    if (g->links && !hidden(g))
        note_link(g, name, e, closing);
    if (e->what == 0)
        return s;
    if (closing) {
        close_element(g, e);
        return s;
    }
    bool self_closing = false;
    if (e->what & (PD_EL_FOREIGN | PD_EL_DESC) || g->foreign > 0) /* else it means nothing */
        pd_tag_end_slow(attributes, g->end, &self_closing);
    return open_element(g, e, self_closing, s);
}

/*
 * A start or end tag, from its name on. What most tags are cannot be predicted, so there is no branch
 * between those that part blocks and those that do nothing.
 */
static inline const unsigned char *tag(struct page *g, const unsigned char *s, bool closing)
{
    struct pd_tag_name name;
    const unsigned char *attributes = pd_tag_name(s, g->end, &name);
    s = pd_tag_end(attributes, g->end);
    if (s == NULL) /* the page ends inside: the tag never was */
        return g->end;
    const unsigned what = pd_element_what(g->elements, &name);
    if ((what & ~(PD_EL_BLOCK | PD_EL_FURNITURE)) | g->templates | g->foreign || g->links)
        return any_tag(g, &name, pd_element_find(g->elements, &name), closing, attributes, s);
    g->flow.gap |= (what & PD_EL_BLOCK) * PD_GAP_BLOCK;
    return s;
}

/* At a '<'; returns where text goes on. */
static inline const unsigned char *markup(struct page *g, const unsigned char *lt)
{
    const unsigned char *s = lt + 1;
    const size_t left = (size_t)(g->end - s);
    const bool closing = left > 1 && *s == '/';
    if (left > 0 && is_letter(s[closing]))
        return tag(g, s + closing, closing);
    if (closing)
        return after_gt(g, s + 1);
    if (left > 0 && *s == '!')
        return declaration(g, s + 1);
    if (left > 0 && *s == '?')
        return after_gt(g, s);
    text(g, lt, s, false);
    return s;
}

#ifdef __SSE2__

/* Nothing is open that gives text or tags another meaning, and text can be appended as it is. */
static bool is_plain(const struct page *g)
{
    if (g->templates > 0 || g->foreign > 0 || g->links || g->flow.out->n == g->flow.start)
        return false;
    return g->flow.pre > 0 || !pd_flow_ends_in_space(&g->flow);
}

static struct pd_pen take_pen(struct page *g, const unsigned char *s)
{
    struct pd_bytes *out = g->flow.out;
    pd_bytes_reserve(out, out->n + (size_t)(g->end - s) + PD_RUN_ROOM);
    return (struct pd_pen){out->v + out->n, g->flow.gap};
}

static void put_back(struct page *g, struct pd_pen pen)
{
    g->flow.out->n = (size_t)(pen.out - g->flow.out->v);
    g->flow.gap = pen.gap;
}

/*
 * From text at s on, while it is plain and not near the end; returns where the text goes on. The same as
 * data() and markup() in turns, for what is common.
 */
static const unsigned char *plain(struct page *g, const unsigned char *s)
{
    enum { BEYOND = PD_RUN_BEYOND + PD_TAG_BEYOND }; /* bytes that may be read */
    struct pd_pen pen = take_pen(g, s);
    bool keep = g->flow.pre > 0;
    while (g->end - s >= BEYOND) {
        if (*s != '<') {
            unsigned n;
            const bool more = pd_run_length(s, &n);
            if (keep ? pd_run_keep(&pen, s, n) : pd_run_fold(&pen, s, n)) {
                s += n;
                if (more)
                    continue;
            } else {
                put_back(g, pen);
                s = pd_flow_text(&g->flow, s, g->end, PD_FLOW_REFERENCES | PD_FLOW_TAGS);
                pen = take_pen(g, s);
                if (g->end - s < BEYOND)
                    break;
            }
        }
        struct pd_tag_name name;
        const unsigned char *attributes = pd_tag_read(s, &name);
        const unsigned what = attributes ? pd_element_what(g->elements, &name) : ~0u;
        if (!(what & ~(PD_EL_BLOCK | PD_EL_FURNITURE))) {
            s = pd_tag_end(attributes, g->end);
            if (s == NULL) {
                s = g->end;
                break;
            }
            pen.gap |= (what & PD_EL_BLOCK) * PD_GAP_BLOCK;
            continue;
        }
        put_back(g, pen);
        s = markup(g, s);
        if (!is_plain(g))
            return s;
        pen = take_pen(g, s);
        keep = g->flow.pre > 0;
    }
    put_back(g, pen);
    return s;
}

#endif

void pd_html_text_linked(const unsigned char *html, size_t n, struct pd_bytes *out,
                         struct pd_html_links *links)
{
    struct page g = {.end = html + n, .elements = pd_element_slots(), .links = links};
    if (links)
        links->n = 0;
    pd_flow_begin(&g.flow, out);
    for (const unsigned char *s = html; s < g.end;) {
#ifdef __SSE2__
        if (is_plain(&g))
            s = plain(&g, s);
#endif
        if (s < g.end && *s != '<')
            s = data(&g, s);
        if (s < g.end)
            s = markup(&g, s);
    }
    pd_flow_end(&g.flow);
    if (links && is_linked(&g))
        move_link(&g, false);
}

void pd_html_text(const unsigned char *html, size_t n, struct pd_bytes *out)
{
    pd_html_text_linked(html, n, out, NULL);
}

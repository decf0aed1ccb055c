/* html.c - see include/pardup/document/html.h */
#include "pardup/document/html.h"

#include "find.h"
#include "html_flow.h"
#include "html_raw.h"
#include "html_run.h"
#include "html_tag.h"

/* The page that is being read, and what is open at the current position. */
struct page {
    const unsigned char *end;               /* end of the page */
    const struct pd_element_slot *elements; /* table of elements */
    struct pd_flow flow;                    /* the output */
    uint32_t templates;                     /* open <template>s */
    uint32_t foreign;                       /* open <svg>s and <math>s */
    bool desc;                              /* inside <desc> in an svg */

    struct pd_html_links *links; /* linked ranges of the output; NULL: not wanted */
    bool link;                   /* inside an <a> */
    uint32_t furniture;          /* open elements with PD_EL_FURNITURE */
    size_t link_begin;           /* output offset at which the current linked range begins */
    size_t link_end;             /* output offset at which the last linked range ended */
};

static bool is_letter(unsigned char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/* Whether text at the current position is dropped. */
static bool hidden(const struct page *g) { return g->templates > 0 || g->desc; }

/* Write the text [s, end), which holds no tags. `references`: decode character references. */
static void text(struct page *g, const unsigned char *s, const unsigned char *end, bool references)
{
    if (!hidden(g))
        pd_flow_text(&g->flow, s, end, references ? PD_FLOW_REFERENCES : 0);
}

/* Write the text from s to the next '<' or the end of the page. Returns where it stops. */
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

/* The position behind the next '>'; the end of the page when there is none. */
static const unsigned char *after_gt(const struct page *g, const unsigned char *s)
{
    const unsigned char *gt = memchr(s, '>', (size_t)(g->end - s));
    return gt ? gt + 1 : g->end;
}

/*
 * The position behind a comment; s is behind its "<!--". A comment ends with "-->" or "--!>", to
 * which the opening dashes may belong.
 */
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

/* Write a CDATA section; s is behind its "<![CDATA[". Returns the position behind it. */
static const unsigned char *cdata(struct page *g, const unsigned char *s)
{
    const unsigned char *close = memmem(s, (size_t)(g->end - s), "]]>", 3);
    text(g, s, close ? close : g->end, false);
    return close ? close + 3 : g->end;
}

/*
 * Read a comment, CDATA section or doctype; s is behind its "<!". Returns the position behind it. A
 * doctype ends at its first '>', even inside quotes.
 */
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

/*
 * The position behind a line end at s; s when there is none. A line end directly behind <pre> and
 * the like belongs to the markup.
 */
static const unsigned char *skip_line_end(const struct page *g, const unsigned char *s)
{
    if (s < g->end && *s == '\r')
        return s + 1 < g->end && s[1] == '\n' ? s + 2 : s + 1;
    return s < g->end && *s == '\n' ? s + 1 : s;
}

/* Read the content of a PD_EL_RAW element, and its end tag. Returns the position behind both. */
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

/* Apply the effect of a start or end tag of e on the layout. */
static void lay_out(struct page *g, const struct pd_element *e)
{
    if (hidden(g))
        return;
    if (e->what & PD_EL_BLOCK)
        pd_flow_block(&g->flow);
    else if (e->what & PD_EL_LINE)
        pd_flow_line(&g->flow);
}

/*
 * Read a start tag of e that ends before s, and the content when it is PD_EL_RAW. Returns where
 * reading goes on.
 */
static const unsigned char *open_element(struct page *g, const struct pd_element *e,
                                         bool self_closing, const unsigned char *s)
{
    if (e->what & PD_EL_BLOCK) { /* a block of HTML ends svg and math */
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

/* Whether text at the current position counts as linked. */
static bool is_linked(const struct page *g) { return g->link || g->furniture > 0; }

/* Begin a linked range at the end of the output (`begins`), or end the current one there. */
static void move_link(struct page *g, bool begins)
{
    enum { FAR = 64 }; /* bytes of white space, more than real text has */
    const struct pd_bytes *out = g->flow.out;
    size_t here = out->n; /* before the white space that the end of <pre> may take back */
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

/*
 * Record that a tag begins or ends a linked range. Not inlined, because most callers do not want
 * links, and tag() is short without this function.
 */
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

/*
 * Read a start or end tag of any element e. `attributes` is behind its name, s behind its '>'.
 * Returns where reading goes on. Not inlined, because most tags only separate blocks or do nothing,
 * and tag() itself handles them.
 */
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
    if (e->what & (PD_EL_FOREIGN | PD_EL_DESC) || g->foreign > 0) /* elsewhere it has no effect */
        pd_tag_end_slow(attributes, g->end, &self_closing);
    return open_element(g, e, self_closing, s);
}

/*
 * Read the start or end tag whose name begins at s. Returns where reading goes on. Most tags
 * separate blocks or do nothing. A processor cannot predict which, so no branch tells them apart.
 */
static inline const unsigned char *tag(struct page *g, const unsigned char *s, bool closing)
{
    struct pd_tag_name name;
    const unsigned char *attributes = pd_tag_name(s, g->end, &name);
    s = pd_tag_end(attributes, g->end);
    if (s == NULL) /* the page ends inside the tag, which is then ignored */
        return g->end;
    const unsigned what = pd_element_what(g->elements, &name);
    if ((what & ~(PD_EL_BLOCK | PD_EL_FURNITURE)) | g->templates | g->foreign || g->links)
        return any_tag(g, &name, pd_element_find(g->elements, &name), closing, attributes, s);
    g->flow.gap |= (what & PD_EL_BLOCK) * PD_GAP_BLOCK;
    return s;
}

/* Read the markup that the '<' at lt begins. Returns where reading goes on. */
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

/*
 * Whether plain() may read on: no open element gives text or tags another meaning, no links are
 * wanted, and text can be appended to the output as it is.
 */
static bool is_plain(const struct page *g)
{
    if (g->templates > 0 || g->foreign > 0 || g->links || g->flow.out->n == g->flow.start)
        return false;
    return g->flow.pre > 0 || !pd_flow_ends_in_space(&g->flow);
}

/* Reserve room for the text from s to the end of the page, and return a pen to write it with. */
static struct pd_pen take_pen(struct page *g, const unsigned char *s)
{
    struct pd_bytes *out = g->flow.out;
    pd_bytes_reserve(out, out->n + (size_t)(g->end - s) + PD_RUN_ROOM);
    return (struct pd_pen){out->v + out->n, g->flow.gap};
}

/* Add to the output what the pen has written. */
static void put_back(struct page *g, struct pd_pen pen)
{
    g->flow.out->n = (size_t)(pen.out - g->flow.out->v);
    g->flow.gap = pen.gap;
}

/*
 * Read text and tags from s on, while the page is plain (is_plain()) and its end is not near.
 * Returns where reading goes on. The output is the same as with data() and markup() in turn; this
 * function is the faster way for common pages.
 */
static const unsigned char *plain(struct page *g, const unsigned char *s)
{
    enum { BEYOND = PD_RUN_BEYOND + PD_TAG_BEYOND }; /* bytes from s on that may be read */
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

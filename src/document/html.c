/* html.c - see include/pardup/document/html.h */
#include "pardup/document/html.h"

#include "find.h"
#include "html_raw.h"
#include "html_rendered.h"
#include "html_run.h"
#include "html_tag.h"

/* The page that is being read, and what is open at the current position. */
struct page {
    const unsigned char *end;               /* end of the page */
    const struct pd_element_slot *elements; /* table of elements */
    struct pd_rendered text;                /* the output */
    uint32_t templates;                     /* open <template>s */
    uint32_t foreign;                       /* open <svg>s and <math>s */
    bool desc;                              /* inside <desc> in an svg */
    bool reading;                           /* inside <rt> or <rp> of a <ruby> */
    bool unscripted;                        /* <noscript> is read as by a browser without scripts */
    size_t alternative;                     /* bytes in the <noscript>s that were dropped */
    bool xml;                               /* the page is XHTML: "<title/>" is a whole element */
    bool cdata_open;                        /* XHTML: no "]]>" follows any more */

    const unsigned char *begin;      /* of the page */
    struct pd_html_outline *outline; /* NULL: not wanted */
    bool link;                       /* inside an <a> */
    uint32_t furniture;              /* open elements with PD_EL_FURNITURE */
    size_t link_begin;               /* output offset at which the current linked range begins */
    size_t link_end;                 /* output offset at which the last linked range ended */
};

static bool is_letter(unsigned char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/* Whether text at the current position is dropped. */
static bool is_hidden(const struct page *page)
{
    return page->templates > 0 || page->desc || page->reading;
}

/* Write the text [s, end), which holds no tags. `references`: decode character references. */
static void write_text(struct page *page, const unsigned char *s, const unsigned char *end,
                       bool references)
{
    if (!is_hidden(page))
        pd_rendered_text(&page->text, s, end, references ? PD_RENDERED_REFERENCES : 0);
}

/* Write the text from s to the next '<' or the end of the page. Returns where it stops. */
static inline const unsigned char *read_text(struct page *page, const unsigned char *s)
{
    if (is_hidden(page))
        return pd_find(s, page->end, '<');
    if (page->text.pre == 0)
        s = pd_rendered_space(&page->text, s, page->end);
    if (s == page->end || *s == '<')
        return s;
    return pd_rendered_text(&page->text, s, page->end, PD_RENDERED_REFERENCES | PD_RENDERED_TAGS);
}

/* The position behind the next '>'; the end of the page when there is none. */
static const unsigned char *after_gt(const struct page *page, const unsigned char *s)
{
    const unsigned char *gt = memchr(s, '>', (size_t)(page->end - s));
    return gt ? gt + 1 : page->end;
}

/*
 * The position behind a comment; s is behind its "<!--". A comment ends with "-->" or "--!>", to
 * which the opening dashes may belong.
 */
static const unsigned char *skip_comment(const struct page *page, const unsigned char *s)
{
    const unsigned char *start = s;
    for (const unsigned char *gt; (gt = memchr(s, '>', (size_t)(page->end - s))) != NULL;
         s = gt + 1) {
        const size_t n = (size_t)(gt - start);
        if (n == 0 || (n == 1 && gt[-1] == '-') || (n >= 2 && memcmp(gt - 2, "--", 2) == 0) ||
            (n >= 3 && memcmp(gt - 3, "--!", 3) == 0))
            return gt + 1;
    }
    return page->end;
}

/*
 * Write a CDATA section; s is behind its "<![CDATA[". Returns the position behind it. In XHTML,
 * outside of svg and math, a section without an end is a comment that ends at the first '>'.
 */
static const unsigned char *read_cdata(struct page *page, const unsigned char *s)
{
    const unsigned char *close =
        page->cdata_open ? NULL : memmem(s, (size_t)(page->end - s), "]]>", 3);
    page->cdata_open |= page->xml && close == NULL;
    if (close == NULL && page->xml && page->foreign == 0)
        return after_gt(page, s);
    write_text(page, s, close ? close : page->end, false);
    return close ? close + 3 : page->end;
}

/*
 * Read a comment, CDATA section or doctype; s is behind its "<!". Returns the position behind it. A
 * doctype ends at its first '>', even inside quotes.
 */
static const unsigned char *read_declaration(struct page *page, const unsigned char *s)
{
    static const char mark[] = "[CDATA[";
    const size_t left = (size_t)(page->end - s), n = sizeof mark - 1;
    if (left >= 2 && memcmp(s, "--", 2) == 0)
        return skip_comment(page, s + 2);
    if ((page->foreign > 0 || page->xml) && left >= n && memcmp(s, mark, n) == 0)
        return read_cdata(page, s + n);
    return after_gt(page, s);
}

/*
 * The position behind a line end at s; s when there is none. A line end directly behind <pre> and
 * the like belongs to the markup.
 */
static const unsigned char *skip_line_end(const struct page *page, const unsigned char *s)
{
    if (s < page->end && *s == '\r')
        return s + 1 < page->end && s[1] == '\n' ? s + 2 : s + 1;
    return s < page->end && *s == '\n' ? s + 1 : s;
}

/* Read the content of a PD_EL_RAW element, and its end tag. Returns the position behind both. */
static const unsigned char *read_raw(struct page *page, const struct pd_element *e,
                                     const unsigned char *s)
{
    const unsigned char *end = e->flags & PD_EL_ENDLESS  ? page->end
                               : e->flags & PD_EL_SCRIPT ? pd_html_script_end(s, page->end)
                                                         : pd_html_raw_end(s, page->end, e->name);
    if (e->flags & PD_EL_NOSCRIPT)
        page->alternative += (size_t)(end - s);
    if (!(e->flags & PD_EL_DROP)) {
        page->text.pre++;
        write_text(page, s, end, e->flags & PD_EL_REFERENCES);
        page->text.pre--;
        if (!is_hidden(page))
            pd_rendered_block(&page->text);
    }
    if (end == page->end)
        return end;
    s = pd_tag_end(end + 2 + strlen(e->name), page->end);
    return s ? s : page->end;
}

/* Apply the effect of a start or end tag of e on the layout. */
static void lay_out(struct page *page, const struct pd_element *e)
{
    if (is_hidden(page))
        return;
    if (e->flags & PD_EL_BLOCK)
        pd_rendered_block(&page->text);
    else if (e->flags & PD_EL_LINE)
        pd_rendered_line(&page->text);
}

/*
 * Read a start tag of e that ends before s, and the content when it is PD_EL_RAW. Returns where
 * reading goes on.
 */
static const unsigned char *open_element(struct page *page, const struct pd_element *e,
                                         bool self_closing, const unsigned char *s)
{
    if (e->flags & PD_EL_BLOCK) { /* a block of HTML ends svg and math */
        page->foreign = 0;
        page->desc = false;
    }
    const bool empty = self_closing && page->foreign > 0;
    lay_out(page, e);
    if (e->flags & PD_EL_FOREIGN && !self_closing)
        page->foreign++;
    else if (e->flags & PD_EL_DESC && page->foreign > 0 && !self_closing)
        page->desc = true;
    else if (e->flags & PD_EL_TEMPLATE)
        page->templates++;
    if (e->flags & PD_EL_PRE)
        s = skip_line_end(page, s);
    if (e->flags & PD_EL_RAW && !(e->flags & PD_EL_NOSCRIPT && page->unscripted))
        return empty ? s : read_raw(page, e, s);
    if (e->flags & PD_EL_PRE && !is_hidden(page))
        page->text.pre++;
    return s;
}

static void close_element(struct page *page, const struct pd_element *e)
{
    if (e->flags & PD_EL_FOREIGN && page->foreign > 0)
        page->foreign--;
    if (e->flags & PD_EL_DESC || page->foreign == 0)
        page->desc = false;
    if (e->flags & PD_EL_TEMPLATE && page->templates > 0)
        page->templates--;
    const bool pre = (e->flags & (PD_EL_PRE | PD_EL_RAW)) == PD_EL_PRE;
    if (pre && page->text.pre > 0 && !is_hidden(page))
        page->text.pre--;
    lay_out(page, e);
}

/* Whether text at the current position counts as linked. */
static bool is_linked(const struct page *page) { return page->link || page->furniture > 0; }

/* Begin a linked range at the end of the output (`begins`), or end the current one there. */
static void move_link(struct page *page, bool begins)
{
    enum { FAR = 64 }; /* bytes of white space, more than real text has */
    const struct pd_bytes *out = page->text.out;
    size_t text_end = out->n; /* before the white space that the end of <pre> may take back */
    while (text_end > page->link_end && out->n - text_end < FAR &&
           pd_html_space(out->v[text_end - 1]))
        text_end--;
    if (begins) {
        page->link_begin = text_end > page->link_end ? text_end : page->link_end;
    } else if (text_end > page->link_begin) {
        pd_html_links_push(&page->outline->links,
                           (struct pd_html_link){page->link_begin, text_end});
        page->link_end = text_end;
    }
}

/* Record a tag whose attributes are [attributes, s). */
static void note_tag(struct page *page, const struct pd_element *e, bool closing, bool empty,
                     const unsigned char *attributes, const unsigned char *s)
{
    const struct pd_html_tag tag = {.at = page->text.out->n - page->text.start,
                                    .attributes = (uint32_t)(attributes - page->begin),
                                    .attributes_n = (uint32_t)(s - attributes),
                                    .tag = e->tag,
                                    .closing = closing,
                                    .empty = empty || e->tag >= PD_TAG_IMAGE ||
                                             (e->flags & PD_EL_RAW) != 0};
    pd_html_tags_push(&page->outline->tags, tag);
}

static bool is_a(const struct pd_element *e) { return e->name[0] == 'a' && e->name[1] == '\0'; }

/* Record that a tag of e begins or ends a linked range. */
static void note_link(struct page *page, const struct pd_element *e, bool closing)
{
    const bool was = is_linked(page);
    if (is_a(e))
        page->link = !closing;
    else if (e->flags & PD_EL_FURNITURE && !closing)
        page->furniture++;
    else if (e->flags & PD_EL_FURNITURE && page->furniture > 0)
        page->furniture--;
    if (was != is_linked(page))
        move_link(page, !was);
}

/*
 * Record in the outline a tag of e, which has PD_EL_NOTED. Returns true when it is a whole element
 * of XHTML. Not inlined, because most callers do not want an outline.
 */
__attribute__((noinline)) static bool note(struct page *page, const struct pd_element *e,
                                           bool closing, const unsigned char *attributes,
                                           const unsigned char *s)
{
    bool self_closing = false;
    if (page->xml && !closing && s[-2] == '/')
        pd_tag_end_slow(attributes, page->end, &self_closing);
    if (e->tag != PD_TAG_NONE && page->outline->tags.n < PD_HTML_TAGS)
        note_tag(page, e, closing, self_closing, attributes, s);
    if (!self_closing)
        note_link(page, e, closing);
    return self_closing;
}

/*
 * Read a start or end tag of any element e. `attributes` is behind its name, s behind its '>'.
 * Returns where reading goes on. Not inlined, because most tags only separate blocks or do nothing,
 * and read_tag() itself handles them.
 */
__attribute__((noinline)) static const unsigned char *
read_any_tag(struct page *page, const struct pd_element *e, bool closing,
             const unsigned char *attributes, const unsigned char *s)
{
    bool self_closing = false;
    if (e->flags & (PD_EL_READING | PD_EL_RUBY | PD_EL_BLOCK))
        page->reading = e->flags & PD_EL_READING && !closing;
    if (page->outline && e->flags & PD_EL_NOTED && !is_hidden(page))
        self_closing = note(page, e, closing, attributes, s);
    else if (page->xml && !closing && s[-2] == '/')
        pd_tag_end_slow(attributes, page->end, &self_closing);
    if (self_closing) { /* in XHTML the element is empty, and ends here */
        page->reading = false;
        lay_out(page, e);
        return s;
    }
    if ((e->flags & ~PD_EL_NOTED) == 0)
        return s;
    if (closing) {
        close_element(page, e);
        return s;
    }
    if (e->flags & (PD_EL_FOREIGN | PD_EL_DESC) ||
        page->foreign > 0) /* elsewhere it has no effect */
        pd_tag_end_slow(attributes, page->end, &self_closing);
    return open_element(page, e, self_closing, s);
}

/* What an element may do that only separates blocks or does nothing. */
enum { PLAIN = PD_EL_BLOCK | PD_EL_FURNITURE | PD_EL_NOTED };

/*
 * Read the start or end tag whose name begins at s. Returns where reading goes on. Most tags
 * separate blocks or do nothing. A processor cannot predict which, so no branch tells them apart.
 */
static inline const unsigned char *read_tag(struct page *page, const unsigned char *s, bool closing)
{
    struct pd_tag_name name;
    const unsigned char *attributes = pd_tag_name(s, page->end, &name);
    s = pd_tag_end(attributes, page->end);
    if (s == NULL) /* the page ends inside the tag, which is then ignored */
        return page->end;
    const unsigned flags = pd_element_flags(page->elements, &name);
    if ((flags & ~PLAIN) | page->templates | page->foreign || page->reading || page->outline)
        return read_any_tag(page, pd_element_find(page->elements, &name), closing, attributes, s);
    page->text.spacing |= (flags & PD_EL_BLOCK) * PD_SPACING_BLOCK;
    return s;
}

/* Read the markup that the '<' at lt begins. Returns where reading goes on. */
static inline const unsigned char *apply_tagup(struct page *page, const unsigned char *lt)
{
    const unsigned char *s = lt + 1;
    const size_t left = (size_t)(page->end - s);
    const bool closing = left > 1 && *s == '/';
    if (left > 0 && is_letter(s[closing]))
        return read_tag(page, s + closing, closing);
    if (closing)
        return after_gt(page, s + 1);
    if (left > 0 && *s == '!')
        return read_declaration(page, s + 1);
    if (left > 0 && *s == '?')
        return after_gt(page, s);
    write_text(page, lt, s, false);
    return s;
}

#ifdef __SSE2__

/*
 * Whether read_plain() may read on: no open element gives text or tags another meaning, and text can
 * be appended to the output as it is.
 */
static bool is_plain(const struct page *page)
{
    if (page->templates > 0 || page->foreign > 0 || page->reading ||
        page->text.out->n == page->text.start)
        return false;
    return page->text.pre > 0 || !pd_rendered_ends_in_space(&page->text);
}

/* Reserve room for the text from s to the end of the page, and return a pen to write it with. */
static struct pd_pen take_pen(struct page *page, const unsigned char *s)
{
    struct pd_bytes *out = page->text.out;
    pd_bytes_reserve(out, out->n + (size_t)(page->end - s) + PD_RUN_ROOM);
    return (struct pd_pen){out->v + out->n, page->text.spacing};
}

/* Add to the output what the pen has written. */
static void put_back(struct page *page, struct pd_pen pen)
{
    page->text.out->n = (size_t)(pen.out - page->text.out->v);
    page->text.spacing = pen.spacing;
}

/*
 * Read text and tags from s on, while the page is plain (is_plain()) and its end is not near.
 * Returns where reading goes on. The output is the same as with read_text() and apply_tagup() in
 * turn; this function is the faster way for common pages.
 */
static const unsigned char *read_plain(struct page *page, const unsigned char *s)
{
    enum { BEYOND = PD_RUN_BEYOND + PD_TAG_BEYOND }; /* bytes from s on that may be read */
    const unsigned noted = page->outline ? PD_EL_NOTED : 0;
    struct pd_pen pen = take_pen(page, s);
    bool keep = page->text.pre > 0;
    while (page->end - s >= BEYOND) {
        if (*s != '<') {
            unsigned n;
            const bool more = pd_run_length(s, &n);
            if (keep ? pd_run_keep(&pen, s, n) : pd_run_fold(&pen, s, n)) {
                s += n;
                if (more)
                    continue;
            } else {
                put_back(page, pen);
                s = pd_rendered_text(&page->text, s, page->end,
                                     PD_RENDERED_REFERENCES | PD_RENDERED_TAGS);
                pen = take_pen(page, s);
                if (page->end - s < BEYOND)
                    break;
            }
        }
        struct pd_tag_name name;
        const unsigned char *attributes = pd_tag_read(s, &name);
        const unsigned flags = attributes ? pd_element_flags(page->elements, &name) : ~0u;
        if (!(flags & ~PLAIN)) {
            const bool closing = s[1] == '/';
            s = pd_tag_end(attributes, page->end);
            if (s == NULL) {
                s = page->end;
                break;
            }
            if (flags & noted) {
                put_back(page, pen);
                note(page, pd_element_find(page->elements, &name), closing, attributes, s);
            }
            pen.spacing |= (flags & PD_EL_BLOCK) * PD_SPACING_BLOCK;
            continue;
        }
        put_back(page, pen);
        s = apply_tagup(page, s);
        if (!is_plain(page))
            return s;
        pen = take_pen(page, s);
        keep = page->text.pre > 0;
    }
    put_back(page, pen);
    return s;
}

#endif

void pd_html_outline_release(struct pd_html_outline *outline)
{
    pd_html_links_release(&outline->links);
    pd_html_tags_release(&outline->tags);
}

/* Read the whole page. `unscripted`: as a browser without scripts. Returns page.alternative. */
static size_t read_page(const unsigned char *html, size_t n, bool xml, bool unscripted,
                        struct pd_bytes *out, struct pd_html_outline *outline)
{
    struct page page = {.end = html + n,
                        .elements = pd_element_slots(),
                        .unscripted = unscripted,
                        .xml = xml || pd_html_is_xhtml(html, n),
                        .begin = html,
                        .outline = outline};
    if (outline)
        outline->links.n = outline->tags.n = 0;
    pd_rendered_begin(&page.text, out);
    for (const unsigned char *s = html; s < page.end;) {
#ifdef __SSE2__
        if (is_plain(&page))
            s = read_plain(&page, s);
#endif
        if (s < page.end && *s != '<')
            s = read_text(&page, s);
        if (s < page.end)
            s = apply_tagup(&page, s);
    }
    pd_rendered_end(&page.text);
    if (outline && is_linked(&page))
        move_link(&page, false);
    return page.alternative;
}

void pd_html_text_outlined(const unsigned char *html, size_t n, bool xml, struct pd_bytes *out,
                           struct pd_html_outline *outline)
{
    enum {
        LEAST = 2000, /* bytes of <noscript> that can be a page */
        SHARE = 8     /* least ratio of these bytes to the other text */
    };
    const size_t start = out->n;
    if (n == 0)
        html = (const unsigned char *)""; /* NULL has no end to count from */
    const size_t alternative = read_page(html, n, xml, false, out, outline);
    if (alternative < LEAST || alternative / SHARE < out->n - start)
        return;
    out->n = start;
    read_page(html, n, xml, true, out, outline);
}

void pd_html_text(const unsigned char *html, size_t n, struct pd_bytes *out)
{
    pd_html_text_outlined(html, n, false, out, NULL);
}

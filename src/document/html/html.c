/* html.c - see include/pardup/document/html.h */
#include "pardup/document/html.h"

#include "document/find.h"
#include "html_page.h"
#include "html_raw.h"
#include "html_run.h"
#include "html_tag.h"
#include "pardup/base/scan.h"

/* Whether text at the current position is dropped. */
static bool is_hidden(const struct pd_page *page)
{
    return page->templates > 0 || page->desc || page->reading;
}

/* Write the text [s, end), which holds no tags. `references`: decode character references. */
static void write_text(struct pd_page *page, const unsigned char *s, const unsigned char *end,
                       bool references)
{
    if (!is_hidden(page))
        pd_rendered_text(&page->text, s, end, references ? PD_RENDERED_REFERENCES : 0);
}

/* Write the text from s to the next '<' or the end of the page. Returns where it stops. */
static inline const unsigned char *read_text(struct pd_page *page, const unsigned char *s)
{
    if (is_hidden(page)) {
        const unsigned char *const end = pd_find(s, page->end, '<');
        if (page->reading && page->templates == 0 && !page->desc)
            pd_rendered_note(&page->text, 0, s, end); /* it belongs to the word that it repeats */
        return end;
    }
    if (page->text.pre == 0)
        s = pd_rendered_space(&page->text, s, page->end);
    if (s == page->end || *s == '<')
        return s;
    return pd_rendered_text(&page->text, s, page->end, PD_RENDERED_REFERENCES | PD_RENDERED_TAGS);
}

/* The position behind the next '>'; the end of the page when there is none. */
static const unsigned char *after_gt(const struct pd_page *page, const unsigned char *s)
{
    const unsigned char *gt = memchr(s, '>', (size_t)(page->end - s));
    return gt ? gt + 1 : page->end;
}

/*
 * Write a CDATA section; s is behind its "<![CDATA[". Returns the position behind it. In XHTML,
 * outside of svg and math, a section without an end is a comment that ends at the first '>'.
 */
static const unsigned char *read_cdata(struct pd_page *page, const unsigned char *s)
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
 * The position behind a processing instruction of XHTML; s is behind its "<?". Without "?>" before
 * the next '<' it ends at its first '>'.
 */
static const unsigned char *after_instruction(const struct pd_page *page, const unsigned char *s)
{
    const unsigned char *const lt = pd_find(s, page->end, '<');
    const unsigned char *end = memmem(s, (size_t)(lt - s), "?>", 2);
    return end ? end + 2 : after_gt(page, s);
}

/*
 * The position behind a doctype of XHTML; s is behind its "<!". The declarations in it stand
 * between brackets, of which the closing one is the last sign but for white space.
 */
static const unsigned char *after_doctype(const struct pd_page *page, const unsigned char *s)
{
    const unsigned char *const gt = pd_find(s, page->end, '>');
    const unsigned char *bracket = memchr(s, '[', (size_t)(gt - s));
    while (bracket && (bracket = memchr(bracket + 1, ']', (size_t)(page->end - bracket - 1)))) {
        const unsigned char *behind = bracket + 1;
        while (behind < page->end && pd_html_space(*behind))
            behind++;
        if (behind < page->end && *behind == '>')
            return behind + 1;
    }
    return after_gt(page, s);
}

/*
 * Read a comment, CDATA section or doctype; s is behind its "<!". Returns the position behind it. A
 * doctype ends at its first '>', even inside quotes, but in XHTML behind its declarations.
 */
static const unsigned char *read_declaration(struct pd_page *page, const unsigned char *s)
{
    static const char mark[] = "[CDATA[";
    const size_t left = (size_t)(page->end - s), n = sizeof mark - 1;
    if (left >= 2 && memcmp(s, "--", 2) == 0)
        return pd_html_comment_end(s + 2, page->end);
    if ((page->foreign > 0 || page->xml) && left >= n && memcmp(s, mark, n) == 0)
        return read_cdata(page, s + n);
    if (!page->xml || page->typed)
        return after_gt(page, s);
    page->typed = true; /* once a page: a doctype without an end is searched to the end */
    return after_doctype(page, s);
}

/*
 * The position behind a line end at s; s when there is none. A line end directly behind <pre> and
 * the like belongs to the markup.
 */
static const unsigned char *skip_line_end(const struct pd_page *page, const unsigned char *s)
{
    if (s < page->end && *s == '\r')
        return s + 1 < page->end && s[1] == '\n' ? s + 2 : s + 1;
    return s < page->end && *s == '\n' ? s + 1 : s;
}

/* Read the content of a PD_EL_RAW element, and its end tag. Returns the position behind both. */
static const unsigned char *read_raw(struct pd_page *page, const struct pd_element *e,
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
static void lay_out(struct pd_page *page, const struct pd_element *e)
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
static const unsigned char *open_element(struct pd_page *page, const struct pd_element *e,
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

static void close_element(struct pd_page *page, const struct pd_element *e)
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

/*
 * hOCR: a start tag whose attributes begin here, and which ends before s, may begin a line or a
 * word of print.
 */
static void begin_print(struct pd_page *page, const unsigned char *attributes,
                        const unsigned char *s)
{
    static const struct {
        const char *name; /* of a class */
        unsigned spacing; /* before it */
    } classes[] = {{"ocr_line", PD_SPACING_LINE},      {"ocrx_line", PD_SPACING_LINE},
                   {"ocr_header", PD_SPACING_LINE},    {"ocr_caption", PD_SPACING_LINE},
                   {"ocr_textfloat", PD_SPACING_LINE}, {"ocrx_word", PD_SPACING_SPACE}};
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        if (memmem(attributes, (size_t)(s - attributes), classes[k].name,
                   strlen(classes[k].name)) &&
            !is_hidden(page) && page->text.spacing < classes[k].spacing) {
            pd_rendered_note(&page->text, 0, page->lt, s);
            page->text.spacing = classes[k].spacing;
            return;
        }
}

/*
 * Read a start or end tag of any element e. `attributes` is behind its name, s behind its '>'.
 * Returns where reading goes on. Not inlined, because most tags only separate blocks or do nothing,
 * and read_tag() itself handles them.
 */
__attribute__((noinline)) static const unsigned char *
read_any_tag(struct pd_page *page, const struct pd_element *e, bool closing,
             const unsigned char *attributes, const unsigned char *s)
{
    bool self_closing = false;
    if (page->ocr && !closing)
        begin_print(page, attributes, s);
    if (e->flags & PD_EL_LINE && !is_hidden(page) && page->text.spacing != PD_SPACING_BLOCK)
        pd_rendered_note(&page->text, 0, page->lt, s);
    if (e->flags & (PD_EL_READING | PD_EL_RUBY | PD_EL_BLOCK))
        page->reading = e->flags & PD_EL_READING && !closing;
    if (page->outline && e->flags & PD_EL_NOTED && !is_hidden(page))
        self_closing = pd_page_note(page, e, closing, attributes, s);
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
static inline const unsigned char *read_tag(struct pd_page *page, const unsigned char *s,
                                            bool closing)
{
    struct pd_tag_name name;
    const unsigned char *attributes = pd_tag_name(s, page->end, &name);
    s = pd_tag_end(attributes, page->end);
    if (s == NULL) /* the page ends inside the tag, which is then ignored */
        return page->end;
    const unsigned flags = pd_element_flags(page->elements, &name);
    if ((flags & ~PLAIN) | page->templates | page->foreign || page->reading || page->outline ||
        page->ocr)
        return read_any_tag(page, pd_element_find(page->elements, &name), closing, attributes, s);
    page->text.spacing |= (flags & PD_EL_BLOCK) * PD_SPACING_BLOCK;
    return s;
}

/* Read the markup that the '<' at lt begins. Returns where reading goes on. */
static inline const unsigned char *apply_tagup(struct pd_page *page, const unsigned char *lt)
{
    const unsigned char *s = lt + 1;
    const size_t left = (size_t)(page->end - s);
    const bool closing = left > 1 && *s == '/';
    page->lt = lt;
    if (left > 0 && pd_scan_is_letter(s[closing]))
        return read_tag(page, s + closing, closing);
    if (closing)
        return after_gt(page, s + 1);
    if (left > 0 && *s == '!')
        return read_declaration(page, s + 1);
    if (left > 0 && *s == '?')
        return page->xml ? after_instruction(page, s + 1) : after_gt(page, s);
    write_text(page, lt, s, false);
    return s;
}

#ifdef PD_VECTORS

/*
 * Whether read_plain() may read on: no open element gives text or tags another meaning, text can be
 * appended to the output as it is, and nobody asks where it comes from.
 */
static bool is_plain(const struct pd_page *page)
{
    if (page->text.origins || page->ocr || page->templates > 0 || page->foreign > 0 ||
        page->reading || page->text.out->n == page->text.start)
        return false;
    return page->text.pre > 0 || !pd_rendered_ends_in_space(&page->text);
}

/* Reserve room for the text from s to the end of the page, and return a pen to write it with. */
static struct pd_pen take_pen(struct pd_page *page, const unsigned char *s)
{
    struct pd_bytes *out = page->text.out;
    pd_bytes_reserve(out, out->n + (size_t)(page->end - s) + PD_RUN_ROOM);
    return (struct pd_pen){out->v + out->n, page->text.spacing};
}

/* Add to the output what the pen has written. */
static void put_back(struct pd_page *page, struct pd_pen pen)
{
    page->text.out->n = (size_t)(pen.out - page->text.out->v);
    page->text.spacing = pen.spacing;
}

/*
 * Read text and tags from s on, while the page is plain (is_plain()) and its end is not near.
 * Returns where reading goes on. The output is the same as with read_text() and apply_tagup() in
 * turn; this function is the faster way for common pages.
 */
static const unsigned char *read_plain(struct pd_page *page, const unsigned char *s)
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
                pd_page_note(page, pd_element_find(page->elements, &name), closing, attributes, s);
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

/* Read the whole page. `unscripted`: as a browser without scripts. Returns page.alternative. */
static size_t read_page(const unsigned char *html, size_t n, bool xml, bool unscripted,
                        struct pd_bytes *out, const struct pd_html_wants *wants)
{
    enum { OCR_LOOK = 4096 }; /* bytes in which the first page of print begins */
    struct pd_page page = {.end = html + n,
                           .elements = pd_element_slots(),
                           .unscripted = unscripted,
                           .xml = xml || pd_html_is_xhtml(html, n),
                           .ocr = memmem(html, n < OCR_LOOK ? n : OCR_LOOK, "ocr_page", 8) != NULL,
                           .begin = html,
                           .outline = wants->outline};
    if (page.outline)
        page.outline->links.n = page.outline->tags.n = 0;
    pd_rendered_begin(&page.text, out, html, wants->origins);
    for (const unsigned char *s = html; s < page.end;) {
#ifdef PD_VECTORS
        if (is_plain(&page))
            s = read_plain(&page, s);
#endif
        if (s < page.end && *s != '<')
            s = read_text(&page, s);
        if (s < page.end)
            s = apply_tagup(&page, s);
    }
    pd_rendered_end(&page.text);
    pd_page_end_notes(&page);
    return page.alternative;
}

void pd_html_text_told(const unsigned char *html, size_t n, bool xml, struct pd_bytes *out,
                       const struct pd_html_wants *wants)
{
    enum {
        LEAST = 2000, /* bytes of <noscript> that can be a page */
        SHARE = 8     /* least ratio of these bytes to the other text */
    };
    const size_t start = out->n;
    if (n == 0)
        html = (const unsigned char *)""; /* NULL has no end to count from */
    const size_t alternative = read_page(html, n, xml, false, out, wants);
    if (alternative < LEAST || alternative / SHARE < out->n - start)
        return;
    out->n = start;
    read_page(html, n, xml, true, out, wants);
}

void pd_html_text_outlined(const unsigned char *html, size_t n, bool xml, struct pd_bytes *out,
                           struct pd_html_outline *outline)
{
    pd_html_text_told(html, n, xml, out, &(struct pd_html_wants){.outline = outline});
}

void pd_html_text(const unsigned char *html, size_t n, struct pd_bytes *out)
{
    pd_html_text_outlined(html, n, false, out, NULL);
}

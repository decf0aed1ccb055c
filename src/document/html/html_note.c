/* html_note.c - see html_page.h: the tags and the linked ranges that the outline of a page lists. */
#include "html_page.h"
#include "html_tag.h"

/* Whether text at the current position counts as linked. */
static bool is_linked(const struct pd_page *page) { return page->link || page->furniture > 0; }

/* Begin a linked range at the end of the output (`begins`), or end the current one there. */
static void move_link(struct pd_page *page, bool begins)
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
static void note_tag(struct pd_page *page, const struct pd_element *e, bool closing, bool empty,
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
static void note_link(struct pd_page *page, const struct pd_element *e, bool closing)
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

bool pd_page_note(struct pd_page *page, const struct pd_element *e, bool closing,
                  const unsigned char *attributes, const unsigned char *s)
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

void pd_page_end_notes(struct pd_page *page)
{
    if (page->outline && is_linked(page))
        move_link(page, false);
}

void pd_html_outline_release(struct pd_html_outline *outline)
{
    pd_html_links_release(&outline->links);
    pd_html_tags_release(&outline->tags);
}

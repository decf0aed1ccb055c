/* document/parts.c - see parts.h */
#include "parts.h"

#include <string.h>
#include <strings.h>

#include "pardup/document/html.h"
#include "scan.h"
#include "xml_tag.h"

#define COUNT(a)              (sizeof(a) / sizeof *(a))
#define IS_ONE_OF(tag, names) (pd_xml_find_name(tag, names, COUNT(names)) < COUNT(names))

/* How a body begins, and inside which elements text counts. */
static const struct kind {
    const char *begins;
    const char *texts[2]; /* names of the elements */
} kinds[] = {{"<pardup-docx>", {"t", "t"}},
             {"<pardup-odt>", {"p", "h"}},
             {"<pardup-epub>", {"body", "body"}}};

static const char *const blocks[] = {
    "p",  "h",   "h1",      "h2",      "h3",    "h4",         "h5",      "h6",        "div", "ul",
    "ol", "dl",  "li",      "dt",      "dd",    "table",      "tr",      "td",        "th",  "tc",
    "hr", "pre", "section", "article", "aside", "blockquote", "caption", "figcaption"};
static const char *const breaks[] = {"br", "cr", "line-break"};
static const char *const spaces[] = {"tab", "ptab", "s"}; /* if they are empty */
static const char *const left_out[] = {
    "moveFrom",        "Fallback",      "annotation", "binary-data",
    "tracked-changes", "note-citation", "script",     "style"};

/* Elements that are read later, in a second pass. */
struct later {
    const unsigned char *from, *to;
};
PD_VEC(pd_laters, struct later);

/* A body that is being read. */
struct parts {
    const unsigned char *end;
    const struct kind *kind;
    size_t texts; /* open elements in which text counts */
    struct pd_bytes html;
    struct pd_laters notes;
    const unsigned char *endless; /* elements that begin behind it have no end; NULL: none */
};

static const struct kind *find_kind(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < COUNT(kinds); k++)
        if (pd_scan_begins(s, s + n, kinds[k].begins))
            return &kinds[k];
    return NULL;
}

bool pd_parts_find(const unsigned char *s, size_t n) { return find_kind(s, n); }

static void put(struct parts *p, const char *html)
{
    pd_bytes_append(&p->html, html, strlen(html));
}

/* Append text that is no markup, as it is written, or with `raw` a CDATA section. */
static void put_text(struct parts *p, const unsigned char *s, const unsigned char *to, bool raw)
{
    for (; s < to && p->texts > 0; s++)
        if (raw && (*s == '<' || *s == '&'))
            put(p, *s == '<' ? "&lt;" : "&amp;");
        else
            pd_bytes_push(&p->html, *s);
}

/*
 * Where the end tag of the element `tag` begins; NULL: it has none. A part in which one element has no end
 * is damaged, and is not searched again.
 */
static const unsigned char *find_end(struct parts *p, const struct pd_xml_tag *tag)
{
    const unsigned char *s = tag->end;
    size_t depth = 1;
    while (!p->endless && (s = memchr(s, '<', (size_t)(p->end - s))) != NULL) {
        if (!pd_xml_tag_begins(s, p->end)) {
            s++;
            continue;
        }
        const struct pd_xml_tag next = pd_xml_tag_read(s, p->end);
        if (next.n == tag->n &&
            strncasecmp((const char *)next.name, (const char *)tag->name, tag->n) == 0) {
            depth = next.closing ? depth - 1 : depth + !next.empty;
            if (depth == 0)
                return s;
        }
        s = next.end;
    }
    p->endless = tag->end;
    return NULL;
}

/* Read the tag at s. Returns where to go on. */
static const unsigned char *put_tag(struct parts *p, const unsigned char *s)
{
    const struct pd_xml_tag tag = pd_xml_tag_read(s, p->end);
    const bool begins = !tag.closing && !tag.empty, note = pd_xml_is_named(&tag, "note");
    if (begins && (IS_ONE_OF(&tag, left_out) || (note && p->kind == &kinds[1]))) {
        const unsigned char *to = find_end(p, &tag);
        if (to && note)
            pd_laters_push(&p->notes, (struct later){tag.end, to});
        return to ? to : tag.end;
    }
    if (IS_ONE_OF(&tag, blocks))
        put(p, "<div>");
    if (IS_ONE_OF(&tag, p->kind->texts) && !tag.empty)
        p->texts = tag.closing ? p->texts - (p->texts > 0) : p->texts + 1;
    else if (IS_ONE_OF(&tag, breaks) && !tag.closing)
        put(p, "<br>");
    else if (IS_ONE_OF(&tag, spaces) && tag.empty)
        put(p, " ");
    else if (pd_xml_is_named(&tag, "noBreakHyphen"))
        put(p, "-");
    return tag.end;
}

/* Read what begins at s, which is a '<'. Returns where to go on. */
static const unsigned char *put_markup(struct parts *p, const unsigned char *s)
{
    const unsigned char *text_end, *next = s + 1;
    if (pd_xml_tag_begins(s, p->end))
        return put_tag(p, s);
    if (pd_scan_begins(s, p->end, "<!--"))
        return pd_scan_behind(s, p->end, "-->");
    if (pd_scan_begins(s, p->end, PD_CDATA)) {
        next = pd_xml_cdata(s, p->end, &text_end);
        put_text(p, s + strlen(PD_CDATA), text_end, true);
    } else if (pd_scan_begins(s, p->end, "<?") || pd_scan_begins(s, p->end, "<!")) {
        next = pd_scan_behind(s, p->end, ">");
    } else {
        put_text(p, s, next, true);
    }
    return next;
}

static void put_all(struct parts *p, const unsigned char *s, const unsigned char *to)
{
    while (s < to) {
        const unsigned char *lt = memchr(s, '<', (size_t)(to - s));
        put_text(p, s, lt ? lt : to, false);
        s = lt ? put_markup(p, lt) : to;
    }
}

void pd_parts_text(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    struct parts p = {.end = s + n, .kind = find_kind(s, n)};
    put_all(&p, s, p.end);
    for (size_t k = 0; k < p.notes.n; k++) { /* a note inside a note is added behind */
        const struct later note = p.notes.v[k];
        p.texts = 0;
        put(&p, "<div>");
        put_all(&p, note.from, note.to);
    }
    pd_html_text(p.html.v, p.html.n, out);
    pd_bytes_release(&p.html);
    pd_laters_release(&p.notes);
}

/*
 * document/xml.c - see xml.h.
 *
 * The tags of the file are replaced by the few tags of HTML that say the same, and the result is
 * read as HTML.
 */
#include "xml.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "pardup/document/html.h"
#include "parts.h"
#include "scan.h"
#include "xml_entities.h"
#include "xml_tag.h"

enum {
    ROOT_LOOK = 1 << 16, /* bytes in which the root element begins */
    DEPTH_MOST = 256     /* elements that are deeper are blocks if their name is not known */
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- pieces of a file ---- */

/* The position behind the declaration at s, such as <!DOCTYPE a [<!ENTITY b "c">]>. */
static const unsigned char *behind_declaration(const unsigned char *s, const unsigned char *end)
{
    bool inside = false;
    for (; s < end; s++) {
        if (*s == '[' || *s == ']')
            inside = *s == '[';
        else if (*s == '>' && !inside)
            return s + 1;
    }
    return end;
}

/*
 * The position behind the document type declaration at s, whose quotes and comments may have any
 * brackets in them. A quote that is never closed is none.
 */
static const unsigned char *behind_type(const unsigned char *s, const unsigned char *end)
{
    bool inside = false;
    for (const unsigned char *at = s; at < end; at++) {
        if (inside && pd_scan_begins(at, end, "<!--")) {
            at = pd_scan_behind(at, end, "-->") - 1;
        } else if (*at == '"' || *at == '\'') {
            at = memchr(at + 1, *at, (size_t)(end - at) - 1);
            if (!at)
                break;
        } else if (*at == '[' || *at == ']') {
            inside = *at == '[';
        } else if (*at == '>' && !inside) {
            return at + 1;
        }
    }
    return behind_declaration(s, end);
}

/*
 * The position behind what may stand before the root element. *type and *type_end: the first
 * document type declaration, if there is one.
 */
static const unsigned char *pass_prolog(const unsigned char *s, const unsigned char *end,
                                        const unsigned char **type, const unsigned char **type_end)
{
    *type = *type_end = NULL;
    if (pd_scan_begins(s, end, "\xEF\xBB\xBF"))
        s += 3;
    for (s = pd_scan_skip_spaces(s, end); end - s > 1 && *s == '<' && (s[1] == '?' || s[1] == '!');
         s = pd_scan_skip_spaces(s, end)) {
        if (!*type && pd_scan_begins(s, end, "<!DOCTYPE")) {
            *type = s;
            s = *type_end = behind_type(s, end);
        } else if (pd_scan_begins(s, end, "<!--")) {
            s = pd_scan_behind(s, end, "-->");
        } else {
            s = s[1] == '?' ? pd_scan_behind(s, end, "?>") : behind_declaration(s, end);
        }
    }
    return s;
}

/* Is `word` in the attributes of the tag? */
static bool has(const struct pd_xml_tag *tag, const char *word)
{
    return memmem(tag->attributes, (size_t)(tag->end - tag->attributes), word, strlen(word));
}

/* ---- what a file is ---- */

/* The root element, or a tag without a name if s[0, n) does not begin like XML. */
static struct pd_xml_tag find_root(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *type, *type_end;
    s = pass_prolog(s, end, &type, &type_end);
    return end - s > 1 && *s == '<' ? pd_xml_tag_read(s, end) : (struct pd_xml_tag){0};
}

enum pd_xml_kind pd_xml_sniff(const unsigned char *s, size_t n)
{
    static const char *const feeds[] = {"rss", "feed", "RDF"};
    static const char *const sitemaps[] = {"urlset", "sitemapindex"};
    static const char *const texts[] = {"TEI", "TEI.2", "teiCorpus"};
    const unsigned char *const end = s + (n < ROOT_LOOK ? n : ROOT_LOOK);
    const struct pd_xml_tag root = find_root(s, end);
    if (root.n == 0 || pd_xml_is_named(&root, "html"))
        return PD_XML_OTHER;
    if (pd_parts_find(s, n))
        return PD_XML_PARTS;
    for (size_t k = 0; k < COUNT(feeds); k++)
        if (pd_xml_is_named(&root, feeds[k]))
            return PD_XML_FEED;
    for (size_t k = 0; k < COUNT(sitemaps); k++)
        if (pd_xml_is_named(&root, sitemaps[k]))
            return PD_XML_SITEMAP;
    for (size_t k = 0; k < COUNT(texts); k++)
        if (pd_xml_is_named(&root, texts[k]))
            return PD_XML_TEXT;
    const bool article =
        pd_xml_is_named(&root, "article") && (has(&root, "article-type") || has(&root, "xmlns"));
    const unsigned char *first = pd_scan_begins(s, end, "\xEF\xBB\xBF") ? s + 3 : s;
    const bool declared = pd_scan_begins(pd_scan_skip_spaces(first, end), end, "<?xml");
    return declared && (article || !pd_html_sniff(s, n)) ? PD_XML_TEXT : PD_XML_OTHER;
}

/* ---- elements ---- */

/* Blocks also where text stands directly before them. */
static const char *const blocks[] = {
    "p",     "para", "head",     "div",    "ab",  "lg",       "sp",        "speaker",
    "stage", "list", "item",     "table",  "row", "cell",     "sec",       "section",
    "note",  "fn",   "footnote", "figure", "fig", "listitem", "list-item", "caption"};

/* Inline also where no text stands before them. */
static const char *const inlines[] = {
    /* TEI */
    "hi", "emph", "foreign", "term", "gloss", "name", "persName", "placeName", "orgName",
    "geogName", "rs", "date", "time", "num", "measure", "abbr", "expan", "ex", "am", "sic", "orig",
    "choice", "add", "del", "unclear", "supplied", "subst", "app", "lem", "seg", "w", "c", "pc",
    "g", "s", "phr", "cl", "m", "ref", "ptr", "anchor", "gap", "q", "said",
    /* JATS, DocBook and others */
    "xref", "ext-link", "link", "italic", "bold", "sc", "sub", "sup", "subscript", "superscript",
    "underline", "emphasis", "citetitle", "literal", "named-content", "i", "b", "em", "strong", "a",
    "span"};

static const char *const breaks[] = {"lb", "pb", "cb", "milestone", "break"};

/* Elements about the text, and what an editor reads in place of what the source has. */
static const char *const left_out[] = {
    "teiHeader",   "idg",     "temphead", "fw",           "reg",           "corr",
    "rdg",         "script",  "style",    "journal-meta", "contrib-group", "aff",
    "permissions", "history", "pub-date", "article-id",   "self-uri",      "author-notes"};

#define IS_ONE_OF(tag, names) (pd_xml_find_name(tag, names, COUNT(names)) < COUNT(names))

/* ---- text ---- */

/* A file that is being read. */
struct xml {
    const unsigned char *end;
    struct pd_bytes html;
    bool in_text;            /* text of the block stands before, outside its inline elements */
    size_t inlines;          /* open inline elements of the block */
    size_t depth;            /* open elements whose name is not known */
    bool blocks[DEPTH_MOST]; /* which of them are blocks */
    bool endless[COUNT(left_out)]; /* elements whose end was looked for in vain */
};

static void put(struct xml *x, const char *html) { pd_bytes_append(&x->html, html, strlen(html)); }

static void put_block(struct xml *x)
{
    put(x, "<div>");
    x->in_text = false;
    x->inlines = 0;
}

/* Append text that is no markup, as it is written, or with `raw` a CDATA section. */
static void put_text(struct xml *x, const unsigned char *s, const unsigned char *to, bool raw)
{
    for (; s < to; s++) {
        if (raw && (*s == '<' || *s == '&'))
            put(x, *s == '<' ? "&lt;" : "&amp;");
        else
            pd_bytes_push(&x->html, *s);
        x->in_text |= x->inlines == 0 && !pd_scan_is_space(*s);
    }
}

/* The position behind the end of the element left_out[k], whose content is s; NULL: it has none. */
static const unsigned char *behind_element(struct xml *x, size_t k, const unsigned char *s)
{
    size_t depth = 1;
    while (!x->endless[k] && (s = memchr(s, '<', (size_t)(x->end - s))) != NULL) {
        if (pd_scan_begins(s, x->end, "<!--")) {
            s = pd_scan_behind(s, x->end, "-->");
            continue;
        }
        const struct pd_xml_tag tag = pd_xml_tag_read(s, x->end);
        s = tag.end;
        if (tag.empty || !pd_xml_is_named(&tag, left_out[k]))
            continue;
        depth = tag.closing ? depth - 1 : depth + 1;
        if (depth == 0)
            return s;
    }
    x->endless[k] = true;
    return NULL;
}

/* The tag of an element that is not in the table. */
static void put_unknown(struct xml *x, const struct pd_xml_tag *tag)
{
    bool block = !x->in_text;
    if (tag->closing) {
        x->depth -= x->depth > 0;
        block = x->depth >= DEPTH_MOST || x->blocks[x->depth];
    } else if (!tag->empty) {
        if (x->depth < DEPTH_MOST)
            x->blocks[x->depth] = block;
        x->depth++;
    }
    if (block)
        put_block(x);
}

/* Read the tag at s. Returns where to go on. */
static const unsigned char *put_tag(struct xml *x, const unsigned char *s)
{
    const struct pd_xml_tag tag = pd_xml_tag_read(s, x->end);
    const size_t out = pd_xml_find_name(&tag, left_out, COUNT(left_out));
    if (out < COUNT(left_out)) {
        const bool begins = !tag.closing && !tag.empty;
        const unsigned char *rest = begins ? behind_element(x, out, tag.end) : NULL;
        return rest ? rest : tag.end;
    }
    if (IS_ONE_OF(&tag, breaks)) {
        if (!has(&tag, "break=\"no\"") && !has(&tag, "break='no'"))
            put(x, " ");
    } else if (pd_xml_is_named(&tag, "l")) { /* a line of verse */
        if (tag.closing || x->in_text)
            put(x, "<br>");
        x->in_text = false;
    } else if (IS_ONE_OF(&tag, blocks)) {
        put_block(x);
    } else if (!IS_ONE_OF(&tag, inlines)) {
        put_unknown(x, &tag);
    } else if (tag.closing) {
        x->inlines -= x->inlines > 0;
    } else {
        x->inlines += !tag.empty;
    }
    return tag.end;
}

/* Read what begins at s, which is a '<'. Returns where to go on. */
static const unsigned char *put_markup(struct xml *x, const unsigned char *s)
{
    if (pd_xml_tag_begins(s, x->end))
        return put_tag(x, s);
    if (pd_scan_begins(s, x->end, "<!--"))
        return pd_scan_behind(s, x->end, "-->");
    if (pd_scan_begins(s, x->end, PD_CDATA)) {
        const unsigned char *text_end, *next = pd_xml_cdata(s, x->end, &text_end);
        put_text(x, s + strlen(PD_CDATA), text_end, true);
        return next;
    }
    if (pd_scan_begins(s, x->end, "<?"))
        return pd_scan_behind(s, x->end, "?>");
    if (pd_scan_begins(s, x->end, "<!"))
        return behind_declaration(s, x->end);
    put_text(x, s, s + 1, true);
    return s + 1;
}

static void put_all(struct xml *x, const unsigned char *s)
{
    while (s < x->end) {
        const unsigned char *lt = memchr(s, '<', (size_t)(x->end - s));
        put_text(x, s, lt ? lt : x->end, false);
        s = lt ? put_markup(x, lt) : x->end;
    }
}

void pd_xml_text(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    struct pd_xml_entities entities = {0};
    struct pd_bytes expanded = {0};
    const unsigned char *type, *type_end;
    struct xml x = {.end = s + n};
    s = pass_prolog(s, x.end, &type, &type_end);
    if (type)
        pd_xml_entities_read(type, type_end, &entities);
    if (entities.n > 0) {
        pd_xml_entities_expand(&entities, s, x.end, &expanded);
        s = expanded.v;
        x.end = pd_bytes_behind(&expanded);
    }
    put_all(&x, s);
    pd_html_text(x.html.v, x.html.n, out);
    pd_bytes_release(&x.html);
    pd_bytes_release(&expanded);
    pd_xml_entities_release(&entities);
}

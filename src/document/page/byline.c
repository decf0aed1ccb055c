/* document/page/byline.c - see include/pardup/document/byline.h */
#include "pardup/document/byline.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "document/html/html_reference.h"
#include "document/xml/xml_begin.h"
#include "pardup/base/scan.h"
#include "pardup/base/xml_tag.h"

enum {
    LOOK_MOST = 1 << 18,    /* bytes of a document in which its head ends */
    ELEMENT_MOST = 1 << 12, /* bytes of an element with a value */
    VALUE_MOST = 600,       /* bytes of a value */
    NAME_MOST = 128         /* bytes of the name of an element */
};

const char *const pd_byline_names[PD_BYLINES] = {"title", "author", "date"};

/* Where a value stands: in an element of TEI, JATS, PubMed, FictionBook or HTML, a <meta>, or JSON-LD. */
enum place {
    META,
    ELEMENT,
    TITLE_STATEMENT,
    SOURCE,
    PUBLICATION,
    LINKED,
    ARTICLE,
    ARTICLE_DATE, /* in PubMed what follows, too */
    BOOK,
    NOWHERE
};
static const struct {
    enum place place;
    const char *name;
    int what, rank;
} rows[] = {
    {TITLE_STATEMENT, "title", PD_BYLINE_TITLE, 0},
    {TITLE_STATEMENT, "author", PD_BYLINE_AUTHOR, 0},
    {SOURCE, "date", PD_BYLINE_DATE, 0},
    {SOURCE, "title", PD_BYLINE_TITLE, 1},
    {SOURCE, "author", PD_BYLINE_AUTHOR, 1},
    {PUBLICATION, "date", PD_BYLINE_DATE, 1},
    {META, "citation_title", PD_BYLINE_TITLE, 0},
    {META, "citation_author", PD_BYLINE_AUTHOR, 0},
    {META, "citation_publication_date", PD_BYLINE_DATE, 0},
    {META, "citation_date", PD_BYLINE_DATE, 0},
    {META, "dc.title", PD_BYLINE_TITLE, 1},
    {META, "dcterms.title", PD_BYLINE_TITLE, 1},
    {META, "dc.creator", PD_BYLINE_AUTHOR, 1},
    {META, "dcterms.creator", PD_BYLINE_AUTHOR, 1},
    {META, "dc.date", PD_BYLINE_DATE, 1},
    {META, "dc.date.issued", PD_BYLINE_DATE, 1},
    {META, "dcterms.issued", PD_BYLINE_DATE, 1},
    {META, "dcterms.date", PD_BYLINE_DATE, 1},
    {LINKED, "headline", PD_BYLINE_TITLE, 2},
    {LINKED, "author", PD_BYLINE_AUTHOR, 2},
    {LINKED, "datePublished", PD_BYLINE_DATE, 2},
    {META, "og:title", PD_BYLINE_TITLE, 3},
    {META, "author", PD_BYLINE_AUTHOR, 3},
    {META, "article:published_time", PD_BYLINE_DATE, 3},
    {META, "datePublished", PD_BYLINE_DATE, 3},
    {META, "article:author", PD_BYLINE_AUTHOR, 4},
    {META, "date", PD_BYLINE_DATE, 4},
    {ARTICLE, "article-title", PD_BYLINE_TITLE, 0},
    {ARTICLE, "name", PD_BYLINE_AUTHOR, 0},
    {ARTICLE, "string-name", PD_BYLINE_AUTHOR, 0},
    {ARTICLE, "collab", PD_BYLINE_AUTHOR, 0},
    {ARTICLE_DATE, "year", PD_BYLINE_DATE, 0},
    {ARTICLE_DATE, "ArticleTitle", PD_BYLINE_TITLE, 0},
    {ARTICLE_DATE, "LastName", PD_BYLINE_AUTHOR, 0},
    {BOOK, "book-title", PD_BYLINE_TITLE, 0},
    {BOOK, "author", PD_BYLINE_AUTHOR, 0},
    {BOOK, "date", PD_BYLINE_DATE, 0},
    {ELEMENT, "title", PD_BYLINE_TITLE, 4},
    {ELEMENT, "timestamp", PD_BYLINE_DATE, 4},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Bytes of a text. */
struct piece {
    const unsigned char *s, *end;
};

static bool is_word(struct piece p, const char *word)
{
    return (size_t)(p.end - p.s) == strlen(word) &&
           strncasecmp((const char *)p.s, word, strlen(word)) == 0;
}

/* ---- values ---- */

/*
 * Append markup as text: no tags, but a blank between two elements, references decoded, white space
 * as one blank.
 */
static void append_text(struct pd_bytes *to, struct piece p)
{
    const size_t begin = to->n;
    bool blank = false;
    while (p.s < p.end && to->n - begin < VALUE_MOST) {
        unsigned char text[PD_REFERENCE_MOST] = {*p.s};
        size_t n = 1, bytes = 1;
        if (*p.s == '<') {
            const unsigned char *gt = memchr(p.s, '>', (size_t)(p.end - p.s));
            const bool closes = p.end - p.s > 1 && p.s[1] == '/';
            p.s = gt ? gt + 1 : p.end;
            blank |= closes && p.end - p.s > 1 && p.s[0] == '<' && p.s[1] != '/';
            continue;
        }
        if (*p.s == '&' && !(bytes = pd_html_reference(p.s, (size_t)(p.end - p.s), text, &n)))
            n = bytes = 1;
        p.s += bytes;
        if (n == 1 && pd_scan_is_space(text[0])) {
            blank = true;
            continue;
        }
        if (blank && to->n > begin)
            pd_bytes_push(to, ' ');
        blank = false;
        pd_bytes_append(to, text, n);
    }
}

/* Take a value, unless one of a better rank is there. Authors of one rank are all taken. */
static void take_ranked(struct pd_byline *t, int what, int of_rank, struct piece value)
{
    struct pd_bytes *to = &t->values[what];
    int *rank = &t->ranks[what];
    const bool address = pd_scan_begins(value.s, value.end, "http");
    const bool more = to->n > 0 && *rank == of_rank && what == PD_BYLINE_AUTHOR;
    if (value.s == value.end || (address && what != PD_BYLINE_TITLE) ||
        (to->n > 0 && *rank <= of_rank && !more) || to->n > VALUE_MOST)
        return;
    const size_t before = more ? to->n : 0;
    to->n = before;
    if (more)
        pd_bytes_append(to, "; ", 2);
    const size_t begin = to->n;
    append_text(to, value);
    if (to->n == begin)
        to->n = before;
    *rank = of_rank;
}

static void take(struct pd_byline *t, int row, struct piece value)
{
    take_ranked(t, rows[row].what, rows[row].rank, value);
}

static void take_named(struct pd_byline *t, enum place place, struct piece name, struct piece value)
{
    for (int k = 0; k < ROWS; k++)
        if (rows[k].place == place && is_word(name, rows[k].name))
            take(t, k, value);
}

/* ---- markup ---- */

/* The value of an attribute, with quotes or without. Empty: the tag has none. */
static struct piece attribute(const struct pd_xml_tag *of, const char *name)
{
    const size_t n = strlen(name);
    const struct piece tag = {of->attributes, of->end[-1] == '>' ? of->end - 1 : of->end};
    for (const unsigned char *s = tag.s; s < tag.end;) {
        const unsigned char *key = s = pd_scan_skip_spaces(s, tag.end);
        while (s < tag.end && *s != '=' && !pd_scan_is_space(*s))
            s++;
        const bool here = (size_t)(s - key) == n && strncasecmp((const char *)key, name, n) == 0;
        s = pd_scan_skip_spaces(s, tag.end);
        if (s == tag.end || *s != '=')
            continue;
        s = pd_scan_skip_spaces(s + 1, tag.end);
        const unsigned char quote = s < tag.end && (*s == '"' || *s == '\'') ? *s++ : 0;
        const unsigned char *value = s;
        while (s < tag.end && (quote ? *s != quote : !pd_scan_is_space(*s)))
            s++;
        if (here)
            return (struct piece){value, s};
        s += s < tag.end;
    }
    return (struct piece){tag.end, tag.end};
}

/* The content of an element, up to the next tag that closes one of its name. */
static struct piece content_of(const struct pd_xml_tag *tag, const unsigned char *end)
{
    struct piece content = {tag->end < end ? tag->end : end, end};
    char word[NAME_MOST];
    snprintf(word, sizeof word, "%.*s", (int)tag->n, (const char *)tag->name);
    for (const unsigned char *s = content.s; s < end && (s = memchr(s, '<', (size_t)(end - s)));
         s++) {
        if (end - s < 2 || s[1] != '/')
            continue;
        const unsigned char *name = s + 2, *to = name; /* no more of it: scripts have many */
        for (; to < end && *to != '>' && !pd_scan_is_space(*to) && to - s < NAME_MOST; to++)
            name = *to == ':' ? to + 1 : name;
        if (is_word((struct piece){name, to}, word)) {
            content.end = s;
            break;
        }
    }
    return content;
}

static void take_meta(struct pd_byline *t, const struct pd_xml_tag *tag)
{
    static const char *const keys[] = {"name", "property", "itemprop"};
    const struct piece value = attribute(tag, "content");
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        take_named(t, META, attribute(tag, keys[k]), value);
}

/* ---- JSON-LD ---- */

/* The string that begins behind white space at s, without its quotes. Empty: there is none. */
static struct piece string_at(const unsigned char *s, const unsigned char *end)
{
    s = pd_scan_skip_spaces(s, end);
    if (s == end || *s != '"')
        return (struct piece){end, end};
    const unsigned char *to = ++s;
    while (to < end && *to != '"')
        to += *to == '\\' && end - to > 1 ? 2 : 1;
    return (struct piece){s, to};
}

/* Where the value of the next key with this name begins; `end`: there is none. */
static const unsigned char *value_of(struct piece object, const char *key)
{
    const size_t n = strlen(key);
    for (const unsigned char *s = object.s; s < object.end; s++) {
        s = memmem(s, (size_t)(object.end - s), key, n);
        if (!s)
            break;
        const unsigned char *to = s + n;
        if (s == object.s || s[-1] != '"' || to == object.end || *to != '"')
            continue;
        to = pd_scan_skip_spaces(to + 1, object.end);
        if (to < object.end && *to == ':')
            return to + 1;
    }
    return object.end;
}

/* Take a string: its escapes are undone. */
static void take_string(struct pd_byline *t, int row, struct piece string)
{
    struct pd_bytes plain = {0};
    for (const unsigned char *s = string.s; s < string.end && plain.n < VALUE_MOST; s++) {
        unsigned code = 0;
        if (*s != '\\' || string.end - s < 2) {
            pd_bytes_push(&plain, *s);
        } else if (*++s != 'u' || string.end - s < 5) {
            pd_bytes_push(&plain, strchr("nrtbf", *s) ? ' ' : *s);
        } else {
            for (int k = 0; k < 4; k++) {
                const unsigned char c = *++s | 0x20;
                code = 16 * code + (c >= 'a' ? c - 'a' + 10u : c - (unsigned)'0') % 16;
            }
            pd_bytes_print(&plain, "&#%u;", code); /* a half of a pair becomes U+FFFD */
        }
    }
    take(t, row, (struct piece){plain.v, plain.v + plain.n});
    pd_bytes_release(&plain);
}

static void take_linked(struct pd_byline *t, struct piece data)
{
    for (int k = 0; k < ROWS; k++) {
        if (rows[k].place != LINKED)
            continue;
        const unsigned char *at = value_of(data, rows[k].name);
        struct piece string = string_at(at, data.end);
        if (string.s == data.end && rows[k].what == PD_BYLINE_AUTHOR) /* an object, or a list */
            string = string_at(value_of((struct piece){at, data.end}, "name"), data.end);
        take_string(t, k, string);
    }
}

/* ---- documents ---- */

void pd_byline_clear(struct pd_byline *t)
{
    for (int k = 0; k < PD_BYLINES; k++)
        t->values[k].n = 0;
}

/* Take what an added dialect says of the element of this tag. */
static void take_added(struct pd_byline *t, const struct pd_dialect *d,
                       const struct pd_xml_tag *tag, const unsigned char *far)
{
    size_t n;
    for (int what = 0; what < PD_BYLINES; what++)
        for (const char *s = d->bylines[what]; (s = pd_dialect_name(s, &n)) != NULL; s += n) {
            char key[NAME_MOST];
            snprintf(key, sizeof key, "%.*s", (int)n, s);
            char *at = strchr(key, '@');
            if (at)
                *at = '\0';
            if (!tag->closing && pd_xml_is_named(tag, key))
                take_ranked(t, what, 0, at ? attribute(tag, at + 1) : content_of(tag, far));
        }
}

/* Does the added dialect say where title, author or date stand? Then nothing else does. */
static bool has_bylines(const struct pd_dialect *d)
{
    return d && (d->bylines[PD_BYLINE_TITLE] || d->bylines[PD_BYLINE_AUTHOR] ||
                 d->bylines[PD_BYLINE_DATE]);
}

static void read_added(struct pd_byline *t, const struct pd_dialect *d, const unsigned char *s,
                       const unsigned char *end)
{
    while (s < end && (s = memchr(s, '<', (size_t)(end - s)))) {
        const struct pd_xml_tag tag = pd_xml_tag_read(s, end);
        take_added(t, d, &tag, end - s > ELEMENT_MOST ? s + ELEMENT_MOST : end);
        s = pd_scan_begins(s, end, "<!--") ? pd_scan_behind(s, end, "-->") : tag.end;
    }
}

void pd_byline_markup(struct pd_byline *t, const unsigned char *s, size_t n)
{
    const unsigned char *const end = s + (n < LOOK_MOST ? n : LOOK_MOST);
    const struct pd_dialect *added = pd_xml_begin(s, end).added;
    if (has_bylines(added)) {
        read_added(t, added, s, end);
        return;
    }
    static const struct {
        const char *name;
        enum place place;
    } places[] = {
        {"titleStmt", TITLE_STATEMENT}, {"sourceDesc", SOURCE}, {"publicationStmt", PUBLICATION},
        {"title-group", ARTICLE},       {"contrib", ARTICLE},   {"pub-date", ARTICLE_DATE},
        {"PubDate", ARTICLE_DATE},      {"history", NOWHERE},   {"title-info", BOOK},
        {"document-info", NOWHERE}};
    enum place place = ELEMENT;
    while (s < end && (s = memchr(s, '<', (size_t)(end - s)))) {
        if (pd_scan_begins(s, end, "<!--")) {
            s = pd_scan_behind(s, end, "-->");
            continue;
        }
        const struct pd_xml_tag tag = pd_xml_tag_read(s, end);
        const bool script = pd_xml_is_named(&tag, "script");
        s = tag.end;
        if (pd_xml_is_named(&tag, tag.closing ? "teiHeader" : "body"))
            break;
        if (tag.closing) {
            place = pd_xml_is_named(&tag, "sourceDesc") ? ELEMENT : place;
        } else if (pd_xml_is_named(&tag, "meta")) {
            take_meta(t, &tag);
        } else if (script || pd_xml_is_named(&tag, "style")) {
            const struct piece content = content_of(&tag, end);
            if (script && is_word(attribute(&tag, "type"), "application/ld+json"))
                take_linked(t, content);
            s = content.end;
        } else {
            for (size_t k = 0; k < sizeof places / sizeof *places; k++)
                if (place != SOURCE && pd_xml_is_named(&tag, places[k].name)) /* has others in it */
                    place = places[k].place;
            const struct piece role = attribute(&tag, "contrib-type");
            if (role.s < role.end && !is_word(role, "author"))
                place = NOWHERE;
            const struct piece when = attribute(&tag, "when");
            const unsigned char *far = end - s > ELEMENT_MOST ? s + ELEMENT_MOST : end;
            for (int k = 0; k < ROWS; k++)
                if (rows[k].place == place && pd_xml_is_named(&tag, rows[k].name))
                    take(t, k, when.s < when.end ? when : content_of(&tag, far));
        }
    }
}

void pd_byline_release(struct pd_byline *t)
{
    for (int k = 0; k < PD_BYLINES; k++)
        pd_bytes_release(&t->values[k]);
}

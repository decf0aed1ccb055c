/* html_sniff.c - pd_html_sniff, pd_html_is_xhtml, see include/pardup/document/html.h */
#include <string.h>
#include <strings.h>

#include "document/chars.h"
#include "html_raw.h"
#include "html_tag.h"
#include "pardup/document/html.h"

enum {
    SNIFF = 1024, /* bytes that are looked at behind leading white space */
    LATE = 65536, /* bytes in which a page may begin behind other text: messages of its server */
    EARLY = 4096, /* bytes in which a page behind an unknown tag has its first tags */
    TAGS = 4,     /* tags there that make it a page, at least */
    XHTML = 4096, /* bytes in which a page may call itself XHTML */
    TAIL = 256    /* bytes at the end of a page that holds its last end tag */
};

/*
 * Elements whose tag at the start makes a text HTML: the elements of the MIME Sniffing standard,
 * section 7.1, and others that are common.
 */
static const char *const openings[] = {
    "html",       "head",  "body",   "title",    "meta", "link",   "base",    "style",
    "script",     "table", "div",    "p",        "a",    "b",      "i",       "br",
    "hr",         "h1",    "h2",     "h3",       "h4",   "h5",     "h6",      "font",
    "center",     "img",   "iframe", "ul",       "ol",   "li",     "dl",      "pre",
    "blockquote", "span",  "form",   "frameset", "main", "header", "article", "section"};

static bool starts_with(const unsigned char *s, const unsigned char *end, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - s) >= n && strncasecmp((const char *)s, word, n) == 0;
}

static const unsigned char *skip_spaces(const unsigned char *s, const unsigned char *end)
{
    while (s < end && *s != '\0' && strchr(" \t\n\f\r", *s))
        s++;
    return s;
}

/* The position behind the next `mark`; NULL when there is none. */
static const unsigned char *after(const unsigned char *s, const unsigned char *end,
                                  const char *mark)
{
    const unsigned char *match = memmem(s, (size_t)(end - s), mark, strlen(mark));
    return match ? match + strlen(mark) : NULL;
}

/* Does s[0, n) begin like a page? Looks at no byte behind `end`. */
static bool begins_page(const unsigned char *s, const unsigned char *end)
{
    static const char doctype[] = "<!doctype";
    for (;;) {
        s = skip_spaces(s, end);
        const bool comment = starts_with(s, end, "<!--");
        if (!comment && !starts_with(s, end, "<?xml"))
            break;
        s = after(s, end, comment ? "-->" : "?>");
        if (s == NULL) /* a text seldom begins with a long comment, but a page often does */
            return comment;
    }
    if (starts_with(s, end, doctype))
        return pd_html_named(skip_spaces(s + sizeof doctype - 1, end), end, "html");
    for (size_t k = 0; s < end && *s == '<' && k < sizeof openings / sizeof *openings; k++) {
        if (pd_html_named(s + 1, end, openings[k]))
            return true;
    }
    return false;
}

/* The position behind the name of a tag, of letters and digits, at s; NULL when there is none. */
static const unsigned char *behind_name(const unsigned char *s, const unsigned char *end,
                                        struct pd_tag_name *name)
{
    const unsigned char *const behind = pd_tag_name_slow(s, end, name);
    if (s == end || !is_ascii_lower(*s | 0x20) || behind == end)
        return NULL;
    while (s < behind && (is_ascii_lower(*s | 0x20) || is_ascii_digit(*s)))
        s++;
    return s == behind ? behind : NULL;
}

/*
 * Does [s, end) begin with some tag, and have several tags of HTML, end tags among them? Prose
 * about HTML begins with a word, an address in angle brackets is no tag, and names there have no
 * end tags.
 */
static bool has_tags(const unsigned char *s, const unsigned char *end)
{
    const struct pd_element_slot *const elements = pd_element_slots();
    struct pd_tag_name name;
    unsigned tags = 0, ends = 0;
    if (s == end || *s != '<' || !behind_name(s + 1, end, &name))
        return false;
    for (; (s = memchr(s, '<', (size_t)(end - s))) != NULL; s++) {
        const bool closing = end - s > 1 && s[1] == '/';
        if (!behind_name(s + 1 + closing, end, &name) ||
            pd_element_find(elements, &name)->name[0] == '\0')
            continue;
        tags++;
        ends += closing;
    }
    return tags >= TAGS && ends > 0;
}

/*
 * Is the last end tag of a page near the end of s[0, n), with nothing behind it but white space or
 * what begins with a tag? Behind a page that a program holds stand quotes and the program.
 */
static bool ends_page(const unsigned char *s, size_t n)
{
    const unsigned char *const end = s + n, *behind = NULL;
    for (s = n < TAIL ? s : end - TAIL; s < end; s++) {
        if (starts_with(s, end, "</html>") || starts_with(s, end, "</body>"))
            behind = s + strlen("</html>");
    }
    if (behind == NULL)
        return false;
    behind = skip_spaces(behind, end);
    return behind == end || *behind == '<';
}

/* Is there a document type or <html> tag in [s, end), behind other text? */
static bool begins_late(const unsigned char *s, const unsigned char *end)
{
    for (; (s = memchr(s, '<', (size_t)(end - s))) != NULL; s++) {
        if (starts_with(s, end, "<!doctype html") || pd_html_named(s + 1, end, "html"))
            return true;
    }
    return false;
}

/* The first byte of s[0, n) behind a byte order mark and white space. */
static const unsigned char *first_sign(const unsigned char *s, size_t n)
{
    const unsigned char *end = s + n;
    return skip_spaces(starts_with(s, end, "\xEF\xBB\xBF") ? s + 3 : s, end);
}

bool pd_html_sniff(const unsigned char *s, size_t n)
{
    const unsigned char *const first = first_sign(s, n), *const end = s + n;
    if (begins_page(first, end - first < SNIFF ? end : first + SNIFF) ||
        has_tags(first, end - first < EARLY ? end : first + EARLY))
        return true;
    return ends_page(s, n) && begins_late(first, end - first < LATE ? end : first + LATE);
}

bool pd_html_is_xhtml(const unsigned char *s, size_t n)
{
    static const char doctype[] = "<!doctype";
    const unsigned char *const first = first_sign(s, n);
    const unsigned char *const end = n - (size_t)(first - s) < XHTML ? s + n : first + XHTML;
    if (starts_with(first, end, "<?xml"))
        return true;
    for (s = first; (s = memchr(s, '<', (size_t)(end - s))) != NULL; s++) {
        const bool type = starts_with(s, end, doctype), root = pd_html_named(s + 1, end, "html");
        if (!type && !root)
            continue;
        const unsigned char *gt = memchr(s, '>', (size_t)(end - s));
        const size_t tag = (size_t)((gt ? gt : end) - s);
        if (memmem(s, tag, type ? "XHTML" : "xmlns=", 5 + (size_t)root) != NULL)
            return true;
        if (root)
            return false;
    }
    return false;
}

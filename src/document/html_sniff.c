/* html_sniff.c - pd_html_sniff, see include/pardup/document/html.h */
#include <strings.h>

#include "html_raw.h"
#include "pardup/document/html.h"

enum { SNIFF = 1024 }; /* bytes that are looked at */

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

bool pd_html_sniff(const unsigned char *s, size_t n)
{
    static const char doctype[] = "<!doctype";
    const unsigned char *end = s + (n < SNIFF ? n : SNIFF);
    if (starts_with(s, end, "\xEF\xBB\xBF"))
        s += 3;
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

/* document/feed.c - see feed.h */
#include "feed.h"

#include <string.h>
#include <strings.h>

#include "pardup/base/scan.h"
#include "pardup/base/xml_tag.h"
#include "pardup/document/html.h"

enum {
    ROBOTS_MOST = 512 << 10 /* bytes of a robots.txt, as in RFC 9309 */
};

#define CDATA       "<![CDATA["
#define CDATA_END   "]]>"
#define COUNT(a)    (sizeof(a) / sizeof *(a))
#define BYTES(text) (sizeof(text) - 1)

static bool begins_with(const unsigned char *s, const unsigned char *end, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - s) >= n && strncasecmp((const char *)s, word, n) == 0;
}

/* Does a tag at s have the name `name`? s is behind its '<' or "</". */
static bool is_named(const unsigned char *s, const unsigned char *end, const char *name)
{
    const size_t n = strlen(name);
    return begins_with(s, end, name) && (size_t)(end - s) > n &&
           (pd_scan_is_space(s[n]) || s[n] == '>' || s[n] == '/');
}

/* ---- text of a feed ---- */

/*
 * Append the content at s of the element `name` to `out`, up to its end tag or the end of the feed.
 * Returns the position behind the end tag.
 */
static const unsigned char *take_content(const unsigned char *s, const unsigned char *end,
                                         const char *name, struct pd_bytes *out)
{
    while (s < end) {
        const unsigned char *lt = memchr(s, '<', (size_t)(end - s));
        pd_xml_unescape(s, lt ? lt : end, out);
        if (!lt)
            break;
        if (end - lt > 2 && lt[1] == '/' && is_named(lt + 2, end, name))
            return pd_scan_behind(lt, end, ">");
        s = lt + 1;
        if (begins_with(lt, end, CDATA)) {
            const unsigned char *from = lt + BYTES(CDATA);
            s = pd_scan_behind(from, end, CDATA_END);
            pd_bytes_append(out, from, (size_t)(s - from) - (s < end ? BYTES(CDATA_END) : 0));
        } else {
            pd_bytes_append(out, lt, 1); /* a tag of XHTML */
        }
    }
    return end;
}

/* Append the text of the HTML in `part` to `out`, as a paragraph of its own. */
static void add_paragraph(struct pd_bytes *out, const struct pd_bytes *part)
{
    const size_t before = out->n;
    if (before > 0)
        pd_bytes_append(out, "\n\n", 2);
    const size_t from = out->n;
    pd_html_text(part->v, part->n, out);
    if (out->n == from)
        out->n = before;
}

void pd_feed_text(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    static const char *const names[] = {"title",           "description", "summary",
                                        "content:encoded", "subtitle",    "content"};
    const unsigned char *const end = s + n;
    struct pd_bytes part = {0};
    while ((s = memchr(s, '<', (size_t)(end - s))) != NULL) {
        size_t k = 0;
        s++;
        if (begins_with(s, end, "!--")) {
            s = pd_scan_behind(s, end, "-->");
            continue;
        }
        while (k < COUNT(names) && !is_named(s, end, names[k]))
            k++;
        if (k == COUNT(names))
            continue;
        s = pd_scan_behind(s, end, ">");
        if (s[-2] == '/') /* an empty element */
            continue;
        part.n = 0;
        s = take_content(s, end, names[k], &part);
        add_paragraph(out, &part);
    }
    pd_bytes_release(&part);
}

/* ---- robots.txt ---- */

/* Is the line [s, end) a rule: a name, a colon and a value? */
static bool is_rule(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *from = s;
    while (s < end && ((*s | 0x20) >= 'a' || *s == '-') && *s < 0x7f)
        s++;
    const bool name = s > from;
    s = pd_scan_skip_spaces(s, end);
    return name && s < end && *s == ':';
}

/* Does the line [s, end) name the columns of CDX: a blank, "CDX", and a letter for each column? */
static bool names_columns(const unsigned char *s, const unsigned char *end)
{
    static const char mark[] = " CDX";
    enum { LEAST = 3 }; /* columns */
    size_t columns = 0;
    const size_t n = sizeof mark - 1;
    if ((size_t)(end - s) < n || memcmp(s, mark, n) != 0)
        return false;
    for (s += n; end - s >= 2 && s[0] == ' ' && s[1] > ' '; s += 2)
        columns++;
    return columns >= LEAST && (s == end || *s == '\r');
}

bool pd_cdx_sniff(const unsigned char *s, size_t n)
{
    enum { DIGITS = 14 }; /* of a date with its time */
    static const char *const starts[] = {"!OpenWayback-CDXJ ", "!CDXJ ", "!meta {"};
    if (n == 0)
        return false;
    for (size_t k = 0; k < COUNT(starts); k++)
        if (n >= strlen(starts[k]) && memcmp(s, starts[k], strlen(starts[k])) == 0)
            return true;
    const unsigned char *const lf = memchr(s, '\n', n), *const end = lf ? lf : s + n;
    if (names_columns(s, end))
        return true;
    const unsigned char *blank = memchr(s, ' ', (size_t)(end - s));
    if (!blank || !memchr(s, ')', (size_t)(blank - s)))
        return false;
    const unsigned char *p = blank + 1;
    size_t digits = 0;
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
        digits++;
    }
    if (digits != DIGITS || end - p < 3 || *p != ' ')
        return false;
    return p[1] == '{' || memmem(p, (size_t)(end - p), "://", 3);
}

bool pd_robots_sniff(const unsigned char *s, size_t n)
{
    static const char *const rules[] = {"user-agent", "disallow",    "allow",
                                        "sitemap",    "crawl-delay", "host"};
    const unsigned char *const end = s + n;
    bool first = true;
    if (n > ROBOTS_MOST)
        return false;
    if (begins_with(s, end, "\xEF\xBB\xBF"))
        s += 3;
    while ((s = pd_scan_skip_spaces(s, end)) < end) {
        const unsigned char *lf = memchr(s, '\n', (size_t)(end - s)), *line = lf ? lf : end;
        if (*s != '#') {
            size_t k = 0;
            while (k < COUNT(rules) && !begins_with(s, line, rules[k]))
                k++;
            if (!is_rule(s, line) || (first && k == COUNT(rules)))
                return false;
            first = false;
        }
        s = line;
    }
    return !first;
}

/* base/xml_tag.c - see base/xml_tag.h */
#include "pardup/base/xml_tag.h"

#include <string.h>
#include <strings.h>

#include "pardup/base/scan.h"

#define CDATA_END "]]>"

enum {
    TAGS_LOOK = 256,    /* bytes behind a line end in which its first word begins */
    BASE64_LEAST = 200, /* bytes of a text that may be base64 */
    LINE_LEAST = 60     /* letters of its first line that are looked at */
};

/* Where the tag ends whose attributes begin at s: at a '>' outside quotes, or `end`. */
static const unsigned char *find_tag_end(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *at = s;
    unsigned char quote = 0;
    for (; at < end && (quote || *at != '>'); at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
    }
    if (at < end || !quote)
        return at;
    at = memchr(s, '>', (size_t)(end - s)); /* a quote that is never closed is none */
    return at ? at : end;
}

bool pd_xml_tag_begins(const unsigned char *s, const unsigned char *end)
{
    s += end - s > 1 && s[1] == '/' ? 2 : 1;
    return s < end && ((*s | 0x20) >= 'a' || *s == '_' || *s >= 0x80);
}

struct pd_xml_tag pd_xml_tag_read(const unsigned char *s, const unsigned char *end)
{
    struct pd_xml_tag tag = {.closing = s + 1 < end && s[1] == '/'};
    const unsigned char *name = s + 1 + tag.closing;
    for (s = name; s < end && !pd_scan_is_space(*s) && *s != '>' && *s != '/'; s++)
        if (*s == ':')
            name = s + 1;
    tag.name = name;
    tag.n = (size_t)(s - name);
    tag.attributes = s;
    s = find_tag_end(s, end);
    tag.empty = s < end && s[-1] == '/';
    tag.end = s < end ? s + 1 : end;
    return tag;
}

bool pd_xml_is_named(const struct pd_xml_tag *tag, const char *name)
{
    return tag->n == strlen(name) && strncasecmp((const char *)tag->name, name, tag->n) == 0;
}

size_t pd_xml_find_name(const struct pd_xml_tag *tag, const char *const *names, size_t n)
{
    size_t k = 0;
    while (k < n && !pd_xml_is_named(tag, names[k]))
        k++;
    return k;
}

const unsigned char *pd_xml_cdata(const unsigned char *s, const unsigned char *end,
                                  const unsigned char **text_end)
{
    const unsigned char *text = s + strlen(PD_CDATA), *next = pd_scan_behind(text, end, CDATA_END);
    const bool ends = next - text >= 3 && pd_scan_begins(next - 3, end, CDATA_END);
    *text_end = ends ? next - 3 : next;
    return next;
}

bool pd_xml_attribute(const struct pd_xml_tag *tag, const char *name, const unsigned char **from,
                      const unsigned char **to)
{
    const unsigned char *s = tag->attributes, *const end = tag->end;
    const size_t n = strcspn(name, " ");
    const bool any = *name == ':';
    while ((s = pd_scan_skip_spaces(s, end)) < end) {
        const unsigned char *const attribute = s;
        while (s < end && *s != '=' && !pd_scan_is_space(*s))
            s++;
        const size_t all = (size_t)(s - attribute);
        const bool found = (all == n || (any && all > n)) && memcmp(s - n, name, n) == 0;
        s = pd_scan_skip_spaces(s, end);
        if (s == end || *s != '=')
            continue;
        s = pd_scan_skip_spaces(s + 1, end);
        if (s == end || (*s != '"' && *s != '\''))
            continue;
        *from = s + 1;
        *to = memchr(s + 1, *s, (size_t)(end - s) - 1);
        if (!*to)
            break;
        if (found)
            return *to > *from;
        s = *to + 1;
    }
    return false;
}

void pd_xml_unescape(const unsigned char *s, const unsigned char *end, struct pd_bytes *out)
{
    static const struct {
        const char *name, *text;
    } known[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}};
    enum { KNOWN = sizeof known / sizeof *known };
    while (s < end) {
        const unsigned char *amp = memchr(s, '&', (size_t)(end - s));
        pd_bytes_append(out, s, (size_t)((amp ? amp : end) - s));
        if (!amp)
            break;
        size_t k = 0;
        while (k < KNOWN &&
               !((size_t)(end - amp) >= strlen(known[k].name) &&
                 strncasecmp((const char *)amp, known[k].name, strlen(known[k].name)) == 0))
            k++;
        pd_bytes_append(out, k < KNOWN ? known[k].text : "&", 1);
        s = amp + (k < KNOWN ? strlen(known[k].name) : 1);
    }
}

bool pd_xml_is_base64(const unsigned char *s, const unsigned char *to)
{
    bool small = false, capital = false, digit = false;
    size_t n = 0;
    if (to - s < BASE64_LEAST)
        return false;
    for (s = pd_scan_skip_spaces(s, to); s < to && n < LINE_LEAST; s++, n++) {
        small |= *s >= 'a' && *s <= 'z';
        capital |= *s >= 'A' && *s <= 'Z';
        digit |= *s >= '0' && *s <= '9';
        if (!((*s | 0x20) >= 'a' && (*s | 0x20) <= 'z') && !(*s >= '/' && *s <= '9') && *s != '+')
            return false;
    }
    return n == LINE_LEAST && small && capital && digit;
}

bool pd_xml_is_capital(const unsigned char *s, const unsigned char *end)
{
    end = end - s < TAGS_LOOK ? end : s + TAGS_LOOK;
    while ((s = pd_scan_skip_spaces(s, end)) < end && *s == '<')
        s = pd_scan_behind(s, end, ">");
    return end - s > 1 && s[0] >= 'A' && s[0] <= 'Z' && !(s[1] >= 'A' && s[1] <= 'Z');
}

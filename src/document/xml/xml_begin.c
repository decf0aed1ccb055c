/* document/xml/xml_begin.c - see xml_begin.h */
#include "xml_begin.h"

#include <string.h>

#include "pardup/base/scan.h"
#include "pardup/document/html.h"
#include "xml.h"

enum { ROOT_LOOK = 1 << 16 }; /* bytes in which the root element begins */

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- pieces of a file ---- */

const unsigned char *pd_xml_behind_declaration(const unsigned char *s, const unsigned char *end)
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
    return pd_xml_behind_declaration(s, end);
}

const unsigned char *pd_xml_pass_prolog(const unsigned char *s, const unsigned char *end,
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
            s = s[1] == '?' ? pd_scan_behind(s, end, "?>") : pd_xml_behind_declaration(s, end);
        }
    }
    return s;
}

/* ---- what a file is ---- */

struct pd_xml_beginning pd_xml_begin(const unsigned char *s, const unsigned char *end)
{
    const unsigned char *type, *type_end;
    end = end - s < ROOT_LOOK ? end : s + ROOT_LOOK;
    struct pd_xml_beginning b = {.root = {.n = 0}};
    s = pd_xml_pass_prolog(s, end, &type, &type_end);
    if (end - s < 2 || *s != '<' || s[1] == '/' || !pd_xml_tag_begins(s, end))
        return b;
    b.root = pd_xml_tag_read(s, end);
    b.added = pd_dialect_find_added(&b.root, type ? type : s, end);
    if (!b.added || !b.added->closed)
        b.dialect = pd_dialect_find(&b.root, type ? type : s, end);
    if (type) {
        type = pd_scan_skip_spaces(type + strlen("<!DOCTYPE"), type_end);
        const size_t n = (size_t)(b.root.attributes - (s + 1)); /* bytes of its name and prefix */
        b.typed = (size_t)(type_end - type) > n && memcmp(type, s + 1, n) == 0;
    }
    return b;
}

static bool is_one_of(const struct pd_xml_tag *tag, const char *const *names, size_t n)
{
    return pd_xml_find_name(tag, names, n) < n;
}

enum pd_xml_kind pd_xml_sniff(const unsigned char *s, size_t n)
{
    static const char *const feeds[] = {"rss", "feed", "RDF"};
    static const char *const sitemaps[] = {"urlset", "sitemapindex"};
    const unsigned char *const end = s + (n < ROOT_LOOK ? n : ROOT_LOOK);
    const struct pd_xml_beginning b = pd_xml_begin(s, s + n);
    if (b.root.n == 0 || (!b.added && pd_xml_is_named(&b.root, "html")))
        return PD_XML_OTHER;
    if (b.dialect && pd_scan_begins(s, end, "<pardup-"))
        return PD_XML_PARTS;
    if (b.added)
        return PD_XML_TEXT;
    if (is_one_of(&b.root, feeds, COUNT(feeds)))
        return PD_XML_FEED;
    if (is_one_of(&b.root, sitemaps, COUNT(sitemaps)))
        return PD_XML_SITEMAP;
    const unsigned char *first = pd_scan_begins(s, end, "\xEF\xBB\xBF") ? s + 3 : s;
    const bool declared = pd_scan_begins(pd_scan_skip_spaces(first, end), end, "<?xml");
    return b.dialect || b.typed || (declared && !pd_html_sniff(s, n)) ? PD_XML_TEXT : PD_XML_OTHER;
}

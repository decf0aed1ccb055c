/* charset_meta.c - pd_charset_declared, see src/document/charset/charset_label.h */
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "charset_label.h"

/* A string inside the page: n bytes at s. */
struct span {
    const char *s;
    size_t n;
};

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }

static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

static bool equals(struct span a, const char *word)
{
    return a.n == strlen(word) && strncasecmp(a.s, word, a.n) == 0;
}

static const char *skip_spaces(const char *s, const char *end)
{
    while (s < end && is_space(*s))
        s++;
    return s;
}

/*
 * Read a value that is in quotes, or ends before white space or a byte of `stops`. Returns the
 * position behind it.
 */
static const char *get_value(const char *s, const char *end, const char *stops, struct span *value)
{
    *value = (struct span){s, 0};
    if (s < end && (*s == '"' || *s == '\'')) {
        const char *quote = memchr(s + 1, *s, (size_t)(end - s - 1));
        if (quote == NULL)
            return end;
        *value = (struct span){s + 1, (size_t)(quote - s - 1)};
        return quote + 1;
    }
    while (s < end && !is_space(*s) && strchr(stops, *s) == NULL)
        s++;
    value->n = (size_t)(s - value->s);
    return s;
}

/* Read the next attribute of a tag. Returns the position behind it; NULL when there is no more. */
static const char *get_attribute(const char *s, const char *end, struct span *name,
                                 struct span *value)
{
    while (s < end && (is_space(*s) || *s == '/'))
        s++;
    if (s >= end || *s == '>')
        return NULL;
    const char *first = s++;
    while (s < end && !is_space(*s) && *s != '/' && *s != '>' && *s != '=')
        s++;
    *name = (struct span){first, (size_t)(s - first)};
    *value = (struct span){s, 0};
    const char *sign = skip_spaces(s, end);
    if (sign == end || *sign != '=')
        return sign;
    return get_value(skip_spaces(sign + 1, end), end, ">", value);
}

/* The label behind the first "`word` =" in a text; label.s is NULL when there is none. */
static struct span label_in(struct span text, const char *word)
{
    const size_t n = strlen(word);
    const char *end = text.s + text.n;
    struct span label = {NULL, 0};
    for (const char *s = text.s; (size_t)(end - s) > n; s++) {
        if (strncasecmp(s, word, n) != 0)
            continue;
        const char *sign = skip_spaces(s + n, end);
        if (sign == end || *sign != '=')
            continue;
        get_value(skip_spaces(sign + 1, end), end, ";", &label);
        break;
    }
    return label;
}

/* The set with this label, or UTF-8 instead of UTF-16, in which the label could not be read. */
static const struct pd_charset *find_readable(struct span label)
{
    const struct pd_charset *c = pd_charset_find(label.s, label.n);
    const bool wide = c && (c->kind == PD_CHARSET_UTF16LE || c->kind == PD_CHARSET_UTF16BE);
    return wide ? pd_charset_find("utf-8", 5) : c;
}

/* The set that a <meta> tag names, or NULL. `s` is behind "<meta". */
static const struct pd_charset *from_meta(const char *s, const char *end)
{
    struct span name, value, direct = {NULL, 0}, pragma = {NULL, 0};
    bool is_pragma = false;
    for (const char *next; (next = get_attribute(s, end, &name, &value)) != NULL; s = next) {
        if (equals(name, "charset"))
            direct = value;
        else if (equals(name, "content"))
            pragma = label_in(value, "charset");
        else if (equals(name, "http-equiv"))
            is_pragma = equals(value, "content-type");
    }
    if (memchr(s, '>', (size_t)(end - s)) == NULL) /* the tag is cut off */
        return NULL;
    if (direct.s)
        return find_readable(direct);
    return is_pragma ? find_readable(pragma) : NULL;
}

/* The position behind the next `mark`; `end` when there is none. */
static const char *after(const char *s, const char *end, const char *mark)
{
    const char *match = memmem(s, (size_t)(end - s), mark, strlen(mark));
    return match ? match + strlen(mark) : end;
}

/* The position behind the markup at s, where s[0] is '<'. Quotes hide a '>' only inside a tag. */
static const char *skip_markup(const char *s, const char *end)
{
    struct span name, value;
    if (end - s < 2)
        return end;
    if (end - s >= 4 && memcmp(s, "<!--", 4) == 0)
        return after(s + 2, end, "-->"); /* <!--> is a whole comment */
    if (s[1] == '!' || s[1] == '?')
        return after(s, end, ">");
    const bool closing = s[1] == '/';
    s += closing ? 2 : 1;
    if (s == end || !is_letter(*s)) /* with no letter behind, "</" opens a comment, "<" is text */
        return closing ? after(s, end, ">") : s;
    while (s < end && !is_space(*s) && *s != '>')
        s++;
    for (const char *next; (next = get_attribute(s, end, &name, &value)) != NULL;)
        s = next;
    return after(s, end, ">");
}

const struct pd_charset *pd_charset_declared(const unsigned char *html, size_t n)
{
    static const char meta[] = "<meta", xml[] = "<?xml";
    const size_t meta_n = sizeof meta - 1, xml_n = sizeof xml - 1;
    const char *s = (const char *)html, *end = s + n;
    const struct pd_charset *c = NULL;
    for (const char *lt = s; lt < end; lt = skip_markup(lt, end)) {
        lt = memchr(lt, '<', (size_t)(end - lt));
        if (lt == NULL)
            break;
        const bool is_meta = (size_t)(end - lt) > meta_n && strncasecmp(lt, meta, meta_n) == 0 &&
                             (is_space(lt[meta_n]) || lt[meta_n] == '/');
        if (is_meta && (c = from_meta(lt + meta_n, end)) != NULL)
            return c;
    }
    if ((size_t)(end - s) > xml_n && memcmp(s, xml, xml_n) == 0) {
        const char *close = memchr(s, '>', (size_t)(end - s));
        const struct span declaration = {s, close ? (size_t)(close - s) : 0};
        return find_readable(label_in(declaration, "encoding"));
    }
    return NULL;
}

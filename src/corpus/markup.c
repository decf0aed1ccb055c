/* corpus/markup.c - see markup.h */
#include "markup.h"

#include <string.h>

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Append text of XML with its usual references replaced. */
static void append(struct pd_bytes *to, const char *s, const char *end)
{
    static const struct {
        const char *name;
        char c;
    } references[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    while (s < end) {
        size_t n = 1;
        char c = *s;
        for (size_t k = 0; *s == '&' && k < sizeof references / sizeof *references; k++) {
            const size_t m = strlen(references[k].name);
            if ((size_t)(end - s) >= m && memcmp(s, references[k].name, m) == 0) {
                n = m;
                c = references[k].c;
            }
        }
        pd_bytes_push(to, (unsigned char)c);
        s += n;
    }
}

/* Where the tag ends whose attributes begin at s: behind a '>' outside quotes, or at `end`. */
static const char *behind_tag(const char *s, const char *end)
{
    char quote = 0;
    for (; s < end; s++) {
        if (quote)
            quote = *s == quote ? 0 : quote;
        else if (*s == '"' || *s == '\'')
            quote = *s;
        else if (*s == '>')
            return s + 1;
    }
    return end;
}

bool pd_markup_next(struct pd_markup *m, const char *name)
{
    const size_t wanted = strlen(name);
    while (m->at < m->end && (m->at = memchr(m->at, '<', (size_t)(m->end - m->at))) != NULL) {
        const char *s = m->at + 1, *begin = s;
        for (; s < m->end && !is_space(*s) && *s != '>' && *s != '/'; s++)
            if (*s == ':')
                begin = s + 1;
        m->attributes = s;
        m->at = m->content = behind_tag(s, m->end);
        if ((size_t)(s - begin) == wanted && memcmp(begin, name, wanted) == 0)
            return true;
    }
    m->at = m->end;
    return false;
}

bool pd_markup_attribute(const struct pd_markup *m, const char *name, struct pd_bytes *to)
{
    const char *s = m->attributes, *end = m->content;
    const size_t wanted = strlen(name);
    to->n = 0;
    while (s < end) {
        while (s < end && (is_space(*s) || *s == '/' || *s == '>'))
            s++;
        const char *begin = s;
        while (s < end && *s != '=')
            s++;
        const char *behind = s;
        while (behind > begin && is_space(behind[-1]))
            behind--;
        for (s += s < end; s < end && is_space(*s);)
            s++;
        const char *close = s < end ? memchr(s + 1, *s, (size_t)(end - s) - 1) : NULL;
        if (!close)
            return false;
        const size_t n = (size_t)(behind - begin);
        if (n >= wanted && memcmp(behind - wanted, name, wanted) == 0 &&
            (n == wanted || *name == ':')) {
            append(to, s + 1, close);
            return true;
        }
        s = close + 1;
    }
    return false;
}

void pd_markup_text(const struct pd_markup *m, struct pd_bytes *to)
{
    const char *s = m->content;
    const char *end = s < m->end ? memchr(s, '<', (size_t)(m->end - s)) : NULL;
    if (!end)
        return;
    while (s < end && is_space(*s))
        s++;
    while (end > s && is_space(end[-1]))
        end--;
    append(to, s, end);
}

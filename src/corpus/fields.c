/* corpus/fields.c - see fields.h */
#include "fields.h"

#include <string.h>
#include <strings.h>

#include "pardup/base/scan.h"

#define NAME_MOST ((size_t)80) /* bytes of the name of a field of a message */

static bool is_space(unsigned char c) { return pd_scan_is_blank(c) || c == '\r' || c == '\n'; }

size_t pd_fields_end(const unsigned char *s, size_t n)
{
    size_t line = 0;
    for (;;) {
        const unsigned char *lf = memchr(s + line, '\n', n - line);
        if (!lf)
            return 0;
        const size_t end = (size_t)(lf - s) + 1;
        while (s[line] == '\r')
            line++;
        if (line + 1 == end)
            return end;
        line = end;
    }
}

static void trim(const unsigned char **v, size_t *n)
{
    while (*n > 0 && is_space(**v)) {
        ++*v;
        --*n;
    }
    while (*n > 0 && is_space((*v)[*n - 1]))
        --*n;
}

/* Copy the value v[0, n) to the field. A line end and the blanks around it become one space. */
static void set_value(struct pd_field *f, const unsigned char *v, size_t n, struct pd_arena *arena)
{
    trim(&v, &n);
    char *to = pd_arena_alloc(arena, n + 1);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[i] != '\n' && v[i] != '\r') {
            to[k++] = (char)v[i];
            continue;
        }
        while (k > 0 && pd_scan_is_blank((unsigned char)to[k - 1]))
            k--;
        while (is_space(v[i + 1])) /* stops within v, which does not end in white space */
            i++;
        to[k++] = ' ';
    }
    to[k] = '\0';
    f->v = to;
    f->n = k;
}

static struct pd_field *find_wanted(const unsigned char *name, size_t n, struct pd_field *wanted,
                                    size_t nwanted)
{
    while (n > 0 && pd_scan_is_blank(name[n - 1]))
        n--;
    for (size_t k = 0; n > 0 && k < nwanted; k++)
        if (((unsigned char)wanted[k].name[0] | 0x20) == (name[0] | 0x20) &&
            strlen(wanted[k].name) == n && strncasecmp(wanted[k].name, (const char *)name, n) == 0)
            return &wanted[k];
    return NULL;
}

void pd_fields_read(const unsigned char *s, size_t n, struct pd_field *wanted, size_t nwanted,
                    struct pd_arena *arena)
{
    for (size_t line = 0; line < n;) {
        size_t end = line;
        do { /* the line, with the lines that continue it */
            const unsigned char *lf = memchr(s + end, '\n', n - end);
            end = lf ? (size_t)(lf - s) + 1 : n;
        } while (end < n && pd_scan_is_blank(s[end]));
        const unsigned char *colon = memchr(s + line, ':', end - line);
        if (colon) {
            const size_t name_n = (size_t)(colon - s) - line;
            struct pd_field *f = find_wanted(s + line, name_n, wanted, nwanted);
            if (f && !f->v)
                set_value(f, colon + 1, end - line - name_n - 1, arena);
        }
        line = end;
    }
}

bool pd_field_is(const struct pd_field *f, const char *value)
{
    return f->v && f->n == strlen(value) && strncasecmp(f->v, value, f->n) == 0;
}

static struct pd_field trimmed(const char *v, size_t n)
{
    const unsigned char *p = (const unsigned char *)v;
    trim(&p, &n);
    return (struct pd_field){NULL, (const char *)p, n};
}

struct pd_field pd_field_main(const struct pd_field *f)
{
    if (!f->v)
        return *f;
    size_t from = 0;
    for (const char *close; from < f->n && strchr(" \t\"'(", f->v[from]); from++)
        if (f->v[from] == '(' && (close = memchr(f->v + from, ')', f->n - from)))
            from = (size_t)(close - f->v);
    size_t to = from;
    while (to < f->n && !strchr(" \t\"'(;", f->v[to]))
        to++;
    return (struct pd_field){NULL, f->v + from, to - from};
}

/* The value of f from *at up to the next `separator`, trimmed. *at moves behind the separator. */
static struct pd_field next_item(const struct pd_field *f, char separator, size_t *at)
{
    const char *from = f->v + *at, *to = memchr(from, separator, f->n - *at);
    const size_t n = to ? (size_t)(to - from) : f->n - *at;
    *at += n + 1;
    return trimmed(from, n);
}

struct pd_field pd_field_parameter(const struct pd_field *f, const char *name)
{
    const size_t name_n = strlen(name);
    for (size_t at = 0; f->v && at < f->n;) {
        const struct pd_field p = next_item(f, ';', &at);
        const char *equals = memchr(p.v, '=', p.n);
        if (!equals || trimmed(p.v, (size_t)(equals - p.v)).n != name_n ||
            strncasecmp(p.v, name, name_n) != 0)
            continue;
        struct pd_field v = trimmed(equals + 1, p.n - (size_t)(equals + 1 - p.v));
        while (v.n > 0 && (*v.v == '"' || *v.v == '\'')) {
            v.v++;
            v.n--;
        }
        while (v.n > 0 && (v.v[v.n - 1] == '"' || v.v[v.n - 1] == '\''))
            v.n--;
        return v;
    }
    return (struct pd_field){0};
}

bool pd_field_lists(const struct pd_field *f, const char *token)
{
    for (size_t at = 0; f->v && at < f->n;) {
        const struct pd_field p = next_item(f, ',', &at);
        if (pd_field_is(&p, token))
            return true;
    }
    return false;
}

/* Bytes of the field name at the start of the line s[0, n); 0 when there is none. */
static size_t field_name(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && k < NAME_MOST && s[k] > ' ' && s[k] < 0x7f && s[k] != ':')
        k++;
    return k < n && s[k] == ':' ? k : 0;
}

bool pd_fields_begin_message(const unsigned char *s, size_t n)
{
    static const char *const others[] = {"Subject",    "Date",       "Message-ID",
                                         "Newsgroups", "References", "Path",
                                         "Received",   "To",         "Content-Type"};
    bool from = false, other = false;
    for (size_t line = 0; line < n;) {
        const unsigned char *lf = memchr(s + line, '\n', n - line);
        const size_t end = lf ? (size_t)(lf - s) : n;
        size_t empty = line;
        while (empty < end && s[empty] == '\r')
            empty++;
        if (lf && empty == end)
            return from && other;
        const size_t name = field_name(s + line, end - line);
        const bool more = line > 0 && (s[line] == ' ' || s[line] == '\t');
        if (name == 0 && !more && lf)
            return false;
        from |= (name == 4 && strncasecmp((const char *)s + line, "From", 4) == 0) ||
                (name == 12 && strncasecmp((const char *)s + line, "MIME-Version", 12) == 0);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            other |= name == strlen(others[k]) &&
                     strncasecmp((const char *)s + line, others[k], name) == 0;
        line = end + 1;
    }
    return from && other; /* s ends inside the header */
}

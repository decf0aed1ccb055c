/* document/xml/xml_entities.c - see xml_entities.h */
#include "xml_entities.h"

#include <string.h>

#include "pardup/base/scan.h"
#include "pardup/base/search.h"

enum {
    NAME_MOST = 64,  /* bytes of a name */
    DEPTH_MOST = 32, /* entities in values of entities */
    FREE = 1 << 20   /* bytes of values that any file may expand */
};

static int compare(const unsigned char *a, size_t a_n, const unsigned char *b, size_t b_n)
{
    const int order = memcmp(a, b, a_n < b_n ? a_n : b_n);
    return order ? order : (a_n > b_n) - (a_n < b_n);
}

/* By name; of several with one name the first declaration comes first. */
static int compare_entities(const void *x, const void *y)
{
    const struct pd_xml_entity *a = x, *b = y;
    const int order = compare(a->name, a->name_n, b->name, b->name_n);
    return order ? order : (a->name > b->name) - (a->name < b->name);
}

static bool is_of_xml(const unsigned char *name, size_t n)
{
    static const char *const names[] = {"amp", "lt", "gt", "quot", "apos"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == n && memcmp(names[k], name, n) == 0)
            return true;
    return false;
}

/* Read the declaration whose keyword ends at s. Returns where to go on. */
static const unsigned char *read_entity(const unsigned char *s, const unsigned char *end,
                                        struct pd_xml_entities *entities)
{
    const unsigned char *name = pd_scan_skip_spaces(s, end), *name_end = name;
    while (name_end < end && !pd_scan_is_space(*name_end) && *name_end != '>')
        name_end++;
    const size_t n = (size_t)(name_end - name);
    const unsigned char *quote = pd_scan_skip_spaces(name_end, end);
    if (name == s || n == 0 || quote == end || (*quote != '"' && *quote != '\''))
        return name_end;
    const unsigned char *value = quote + 1;
    const unsigned char *close = memchr(value, *quote, (size_t)(end - value));
    if (!close)
        return end;
    if (n <= NAME_MOST && !is_of_xml(name, n))
        pd_xml_entities_push(entities, (struct pd_xml_entity){.name = name,
                                                              .name_n = n,
                                                              .value = value,
                                                              .value_n = (size_t)(close - value)});
    return close + 1;
}

void pd_xml_entities_read(const unsigned char *s, const unsigned char *end,
                          struct pd_xml_entities *entities)
{
    static const char keyword[] = "<!ENTITY";
    while (s < end && (s = memchr(s, '<', (size_t)(end - s))) != NULL) {
        if (pd_scan_begins(s, end, "<!--"))
            s = pd_scan_behind(s, end, "-->");
        else if (pd_scan_begins(s, end, keyword))
            s = read_entity(s + sizeof keyword - 1, end, entities);
        else
            s++;
    }
    PD_VEC_SORT(entities, compare_entities);
}

/* The first entity of this name; NULL: there is none. */
static struct pd_xml_entity *find(const struct pd_xml_entities *e, const unsigned char *name,
                                  size_t n)
{
    size_t low = 0, high = e->n;
    PD_BISECT(low, high, middle, compare(e->v[middle].name, e->v[middle].name_n, name, n) < 0);
    return low < e->n && compare(e->v[low].name, e->v[low].name_n, name, n) == 0 ? &e->v[low]
                                                                                 : NULL;
}

struct expansion {
    struct pd_xml_entities *entities;
    struct pd_bytes *out;
    size_t left; /* bytes of values that may be expanded */
    int depth;   /* entities that are open */
};

/* Where to go on behind a comment or CDATA at s, which stay as they are; s: there is neither. */
static const unsigned char *pass_literal(const unsigned char *s, const unsigned char *end)
{
    if (pd_scan_begins(s, end, "<!--"))
        return pd_scan_behind(s, end, "-->");
    return pd_scan_begins(s, end, "<![CDATA[") ? pd_scan_behind(s, end, "]]>") : s;
}

static void expand(struct expansion *x, const unsigned char *s, const unsigned char *end);

/* Expand the reference at s, which is a '&'. Returns where to go on; s: it stays. */
static const unsigned char *expand_reference(struct expansion *x, const unsigned char *s,
                                             const unsigned char *end)
{
    const size_t most = end - s - 1 < NAME_MOST + 1 ? (size_t)(end - s - 1) : NAME_MOST + 1;
    const unsigned char *close = most > 0 ? memchr(s + 1, ';', most) : NULL;
    if (!close || close == s + 1)
        return s;
    struct pd_xml_entity *e = find(x->entities, s + 1, (size_t)(close - s) - 1);
    if (!e || e->open || e->value_n >= x->left || x->depth == DEPTH_MOST)
        return s;
    x->left -= e->value_n + 1;
    x->depth++;
    e->open = true;
    expand(x, e->value, e->value + e->value_n);
    e->open = false;
    x->depth--;
    return close + 1;
}

static void expand(struct expansion *x, const unsigned char *s, const unsigned char *end)
{
    while (s < end) {
        const unsigned char *from = s;
        while (s < end && *s != '&' && *s != '<')
            s++;
        pd_bytes_append(x->out, from, (size_t)(s - from));
        if (s == end)
            return;
        const unsigned char *next = *s == '<' ? pass_literal(s, end) : expand_reference(x, s, end);
        if (*s == '<')
            pd_bytes_append(x->out, s, (size_t)(next - s));
        if (next == s)
            pd_bytes_push(x->out, *s++);
        else
            s = next;
    }
}

void pd_xml_entities_expand(struct pd_xml_entities *entities, const unsigned char *s,
                            const unsigned char *end, struct pd_bytes *out)
{
    struct expansion x = {.entities = entities, .out = out, .left = (size_t)(end - s) + FREE};
    expand(&x, s, end);
}

/* letter.c - see letter.h */
#include "letter.h"

#include <string.h>
#include <strings.h>

enum {
    SIGNATURE_LINES = 10,  /* lines of the longest signature */
    SIGNATURE_WIDTH = 100, /* bytes of its longest line */
    RULE_LEAST = 40        /* underscores that begin a footer */
};

/* A line: text[begin, end) without white space at its end; the next line begins at `next`. */
struct line {
    size_t begin, end, next;
};

static bool is_white(unsigned char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct line line_at(const unsigned char *s, size_t n, size_t begin)
{
    const unsigned char *lf = begin < n ? memchr(s + begin, '\n', n - begin) : NULL;
    struct line l = {begin, lf ? (size_t)(lf - s) : n, lf ? (size_t)(lf - s) + 1 : n};
    while (l.end > begin && is_white(s[l.end - 1]))
        l.end--;
    return l;
}

static bool is_empty(struct line l) { return l.end == l.begin; }

/* How deep the line is quoted: how many quotation marks it begins with. */
static unsigned depth_of(const unsigned char *s, struct line l)
{
    unsigned depth = 0;
    for (size_t k = l.begin; k < l.end && (is_white(s[k]) || memchr(">|:#", s[k], 4)); k++)
        depth += !is_white(s[k]);
    return depth;
}

static bool has_address(const unsigned char *s, struct line l)
{
    return memchr(s + l.begin, '@', l.end - l.begin) != NULL;
}

/* Bytes of the field name that the line begins with; 0: there is none. */
static size_t field_name(const unsigned char *s, struct line l)
{
    size_t k = l.begin;
    while (k < l.end && (((s[k] | 0x20) >= 'a' && (s[k] | 0x20) <= 'z') || s[k] == '-' ||
                         (s[k] >= '0' && s[k] <= '9')))
        k++;
    return k < l.end && s[k] == ':' ? k - l.begin : 0;
}

/* Is the field name s[0, n) From or Date? */
static bool tells_header(const unsigned char *s, size_t n)
{
    return n == 4 && (strncasecmp((const char *)s, "from", n) == 0 ||
                      strncasecmp((const char *)s, "date", n) == 0);
}

/* The end of a part of the header that begins at `begin`. `begin`: there is no header. */
static size_t part_end(const unsigned char *s, size_t begin, size_t n)
{
    bool told = false;
    size_t at = begin;
    for (struct line l; at < n && !is_empty(l = line_at(s, n, at)); at = l.next) {
        if (at > begin && is_white(s[at]))
            continue;
        const size_t name = field_name(s, l);
        if (name == 0)
            return begin;
        told |= tells_header(s + at, name);
    }
    return told ? at : begin;
}

/* The end of the header: where the first empty line behind it begins. 0: there is no header. */
static size_t header_end(const unsigned char *s, size_t n)
{
    size_t end = part_end(s, 0, n), at = end;
    while (at > 0 && at < n) {
        const struct line l = line_at(s, n, at);
        if (is_empty(l)) {
            at = l.next;
            continue;
        }
        const size_t part = part_end(s, at, n);
        if (part == at)
            break;
        end = at = part;
    }
    return end;
}

static bool is_mark(const unsigned char *s, struct line l)
{
    const size_t n = l.end - l.begin;
    size_t rule = 0;
    while (rule < n && s[l.begin + rule] == '_')
        rule++;
    return (n == 2 && s[l.begin] == '-' && s[l.begin + 1] == '-') || (rule == n && n >= RULE_LEAST);
}

/* Where the signature of the body s[from, n) begins; n: it has none. */
static size_t signature_begin(const unsigned char *s, size_t from, size_t n)
{
    size_t first = from, found = n, after = 0;
    while (first < n && (s[first] == '\n' || is_white(s[first])))
        first++; /* some line of the body begins before the signature */
    for (size_t at = n; at > first && after <= SIGNATURE_LINES;) { /* from the last line on */
        at--;
        while (at > first && s[at - 1] != '\n')
            at--;
        const struct line l = line_at(s, n, at);
        if (after > 0 && at > first && is_mark(s, l))
            found = at;
        if (l.end - l.begin > SIGNATURE_WIDTH)
            break;
        after += !is_empty(l);
    }
    return found;
}

/* Add s[from, to) to the blocks, unless it is empty. */
static void keep(struct pd_extents *blocks, size_t from, size_t to)
{
    if (from < to)
        pd_extents_push(blocks, (struct pd_extent){from, to});
}

bool pd_letter_body(const unsigned char *s, size_t n, struct pd_extents *blocks)
{
    const size_t header = header_end(s, n), end = signature_begin(s, header, n);
    size_t from = header;   /* the body from here on is not in `blocks` yet */
    struct line last = {0}; /* the last line that is not empty */
    size_t head = 0;        /* where the head that ends with `last` begins, if it is one */
    unsigned depth = 0;     /* of `last` */
    bool near = false;      /* `last` is the line before */
    bool maybe = false;     /* `last` is a head if a line follows that is quoted deeper */
    struct line l;
    for (size_t at = header; at < end; at = l.next) {
        l = line_at(s, end, at);
        if (is_empty(l)) {
            near = false;
            continue;
        }
        const unsigned deep = depth_of(s, l);
        if (maybe && deep > depth) {
            keep(blocks, from, head);
            from = last.next;
        }
        const bool own = has_address(s, l);
        const bool above = !own && near && deep == depth && has_address(s, last);
        maybe = s[l.end - 1] == ':' && (own || above);
        head = above ? last.begin : l.begin;
        depth = deep;
        near = true;
        last = l;
    }
    keep(blocks, from, end);
    const bool any = from > 0 || end < n;
    if (!any)
        blocks->n = 0;
    return any;
}

/* corpus/trec/sgml.c - see sgml.h */
#include "sgml.h"

#include <string.h>
#include <strings.h>

#include "pardup/base/scan.h"

#define TAG_MOST  ((size_t)4 << 10) /* bytes of a tag; anything longer is text with a '<' */
#define NAME_MOST ((size_t)40)      /* bytes of an element's name */
#define REF_MOST  ((size_t)10)      /* bytes of a character reference */

static bool is_name(unsigned char c)
{
    return pd_scan_is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

struct pd_borrowed pd_view_trim(struct pd_borrowed s)
{
    while (s.n > 0 && pd_scan_is_space(s.v[0])) {
        s.v++;
        s.n--;
    }
    while (s.n > 0 && pd_scan_is_space(s.v[s.n - 1]))
        s.n--;
    return s;
}

/* ---- tags ---- */

size_t pd_sgml_tag(const unsigned char *s, size_t n)
{
    size_t most = n < TAG_MOST ? n : TAG_MOST, k = 1;
    if (n < 3 || s[0] != '<')
        return 0;
    k += s[1] == '/';
    if (!pd_scan_is_letter(s[k]))
        return 0;
    const unsigned char *other = memchr(s + k, '<', most - k);
    most = other ? (size_t)(other - s) : most;
    const unsigned char *end = memchr(s + k, '>', most - k);
    return end ? (size_t)(end - s) + 1 : 0;
}

const unsigned char *pd_sgml_find(const unsigned char *s, size_t n, const char *tag)
{
    const size_t m = strlen(tag);
    for (size_t k = 0; k + m <= n; k++) {
        const unsigned char *hit = memchr(s + k, '<', n - k);
        if (!hit)
            break;
        k = (size_t)(hit - s);
        if ((size_t)(n - k) >= m && strncasecmp((const char *)hit, tag, m) == 0)
            return hit;
    }
    return NULL;
}

/* Bytes of the name at s. */
static size_t name_bytes(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && is_name(s[k]))
        k++;
    return k;
}

bool pd_sgml_is(const unsigned char *s, size_t n, const char *name)
{
    const size_t m = strlen(name);
    return n > m + 1 && s[0] == '<' && strncasecmp((const char *)s + 1, name, m) == 0 &&
           !is_name(s[m + 1]);
}

struct pd_borrowed pd_sgml_attribute(const unsigned char *s, size_t n, const char *name)
{
    const size_t tag = pd_sgml_tag(s, n), m = strlen(name);
    for (size_t k = 1; k + m + 2 < tag; k++) {
        if (!pd_scan_is_space(s[k - 1]) || strncasecmp((const char *)s + k, name, m) != 0)
            continue;
        size_t at = k + m;
        while (at < tag && pd_scan_is_space(s[at]))
            at++;
        if (s[at] != '=')
            continue;
        at++;
        while (at < tag && pd_scan_is_space(s[at]))
            at++;
        const bool quoted = s[at] == '"' || s[at] == '\'';
        const unsigned char quote = s[at];
        at += quoted;
        size_t end = at;
        while (end + 1 < tag && (quoted ? s[end] != quote : !pd_scan_is_space(s[end])))
            end++;
        return (struct pd_borrowed){s + at, end - at};
    }
    return (struct pd_borrowed){NULL, 0};
}

bool pd_sgml_element(const unsigned char *s, size_t n, const char *name,
                     struct pd_borrowed *content, size_t *total)
{
    *total = 0;
    const size_t tag = pd_sgml_tag(s, n);
    if (tag == 0 || s[1] == '/' || (name && !pd_sgml_is(s, n, name)))
        return false;
    char end[NAME_MOST + 4];
    const size_t m = name_bytes(s + 1, tag - 1);
    if (m > NAME_MOST)
        return false;
    memcpy(end, "</", 2);
    memcpy(end + 2, s + 1, m);
    memcpy(end + m + 2, ">", 2);
    const unsigned char *close = memmem(s + tag, n - tag, end, m + 3);
    if (!close)
        close = pd_sgml_find(s + tag, n - tag, end);
    const unsigned char *lf = close ? NULL : memchr(s + tag, '\n', n - tag);
    const unsigned char *stop = close ? close : lf ? lf : s + n;
    *content = (struct pd_borrowed){s + tag, (size_t)(stop - s) - tag};
    *total = (size_t)(stop - s) + (close ? m + 3 : 0);
    return true;
}

/* ---- text ---- */

/* Does this tag mark words inside a sentence? */
static bool is_inline(const unsigned char *tag, size_t n)
{
    static const char *const names[] = {"F",  "I",  "B",  "U",  "EM",  "T1",
                                        "T2", "T3", "T4", "T5", "SUB", "SUP"};
    const size_t from = 1 + (tag[1] == '/'), m = name_bytes(tag + from, n - from);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == m && strncasecmp(names[k], (const char *)tag + from, m) == 0)
            return true;
    return false;
}

/*
 * Bytes of the comment at s; 0 when it is none. *unclosed is set when a comment has no end: then no
 * later one has an end, either, and the search need not be repeated.
 */
static size_t comment(const unsigned char *s, size_t n, bool *unclosed)
{
    if (*unclosed || n < 4 || memcmp(s, "<!--", 4) != 0)
        return 0;
    const unsigned char *end = memmem(s + 4, n - 4, "-->", 3);
    *unclosed = !end;
    return end ? (size_t)(end - s) + 3 : 0;
}

/*
 * Bytes of the character reference at s, and its character in *c. Returns 0, and leaves *c, when it
 * is no known reference.
 */
static size_t reference(const unsigned char *s, size_t n, unsigned char *c)
{
    static const struct {
        const char *name;
        unsigned char c;
    } known[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const size_t m = strlen(known[k].name);
        if (n >= m && memcmp(s, known[k].name, m) == 0) {
            *c = known[k].c;
            return m;
        }
    }
    unsigned code = 0;
    size_t k = 2;
    if (n < 4 || s[1] != '#')
        return 0;
    while (k < n && k < REF_MOST && s[k] >= '0' && s[k] <= '9')
        code = 10 * code + (unsigned)(s[k++] - '0');
    if (k == 2 || k >= n || s[k] != ';' || code > 0x7f)
        return 0;
    *c = (unsigned char)code;
    return k + 1;
}

/* Append c. A third line end in a row and control characters other than TAB and LF are dropped. */
static void put_byte(struct pd_bytes *out, unsigned char c)
{
    const bool line = c == '\n';
    if ((c < ' ' && !line && c != '\t') || c == 0x7f)
        return;
    if (line && (out->n == 0 || (out->n > 1 && memcmp(out->v + out->n - 2, "\n\n", 2) == 0)))
        return; /* a tag has ended the paragraph */
    pd_bytes_reserve(out, out->n + 1);
    out->v[out->n++] = c;
}

/* End the text so far with an empty line, and nothing else behind its last letter. */
static void end_paragraph(struct pd_bytes *out)
{
    while (out->n > 0 && pd_scan_is_space(out->v[out->n - 1]))
        out->n--;
    if (out->n > 0)
        pd_bytes_append(out, "\n\n", 2);
}

/* Append the text of s[0, n): see pd_sgml_texts(). */
static void append_text(const unsigned char *s, size_t n, struct pd_bytes *out)
{
    bool unclosed = false;
    pd_bytes_reserve(out, out->n + n);
    for (size_t k = 0; k < n;) {
        unsigned char c = s[k];
        size_t used = 0;
        if (c == '<' && (used = comment(s + k, n - k, &unclosed)) > 0) {
            k += used;
            continue;
        }
        if (c == '<' && (used = pd_sgml_tag(s + k, n - k)) > 0) {
            if (!is_inline(s + k, used))
                end_paragraph(out);
            k += used;
            continue;
        }
        if (c == '&')
            used = reference(s + k, n - k, &c);
        put_byte(out, c);
        k += used > 0 ? used : 1;
    }
}

bool pd_sgml_texts(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                   struct pd_bytes *out)
{
    bool any = false;
    for (size_t k = 0; k < n;) {
        const unsigned char *hit = memchr(s + k, '<', n - k);
        if (!hit)
            break;
        k = (size_t)(hit - s);
        size_t total = 0;
        for (size_t i = 0; i < nnames; i++) {
            struct pd_borrowed content;
            const size_t m = strlen(names[i]);
            if (n - k <= m + 1 || memcmp(hit + 1, names[i], m) != 0 ||
                !pd_sgml_element(hit, n - k, names[i], &content, &total))
                continue;
            /* no end tag: the element is all that follows */
            if (total == (size_t)(content.v - hit) + content.n)
                content.n = (total = n - k) - (size_t)(content.v - hit);
            end_paragraph(out);
            append_text(content.v, content.n, out);
            any = true;
            break;
        }
        k += total > 0 ? total : 1;
    }
    while (out->n > 0 && pd_scan_is_space(out->v[out->n - 1]))
        out->n--;
    if (out->n > 0)
        pd_bytes_append(out, "\n", 1);
    return any;
}

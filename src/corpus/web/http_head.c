/* corpus/web/http_head.c - see http_head.h */
#include "http_head.h"

#include <string.h>
#include <strings.h>

#include "chunked.h"
#include "corpus/media.h"
#include "pardup/base/scan.h"

#define HEADS_MOST  8                 /* headers in front of a body */
#define STATUS_LOOK ((size_t)1 << 10) /* bytes in which a status line must begin */

enum line { LINE_EMPTY, LINE_FIELD, LINE_STATUS, LINE_BODY, LINE_OTHER };

/* Does s begin with "HTTP/" and a digit? */
static bool is_status(const unsigned char *s, size_t n)
{
    return n >= 6 && (s[0] | 0x20) == 'h' && strncasecmp((const char *)s, "HTTP/", 5) == 0 &&
           s[5] >= '0' && s[5] <= '9';
}

/* Is the line s[0, n) a header field, or one that continues a field? */
static bool is_field(const unsigned char *s, size_t n)
{
    size_t k = 0;
    if (n > 0 && pd_scan_is_blank(s[0]))
        return true;
    while (k < n && s[k] > ' ' && s[k] < 0x7f && s[k] != ':' && s[k] != '<' && s[k] != '>' &&
           s[k] != '"')
        k++;
    const size_t name = k;
    while (k < n && pd_scan_is_blank(s[k]))
        k++;
    return name > 0 && k < n && s[k] == ':';
}

/* May the line s[0, n), which is no field, be the first line of a body? */
static bool begins_body(const unsigned char *s, size_t n)
{
    static const char *const marks[] = {"<!", "<?", "<html", "<head", "<body", "<title", "<meta"};
    size_t k = 0;
    if (s[0] == '<')
        return true;
    while (k < n && pd_scan_is_blank(s[k]))
        k++;
    for (size_t m = 0; k < n && s[k] == '<' && m < sizeof marks / sizeof *marks; m++)
        if (n - k >= strlen(marks[m]) &&
            strncasecmp((const char *)s + k, marks[m], strlen(marks[m])) == 0)
            return true;
    return s[0] < '\t' || (s[0] > '\r' && s[0] < ' '); /* compressed data */
}

/* The kind of the line s[0, n), which includes its line end. */
static enum line line_kind(const unsigned char *s, size_t n)
{
    while (n > 0 && (s[n - 1] == '\n' || s[n - 1] == '\r'))
        n--;
    if (n == 0)
        return LINE_EMPTY;
    if (is_status(s, n))
        return LINE_STATUS;
    if (begins_body(s, n))
        return LINE_BODY;
    return is_field(s, n) ? LINE_FIELD : LINE_OTHER;
}

/* Where a header ends, as its lines tell. */
struct end {
    size_t body;  /* offset behind the header */
    size_t other; /* offset of the first line that is no field; 0: there is none */
    bool fields;  /* fields follow that line */
    bool found;   /* an empty line, or the first line of a body, ends the header */
    bool empty;   /* it is an empty line */
};

/* Go through the lines of the header at s[from, n). */
static struct end find_end(const unsigned char *s, size_t from, size_t n)
{
    struct end e = {.body = from};
    while (e.body < n && !e.found) {
        const size_t line = pd_scan_line(s + e.body, n - e.body);
        const enum line kind = line_kind(s + e.body, line);
        e.found = e.empty = kind == LINE_EMPTY;
        if (kind == LINE_BODY) {
            e.found = true;
            break;
        }
        if (kind == LINE_OTHER && e.other == 0)
            e.other = e.body;
        e.fields |= kind == LINE_FIELD && e.other > 0;
        e.body += line;
    }
    return e;
}

/*
 * Does the line at e->other, which is no field, belong to the body? It does when no empty line ends
 * the header, when it is the size of a first chunk, or when the body is plain text: then the empty
 * line may end its first paragraph.
 */
static bool is_of_body(const unsigned char *s, size_t n, const struct end *e,
                       const struct pd_field f[PD_HTTP_FIELDS])
{
    enum pd_media media;
    const size_t line = pd_scan_line(s + e->other, n - e->other);
    const bool sent = f[PD_HTTP_TRANSFER].n > 0;
    if (!e->found || (sent && pd_chunk_line_is(s + e->other, line)))
        return true;
    pd_media_of(&f[PD_HTTP_TYPE], &media);
    return !e->fields && !sent && f[PD_HTTP_CODING].n == 0 && media == PD_MEDIA_TEXT;
}

/* Read the header at s[from, n) into *head. Returns false when the header has no end. */
static bool read_head(const unsigned char *s, size_t from, size_t n, struct pd_arena *arena,
                      struct pd_http_head *head)
{
    struct end e = find_end(s, from, n);
    struct pd_field *f = head->field;
    pd_fields_read(s + from, (e.other > 0 ? e.other : e.body) - from, f, PD_HTTP_FIELDS, arena);
    if (e.other > 0 && is_of_body(s, n, &e, f)) {
        e.body = e.other;
        e.found = true;
        e.empty = false;
    } else if (e.other > 0) {
        pd_fields_read(s + from, e.body - from, f, PD_HTTP_FIELDS, arena);
    }
    head->body = e.body;
    head->mended |= !e.empty;
    return e.found;
}

/* The first digit of the status code in the line s[0, n); 0: there is none. */
static unsigned char status_class(const unsigned char *s, size_t n)
{
    const unsigned char *blank = memchr(s, ' ', pd_scan_line(s, n));
    while (blank && blank + 1 < s + n && pd_scan_is_blank(*blank))
        blank++;
    return blank ? *blank : 0;
}

/*
 * The body of the header at s[from] begins with a status line. Is it another header? A page that
 * shows a header is plain text, and comes with a type and status 200.
 */
static bool is_passed(const unsigned char *s, size_t from, size_t n,
                      const struct pd_http_head *head)
{
    enum pd_media media;
    const unsigned char class = status_class(s + from, n - from);
    pd_media_of(&head->field[PD_HTTP_TYPE], &media);
    return class == '1' || class == '3' || head->field[PD_HTTP_TYPE].n == 0 ||
           media == PD_MEDIA_HTML || media == PD_MEDIA_XHTML;
}

/* A line in s[0, n) that begins as a status line; n when there is none nearby. */
static size_t find_status(const unsigned char *s, size_t n)
{
    for (size_t at = 0; at < n && at < STATUS_LOOK; at += pd_scan_line(s + at, n - at))
        if (is_status(s + at, n - at))
            return at;
    return n;
}

static void clear(struct pd_http_head *head)
{
    *head = (struct pd_http_head){.field = {[PD_HTTP_TYPE] = {.name = "Content-Type"},
                                            [PD_HTTP_TRANSFER] = {.name = "Transfer-Encoding"},
                                            [PD_HTTP_CODING] = {.name = "Content-Encoding"}},
                                  .mended = head->mended};
}

const char *pd_http_head_read(const unsigned char *s, size_t n, struct pd_arena *arena,
                              struct pd_http_head *head)
{
    head->mended = false;
    clear(head);
    size_t from = is_status(s, n) ? 0 : find_status(s, n);
    head->mended = from > 0;
    if (from == n) { /* no status line: fields, or the page alone */
        from = 0;
        while (from < n && strchr("\r\n \t", s[from]) && s[from] != '\0')
            from++;
        if (pd_media_begins_page(s + from, n - from)) {
            head->body = from;
            return NULL;
        }
        const bool read = from < n && read_head(s, from, n, arena, head);
        return read && head->field[PD_HTTP_TYPE].n > 0 ? NULL
                                                       : "response does not begin with HTTP/";
    }
    if (!read_head(s, from, n, arena, head))
        return "HTTP header has no end";
    size_t status = from; /* where the status line of *head is */
    for (int heads = 1; heads < HEADS_MOST && is_status(s + head->body, n - head->body); heads++) {
        const struct pd_http_head before = *head;
        if (!is_passed(s, from, n, head))
            break;
        clear(head);
        from = before.body;
        if (!read_head(s, from, n, arena, head)) {
            *head = before;
            from = status;
            break;
        }
        status = from;
    }
    const unsigned char class = status_class(s + from, n - from);
    head->error = class == '4' || class == '5';
    return NULL;
}

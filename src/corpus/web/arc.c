/*
 * corpus/web/arc.c - records of ARC files, versions 1 and 2 (Internet Archive, before WARC).
 *
 * A record is a line "URL IP date type length", the content, and a line end. Version 2 has five
 * more fields before the length. An address may contain blanks, so fields cannot be counted from
 * the left. IP and date are the first two neighbouring fields that look like an IP and a date; the
 * address is what precedes them, and the length is the last field.
 */
#include <string.h>

#include "corpus/media.h"
#include "pardup/base/error.h"
#include "pardup/base/scan.h"
#include "sized.h"

#define LINE_MOST   ((size_t)4 << 10) /* bytes of a record's line; a longer line is garbage */
#define SCHEME_MOST ((size_t)16)      /* bytes of an address's scheme with its ':' */
#define DATE_LEAST  8  /* digits of a date without the time, as some tools write it */
#define DATE_MOST   20 /* digits of a date; 14 are usual, some tools write more */

struct span {
    const char *v; /* borrowed bytes */
    size_t n;
};

/* The line of a record, and what is needed of its fields. */
struct heading {
    struct span url;
    struct span type;
    struct span length;
    size_t line; /* bytes of the line, with its end */
};

static bool is_ip(struct span t)
{
    bool mark = false;
    for (size_t k = 0; k < t.n; k++) {
        if (!strchr("0123456789abcdefABCDEF.:", t.v[k]) || t.v[k] == '\0')
            return false;
        mark |= t.v[k] == '.' || t.v[k] == ':';
    }
    return mark;
}

static bool is_date(struct span t)
{
    size_t k = 0;
    while (k < t.n && pd_scan_is_digit((unsigned char)t.v[k]))
        k++;
    return k == t.n && k >= DATE_LEAST && k <= DATE_MOST;
}

/* The field at s[*at] or behind it; *at moves behind the field. */
static struct span next_span(const char *s, size_t n, size_t *at)
{
    while (*at < n && s[*at] == ' ')
        ++*at;
    const size_t from = *at;
    while (*at < n && s[*at] != ' ')
        ++*at;
    return (struct span){s + from, *at - from};
}

/* Is s[0, n) the line of a record? If so, its fields are set in *h. */
static bool read_line(const char *s, size_t n, struct heading *h)
{
    size_t at = 0;
    struct span a = next_span(s, n, &at), b = next_span(s, n, &at);
    while (at < n) {
        const size_t url = (size_t)(b.v - s);
        a = b;
        b = next_span(s, n, &at);
        if (!is_ip(a) || !is_date(b))
            continue;
        h->url = (struct span){s, url};
        while (h->url.n > 0 && s[h->url.n - 1] == ' ')
            h->url.n--;
        h->type = h->length = next_span(s, n, &at);
        for (struct span t = h->type; t.n > 0; t = next_span(s, n, &at))
            h->length = t;
        return h->type.n > 0;
    }
    return false;
}

/* Does s begin with a scheme and ':', as every address does? */
static enum pd_start starts_address(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < n && k < SCHEME_MOST; k++) {
        if (s[k] == ':')
            return k > 0 ? PD_START_YES : PD_START_NO;
        if (!((s[k] >= 'a' && s[k] <= 'z') ||
              (k > 0 && (pd_scan_is_digit(s[k]) || strchr("+-.", s[k])))))
            return PD_START_NO;
    }
    return n < SCHEME_MOST ? PD_START_CUT : PD_START_NO;
}

static enum pd_start starts_record(const unsigned char *s, size_t n)
{
    struct heading h;
    const enum pd_start address = starts_address(s, n);
    if (address != PD_START_YES)
        return address;
    const size_t most = n < LINE_MOST ? n : LINE_MOST;
    const unsigned char *lf = memchr(s, '\n', most);
    if (!lf)
        return n < LINE_MOST ? PD_START_CUT : PD_START_NO;
    size_t line = (size_t)(lf - s);
    while (line > 0 && s[line - 1] == '\r')
        line--;
    return read_line((const char *)s, line, &h) ? PD_START_YES : PD_START_NO;
}

static void read_heading(const unsigned char *s, size_t n, struct heading *h)
{
    const unsigned char *lf = memchr(s, '\n', n < LINE_MOST ? n : LINE_MOST);
    PD_CHECK(lf); /* starts_record() has found this line */
    size_t line = (size_t)(lf - s);
    h->line = line + 1;
    while (line > 0 && s[line - 1] == '\r')
        line--;
    PD_CHECK(read_line((const char *)s, line, h));
}

static const char *copy_span(struct pd_arena *arena, struct span t)
{
    return t.n > 0 ? memcpy(pd_arena_alloc(arena, t.n), t.v, t.n) : NULL;
}

/*
 * Set body, n, media and charset of *raw from the content. Returns PD_OK, PD_END when it is no
 * document, or PD_EFORMAT with *trouble.
 */
static int read_content(struct pd_reader *r, const struct pd_sized *rec,
                        const struct pd_field *type, struct pd_raw *raw, struct pd_trouble *trouble)
{
    raw->body = rec->s + rec->header;
    raw->n = rec->content;
    if (pd_scan_has(raw->body, raw->n, "HTTP/"))
        return pd_http_read(&r->http, raw->body, raw->n, &r->arena, raw, trouble);
    const struct pd_field charset = pd_media_charset(type);
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    const enum pd_type_says says = pd_media_of(type, &raw->media);
    return says == PD_TYPE_YES ||
                   (says == PD_TYPE_PERHAPS && pd_media_begins_page(raw->body, raw->n))
               ? PD_OK
               : PD_END;
}

static int read_record(struct pd_reader *r, struct pd_raw *raw)
{
    struct pd_sized rec = {.lines = 1};
    struct heading h;
    if (pd_sized_peek(r, &rec, LINE_MOST) == PD_EIO)
        return PD_EIO;
    read_heading(rec.s, rec.have, &h);
    rec.header = h.line;
    rec.length = pd_sized_number(h.length.v, h.length.n);
    rec.wanted =
        !pd_scan_has(rec.s, rec.have, "filedesc:") && !pd_scan_has(rec.s, rec.have, "dns:");
    raw->url_n = h.url.n; /* copies, since pd_sized_take() may move the bytes */
    raw->url = copy_span(&r->arena, h.url);
    const struct pd_field type = {NULL, copy_span(&r->arena, h.type), h.type.n};
    int status = pd_sized_take(r, &rec);
    if (status != PD_OK)
        return status;
    struct pd_trouble trouble;
    r->http.mended = false;
    status = rec.wanted ? read_content(r, &rec, &type, raw, &trouble) : PD_END;
    rec.repaired |= r->http.mended;
    return pd_sized_deliver(r, &rec, status, &trouble, raw);
}

/* The version record at the front is enough, even if the rest of its line is damaged. */
static bool recognises(const struct pd_beginning *file)
{
    return pd_scan_has(file->s + file->text, file->n - file->text, "filedesc://") ||
           pd_layout_starts(&pd_layout_arc, file);
}

const struct pd_layout pd_layout_arc = {.recognises = recognises,
                                        .next = pd_records_next,
                                        .many = true,
                                        .fixed = true,
                                        .starts = starts_record,
                                        .look = LINE_MOST,
                                        .magic = "http",
                                        .read = read_record};

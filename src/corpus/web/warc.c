/*
 * corpus/web/warc.c - records of WARC files (ISO 28500, and version 0.18 as used by ClueWeb09).
 *
 * A record starts with "WARC/", a version, a line end, and a line that begins like a header field.
 * A line ends in LF behind any number of CR, since some tools write CR CR LF.
 */
#include <string.h>

#include "corpus/media.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/scan.h"
#include "sized.h"

#define MAGIC       "WARC/"
#define MAGIC_N     (sizeof MAGIC - 1)
#define START_MOST  ((size_t)256)     /* bytes that decide whether a record starts */
#define NAME_MOST   ((size_t)100)     /* bytes of a header field's name */
#define HEADER_MOST ((size_t)1 << 20) /* bytes of a header */
#define PAD         64                /* readable bytes behind a body */
#define HEADER_LOOK ((size_t)4 << 10) /* bytes tried first; nearly all headers are shorter */

static bool is_name(unsigned char c) { return c > ' ' && c < 0x7f && c != ':'; }

static enum pd_start starts_record(const unsigned char *s, size_t n)
{
    if (memcmp(s, MAGIC, pd_min_size(n, MAGIC_N)) != 0)
        return PD_START_NO;
    size_t k = MAGIC_N, from = k;
    while (k < n && k < START_MOST / 2 && (pd_scan_is_digit(s[k]) || (s[k] == '.' && k > from)))
        k++;
    if (k < n && k < from + 3)
        return PD_START_NO;
    while (k < n && k < START_MOST / 2 && (s[k] == ' ' || s[k] == '\t'))
        k++;
    while (k < n && k < START_MOST / 2 && s[k] == '\r')
        k++;
    if (k < n && s[k++] != '\n')
        return PD_START_NO;
    from = k;
    while (k < n && k - from < NAME_MOST && is_name(s[k]))
        k++;
    if (k >= n)
        return PD_START_CUT;
    return k > from && s[k] == ':' ? PD_START_YES : PD_START_NO;
}

/* Does the file begin with "WARC/" and a digit? That is enough, even if the rest is damaged. */
static bool recognises(const struct pd_beginning *file)
{
    const unsigned char *s = file->s + file->text;
    return file->n - file->text > MAGIC_N && memcmp(s, MAGIC, MAGIC_N) == 0 &&
           pd_scan_is_digit(s[MAGIC_N]);
}

/* The header fields that are read. The ids stand in order of preference. */
enum {
    TYPE,
    TREC_ID,
    CLUEWEB_ID,
    RECORD_ID,
    URI,
    CONTENT_TYPE,
    CONTENT_LENGTH,
    SEGMENT, /* number of the segment of a record, from 1 */
    ORIGIN,  /* continuation: the id of the record that it continues */
    DATE,
    TOTAL, /* continuation, the last one: bytes of the content of all segments */
    NFIELDS
};

/* One record while it is read. */
struct record {
    struct pd_sized sized;
    struct pd_field field[NFIELDS]; /* its header fields, by the enumeration above */
    const unsigned char *content;   /* its content, of all segments */
    size_t n;                       /* bytes of the content */
};

static bool may_hold_document(const struct record *rec)
{
    const struct pd_field *type = &rec->field[TYPE];
    return pd_field_is(type, "response") || pd_field_is(type, "resource") ||
           pd_field_is(type, "conversion");
}

static bool is_revisit(const struct record *rec)
{
    return pd_field_is(&rec->field[TYPE], "revisit");
}

/* Read the fields of the header s[0, n). */
static void read_fields(struct pd_reader *r, const unsigned char *s, size_t n, struct record *rec)
{
    static const char *const names[NFIELDS] = {[TYPE] = "WARC-Type",
                                               [TREC_ID] = "WARC-TREC-ID",
                                               [CLUEWEB_ID] = "ClueWeb22-ID",
                                               [RECORD_ID] = "WARC-Record-ID",
                                               [URI] = "WARC-Target-URI",
                                               [CONTENT_TYPE] = "Content-Type",
                                               [CONTENT_LENGTH] = "Content-Length",
                                               [SEGMENT] = "WARC-Segment-Number",
                                               [ORIGIN] = "WARC-Segment-Origin-ID",
                                               [DATE] = "WARC-Date",
                                               [TOTAL] = "WARC-Segment-Total-Length"};
    for (int k = 0; k < NFIELDS; k++)
        rec->field[k].name = names[k];
    pd_fields_read(s, n, rec->field, NFIELDS, &r->arena);
    rec->sized.header = n;
    rec->sized.length = pd_sized_number(rec->field[CONTENT_LENGTH].v, rec->field[CONTENT_LENGTH].n);
}

/*
 * Read the header of the record at the mark. Returns PD_OK, PD_EIO, or another status when the
 * stream breaks or ends inside the header, or the header has no end within HEADER_MOST bytes.
 */
static int read_header(struct pd_reader *r, struct record *rec)
{
    struct pd_sized *z = &rec->sized;
    size_t want = HEADER_LOOK;
    for (;; want *= 4) {
        const int status = pd_sized_peek(r, z, want);
        if (status == PD_EIO)
            return status;
        z->header = pd_fields_end(z->s, pd_min_size(z->have, HEADER_MOST));
        if (z->header > 0)
            break;
        if (status != PD_OK || want >= HEADER_MOST)
            return status == PD_OK ? PD_END : status;
    }
    read_fields(r, z->s, z->header, rec);
    z->lines = 2;
    z->wanted = may_hold_document(rec) || (r->options.revisits && is_revisit(rec));
    return PD_OK;
}

/* ---- documents ---- */

/* The value of a field, without angle brackets around it. */
static void unwrap(const struct pd_field *field, const char **v, size_t *n)
{
    const bool angle = field->n > 2 && field->v[0] == '<' && field->v[field->n - 1] == '>';
    *v = angle ? field->v + 1 : field->v;
    *n = angle ? field->n - 2 : field->n;
}

static void name_document(const struct record *rec, struct pd_raw *raw)
{
    const struct pd_field *id = &rec->field[TREC_ID];
    while (id->n == 0 && id < &rec->field[RECORD_ID])
        id++;
    unwrap(id, &raw->id, &raw->id_n);
    unwrap(&rec->field[URI], &raw->url, &raw->url_n);
}

/*
 * Set body, n, head_n, media and charset of *raw from the content. Returns PD_OK, PD_END when it is
 * no document, or PD_EFORMAT with *trouble.
 */
static int read_content(struct pd_reader *r, struct pd_http *http, const struct record *rec,
                        struct pd_raw *raw, struct pd_trouble *trouble)
{
    const struct pd_field type = pd_field_main(&rec->field[CONTENT_TYPE]);
    raw->body = rec->content;
    raw->n = rec->n;
    if (pd_field_is(&rec->field[TYPE], "response") &&
        (pd_field_is(&type, "application/http") ||
         (raw->n >= 5 && memcmp(raw->body, "HTTP/", 5) == 0))) {
        const int status = pd_http_read(http, raw->body, raw->n, &r->arena, raw, trouble);
        raw->head_n += rec->sized.header;
        return status;
    }
    raw->head_n = rec->sized.header;
    const enum pd_type_says says = pd_media_of(&rec->field[CONTENT_TYPE], &raw->media);
    if (says == PD_TYPE_NO || (says == PD_TYPE_PERHAPS && !pd_media_begins_page(raw->body, raw->n)))
        return PD_END;
    if (pd_field_is(&rec->field[TYPE], "conversion") && raw->media == PD_MEDIA_UNKNOWN)
        raw->media = PD_MEDIA_TEXT;
    const struct pd_field charset = pd_media_charset(&rec->field[CONTENT_TYPE]);
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    return PD_OK;
}

int pd_warc_again(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    struct record rec = {0};
    struct pd_trouble trouble;
    const size_t header = pd_fields_end(s, pd_min_size(n, HEADER_MOST));
    *raw = (struct pd_raw){0};
    read_fields(r, s, header, &rec);
    if (header == 0 || rec.sized.length > n - header)
        return PD_EFORMAT;
    rec.content = s + header;
    rec.n = (size_t)rec.sized.length;
    return may_hold_document(&rec) ? read_content(r, &r->again, &rec, raw, &trouble) : PD_END;
}

/* ---- segments ---- */

/* Is `next` the segment behind the first `segments` segments of `rec`? */
static bool continues(const struct record *rec, const struct record *next, uint64_t segments)
{
    const struct pd_field *id = &rec->field[RECORD_ID], *origin = &next->field[ORIGIN];
    const struct pd_field *number = &next->field[SEGMENT];
    return pd_field_is(&next->field[TYPE], "continuation") && id->n > 0 && id->n == origin->n &&
           memcmp(id->v, origin->v, id->n) == 0 &&
           pd_sized_number(number->v, number->n) == segments + 1;
}

/*
 * Append the segments that follow the first segment `rec` directly to its content, which moves to
 * r->text. If the last one is not among them, report that the rest lies elsewhere: the document is
 * what there is. Returns PD_OK or PD_EIO.
 */
static int join_segments(struct pd_reader *r, struct record *rec)
{
    bool complete = false;
    r->text.n = 0;
    pd_bytes_append(&r->text, rec->content, rec->n);
    for (uint64_t segments = 1; !complete; segments++) {
        struct record next = {0};
        PD_TRY(pd_records_pass_blank(r));
        if (pd_sized_peek(r, &next.sized, START_MOST) == PD_EIO)
            return PD_EIO;
        if (next.sized.have == 0 || starts_record(next.sized.s, next.sized.have) != PD_START_YES)
            break;
        int status = read_header(r, &next);
        if (status == PD_OK && !continues(rec, &next, segments))
            break;
        if (status == PD_OK)
            status = pd_sized_take(r, &next.sized);
        if (status == PD_EIO)
            return status;
        if (status != PD_OK || r->text.n + next.sized.content > r->options.max_document)
            break;
        pd_bytes_append(&r->text, next.sized.s + next.sized.header, next.sized.content);
        const struct pd_field *total = &next.field[TOTAL];
        complete = pd_sized_number(total->v, total->n) == r->text.n;
    }
    if (!complete)
        pd_reader_tell(r, PD_SKIP_TRUNCATED,
                       "record in segments, of which only the first %zu bytes are here", r->text.n);
    pd_bytes_reserve(&r->text, r->text.n + PAD);
    rec->content = r->text.v;
    rec->n = r->text.n;
    return PD_OK;
}

/*
 * Pass over a continuation, which belongs to the record that it continues. If it is the first
 * record of its piece, its stored bytes count for the piece before.
 */
static int pass_continuation(struct pd_reader *r)
{
    if (r->piece.from > 0 && r->counted == r->offset)
        pd_reader_enter(r);
    return PD_END;
}

/* Finish a record that pd_sized_take() has passed. Returns PD_OK for a document, else PD_END. */
static int take_record(struct pd_reader *r, struct record *rec, struct pd_raw *raw)
{
    struct pd_trouble trouble = {PD_SKIP_HEADER, "record has no WARC-Type"};
    int status = rec->field[TYPE].n == 0 ? PD_EFORMAT : PD_END;
    r->http.mended = false;
    if (is_revisit(rec)) {
        r->counts.fields.revisits++;
        status = r->options.revisits ? PD_OK : PD_END;
        raw->revisit = true;
    } else if (rec->sized.wanted) {
        status = read_content(r, &r->http, rec, raw, &trouble);
    }
    rec->sized.repaired |= r->http.mended;
    if (status == PD_OK) {
        name_document(rec, raw);
        if (rec->field[DATE].n > 0)
            pd_reader_keep(r, raw, "date", rec->field[DATE].v, rec->field[DATE].n);
    }
    return pd_sized_deliver(r, &rec->sized, status, &trouble, raw);
}

static int read_record(struct pd_reader *r, struct pd_raw *raw)
{
    struct record rec = {0};
    int status = read_header(r, &rec);
    if (status == PD_EIO)
        return status;
    if (status != PD_OK && rec.sized.have < HEADER_MOST)
        return pd_records_lose(r, rec.sized.s, rec.sized.have, status);
    if (status != PD_OK) {
        pd_reader_tell(r, PD_SKIP_HEADER, "record header has no end");
        /* behind HEADER_MOST bytes, so that they are not searched again */
        return pd_records_leave(r, rec.sized.s, HEADER_MOST);
    }
    status = pd_sized_take(r, &rec.sized);
    if (status != PD_OK)
        return status;
    rec.content = rec.sized.s + rec.sized.header;
    rec.n = rec.sized.content;
    if (pd_field_is(&rec.field[TYPE], "continuation"))
        return pass_continuation(r);
    if (rec.sized.wanted && rec.field[SEGMENT].n > 0) {
        if (join_segments(r, &rec) == PD_EIO)
            return PD_EIO;
    } else {
        raw->kind = PD_RECORD_WARC;
        raw->record = rec.sized.s;
    }
    return take_record(r, &rec, raw);
}

/* A file that is named as a web archive is a piece of one: it may begin inside a record. */
static bool claims(const struct pd_reader_options *o, const unsigned char *s, size_t n, bool whole)
{
    (void)o, (void)s, (void)n, (void)whole;
    return true;
}

const struct pd_layout pd_layout_warc = {.recognises = recognises,
                                         .endings = {".warc"},
                                         .claims = claims,
                                         .next = pd_records_next,
                                         .many = true,
                                         .starts = starts_record,
                                         .look = START_MOST,
                                         .magic = MAGIC,
                                         .always_magic = true,
                                         .read = read_record};

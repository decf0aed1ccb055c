/*
 * corpus/warc.c - records of WARC files (ISO 28500; also 0.18 as ClueWeb09 has it).
 *
 * One rule says where a record may start: "WARC/", a version, a line end, and a line that begins
 * like a header field. It holds for the record that follows another as for the search of a piece's
 * first record, of a record behind garbage, and of the next record when a Content-Length is wrong;
 * a search also wants the start of a line or of a member, so that a page about WARC is no record.
 * Line ends are LF behind any number of CR: some writers put CR CR LF.
 * A right Content-Length always wins over such a line inside the content.
 */
#include <string.h>

#include "inside.h"
#include "pardup/base/error.h"

#define MAGIC       "WARC/"
#define MAGIC_N     (sizeof MAGIC - 1)
#define START_MOST  ((size_t)256)       /* bytes that decide whether a record starts */
#define NAME_MOST   ((size_t)100)       /* of a header field */
#define HEADER_MOST ((size_t)1 << 20)   /* of a whole header */
#define HEADER_LOOK ((size_t)4 << 10)   /* first try: nearly all headers are shorter */
#define LINE_ENDS   6                   /* bytes that may close a record: CR CR LF CR CR LF */
#define WINDOW      ((size_t)256 << 10) /* garbage passed at once */
#define REPAIR_MOST ((size_t)64 << 20)  /* content searched for the next record */
#define FOUND_MOST  20                  /* bytes shown of what stands where a record should */
#define NO_LENGTH   UINT64_MAX

/* ---- where records start ---- */

enum start { START_NO, START_YES, START_CUT /* the bytes end before it is decided */ };

static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

static bool is_name(unsigned char c) { return c > ' ' && c < 0x7f && c != ':'; }

static enum start starts_record(const unsigned char *s, size_t n)
{
    if (memcmp(s, MAGIC, n < MAGIC_N ? n : MAGIC_N) != 0)
        return START_NO;
    size_t k = MAGIC_N, from = k;
    while (k < n && k < START_MOST / 2 && (is_digit(s[k]) || (s[k] == '.' && k > from)))
        k++;
    if (k < n && k < from + 3)
        return START_NO;
    while (k < n && k < START_MOST / 2 && (s[k] == ' ' || s[k] == '\t'))
        k++;
    while (k < n && k < START_MOST / 2 && s[k] == '\r')
        k++;
    if (k < n && s[k++] != '\n')
        return START_NO;
    from = k;
    while (k < n && k - from < NAME_MOST && is_name(s[k]))
        k++;
    if (k >= n)
        return START_CUT;
    return k > from && s[k] == ':' ? START_YES : START_NO;
}

/* First place in s[from, n) where a record starts; n when there is none that is decided. */
static size_t find_record(const struct pd_reader *r, const unsigned char *s, size_t from, size_t n)
{
    for (size_t k = from; k < n; k++) {
        const unsigned char *hit = memmem(s + k, n - k, MAGIC, MAGIC_N);
        if (!hit)
            break;
        k = (size_t)(hit - s);
        const bool line = k > 0 ? s[k - 1] == '\n' : r->new_line;
        if ((line || pd_stream_boundary(r->stream, k)) && starts_record(hit, n - k) == START_YES)
            return k;
    }
    return n;
}

static void advance(struct pd_reader *r, const unsigned char *s, size_t n)
{
    if (n > 0)
        r->new_line = s[n - 1] == '\n';
    pd_stream_advance(r->stream, n);
}

/*
 * Go to the next place where a record starts; *passed counts the bytes before it. Stops in stored
 * bytes from `to` on. PD_OK, PD_END, PD_EIO, or PD_EFORMAT (at a break).
 */
static int pass_to_record(struct pd_reader *r, uint64_t to, uint64_t *passed)
{
    for (*passed = 0;;) {
        const unsigned char *s;
        size_t n;
        const int status = pd_stream_peek(r->stream, WINDOW, &s, &n);
        if (status == PD_EIO)
            return status;
        const size_t k = find_record(r, s, 0, n);
        const bool last = status == PD_EFORMAT || n < WINDOW;
        const size_t take = k < n || last ? k : n - START_MOST; /* a start may be cut */
        advance(r, s, take);
        *passed += take;
        if (k < n)
            return PD_OK;
        if (last)
            return status == PD_OK ? PD_END : status;
        uint64_t offset, skip;
        pd_stream_where(r->stream, &offset, &skip);
        if (offset >= to)
            return PD_END;
    }
}

/* Stand at the first record that starts in a piece which does not begin with the file. */
static int enter_middle(struct pd_reader *r)
{
    const struct pd_piece *p = &r->piece;
    uint64_t passed;
    if (pd_stream_packing(r->stream) == PD_PLAIN) {
        PD_TRY(pd_stream_open(r->stream, r->file->path, p->from - 1));
        r->new_line = false;
        return pass_to_record(r, p->to, &passed);
    }
    for (uint64_t from = p->from, skip;; from++) {
        const int status = pd_stream_seek_member(r->stream, from, p->to, MAGIC, MAGIC_N);
        if (status != PD_OK)
            return status;
        const unsigned char *s;
        size_t n;
        if (pd_stream_peek(r->stream, START_MOST, &s, &n) == PD_EIO)
            return PD_EIO;
        if (starts_record(s, n) != START_NO)
            return PD_OK;
        pd_stream_where(r->stream, &from, &skip);
    }
}

/* Does the record at the mark belong to the next piece, which finds it by itself? */
static bool is_past(const struct pd_reader *r)
{
    if (r->piece.nstripes > 1 || r->offset < r->piece.to)
        return false;
    return pd_stream_packing(r->stream) == PD_PLAIN ? r->new_line : r->skip == 0;
}

/* ---- between records ---- */

/* The stream broke at the mark, or in the record there. */
static int mend(struct pd_reader *r)
{
    if (is_past(r) && pd_stream_broken_begins(r->stream, MAGIC, MAGIC_N))
        return PD_END;
    r->new_line = true;
    return pd_reader_mend(r);
}

static int pass_garbage(struct pd_reader *r)
{
    const unsigned char *s;
    size_t n;
    PD_CHECK(pd_stream_peek(r->stream, 1, &s, &n) == PD_OK);
    char found[FOUND_MOST + 1];
    size_t k = 0;
    for (; k < FOUND_MOST && k < n; k++)
        found[k] = s[k] >= ' ' && s[k] < 0x7f ? (char)s[k] : '?';
    found[k] = '\0';
    uint64_t passed;
    advance(r, s, 1);
    const int status = pass_to_record(r, UINT64_MAX, &passed);
    if (status != PD_EIO)
        pd_reader_tell(r, PD_SKIP_GARBAGE, "%llu bytes; expected %s after the record, found '%s'",
                       (unsigned long long)passed + 1, MAGIC, found);
    return status == PD_EFORMAT ? PD_OK : status;
}

static int pass_blank(struct pd_reader *r)
{
    for (;;) {
        const unsigned char *s;
        size_t n, k = 0;
        if (pd_stream_peek(r->stream, 1, &s, &n) == PD_EIO)
            return PD_EIO;
        while (k < n && (s[k] == '\n' || s[k] == '\r'))
            k++;
        if (k == 0)
            return PD_OK;
        advance(r, s, k);
    }
}

/* Stand at the start of the piece's next record, and mark it. PD_OK, PD_END or PD_EIO. */
static int go_to_record(struct pd_reader *r)
{
    for (;;) {
        const unsigned char *s;
        size_t n;
        PD_TRY(pass_blank(r));
        int status = pd_stream_peek(r->stream, START_MOST, &s, &n);
        if (status == PD_EIO)
            return status;
        pd_reader_mark(r);
        if (n == 0 && status == PD_OK)
            return PD_END;
        const enum start start = starts_record(s, n);
        if (start == START_YES)
            return is_past(r) ? PD_END : PD_OK;
        if (start == START_NO) {
            status = pass_garbage(r);
        } else if (status == PD_EFORMAT) {
            status = mend(r);
        } else {
            pd_reader_tell(r, PD_SKIP_TRUNCATED, "file ends inside a record header");
            advance(r, s, n);
            return PD_END;
        }
        if (status != PD_OK)
            return status;
    }
}

/* ---- a record ---- */

enum { TYPE, TREC_ID, RECORD_ID, URI, CONTENT_TYPE, CONTENT_LENGTH, NFIELDS };

struct record {
    struct pd_field field[NFIELDS];
    size_t header;          /* bytes */
    uint64_t length;        /* of the content, as declared; NO_LENGTH */
    const unsigned char *s; /* the whole record, and what else is in the window */
    size_t have;
    size_t content, total; /* bytes; total: with header and closing line ends */
    bool repaired;
};

static uint64_t number(const struct pd_field *f)
{
    uint64_t x = 0;
    for (size_t k = 0; k < f->n; k++) {
        if (!is_digit((unsigned char)f->v[k]) || x > (UINT64_MAX - 10) / 10)
            return NO_LENGTH;
        x = 10 * x + (uint64_t)(f->v[k] - '0');
    }
    return f->n > 0 ? x : NO_LENGTH;
}

/* Peek, with the status told apart from a mere end: PD_OK, PD_END (fewer than want), PD_EFORMAT. */
static int peek(struct pd_reader *r, struct record *rec, size_t want)
{
    const int status = pd_stream_peek(r->stream, want, &rec->s, &rec->have);
    return status == PD_OK && rec->have < want ? PD_END : status;
}

/* PD_OK, PD_EIO, or PD_EFORMAT / PD_END when the header is cut or has no end in HEADER_MOST. */
static int read_header(struct pd_reader *r, struct record *rec)
{
    static const char *const names[NFIELDS] = {[TYPE] = "WARC-Type",
                                               [TREC_ID] = "WARC-TREC-ID",
                                               [RECORD_ID] = "WARC-Record-ID",
                                               [URI] = "WARC-Target-URI",
                                               [CONTENT_TYPE] = "Content-Type",
                                               [CONTENT_LENGTH] = "Content-Length"};
    for (int k = 0; k < NFIELDS; k++)
        rec->field[k].name = names[k];
    size_t want = HEADER_LOOK;
    for (;; want *= 4) {
        const int status = peek(r, rec, want);
        if (status == PD_EIO)
            return status;
        rec->header = pd_fields_end(rec->s, rec->have < HEADER_MOST ? rec->have : HEADER_MOST);
        if (rec->header > 0)
            break;
        if (status != PD_OK || want >= HEADER_MOST)
            return status == PD_OK ? PD_END : status;
    }
    pd_fields_read(rec->s, rec->header, rec->field, NFIELDS, &r->arena);
    rec->length = number(&rec->field[CONTENT_LENGTH]);
    return PD_OK;
}

/*
 * Bytes of up to two line ends at s[at]. They stop at the end of a member, so that they do not
 * depend on how much of the file is in the window.
 */
static size_t line_ends(const struct pd_reader *r, const unsigned char *s, size_t at, size_t n)
{
    size_t k = at;
    for (int lines = 0; lines < 2 && k < n; lines++) {
        size_t end = k;
        while (end < n && s[end] == '\r' && end - k < LINE_ENDS / 2 - 1 &&
               !pd_stream_boundary(r->stream, end + 1))
            end++;
        if (end == n || s[end] != '\n')
            break;
        k = end + 1;
        if (pd_stream_boundary(r->stream, k))
            break;
    }
    return k - at;
}

static int count_lines(const unsigned char *s, size_t n)
{
    int lines = 0;
    for (size_t k = 0; k < n; k++)
        lines += s[k] == '\n';
    return lines;
}

/* Is there a member's end within the line ends that may follow the content? */
static bool member_ends(const struct pd_reader *r, size_t end, size_t have)
{
    for (size_t k = end; k <= end + LINE_ENDS && k <= have; k++)
        if (pd_stream_boundary(r->stream, k))
            return true;
    return false;
}

/*
 * Does what follows the content bear its length out? PD_OK, PD_END (no) or PD_EIO. Line ends with
 * something strange behind them do when no record starts inside the content: that is garbage then.
 */
static int check_end(struct pd_reader *r, struct record *rec)
{
    const size_t end = rec->header + rec->content;
    if (rec->have < end + LINE_ENDS && !member_ends(r, end, rec->have) &&
        peek(r, rec, end + START_MOST) == PD_EIO)
        return PD_EIO;
    size_t next = end + line_ends(r, rec->s, end, rec->have);
    rec->total = next;
    if (pd_stream_boundary(r->stream, next))
        return PD_OK;
    if (peek(r, rec, next + START_MOST) == PD_EIO)
        return PD_EIO;
    while (next < rec->have && (rec->s[next] == '\n' || rec->s[next] == '\r'))
        next++;
    if (next == rec->have || starts_record(rec->s + next, rec->have - next) != START_NO)
        return PD_OK;
    const bool closed = count_lines(rec->s + end, rec->total - end) == 2;
    return closed && find_record(r, rec->s, rec->header, end) == end ? PD_OK : PD_END;
}

static void end_content(struct record *rec, size_t end)
{
    rec->total = end;
    for (int lines = 0; lines < 2 && end > rec->header && rec->s[end - 1] == '\n'; lines++) {
        end--;
        while (end > rec->header && rec->s[end - 1] == '\r')
            end--;
    }
    rec->content = end - rec->header;
    rec->repaired = true;
}

/*
 * The declared length is wrong: look for the next record in up to `most` bytes from the record's
 * start. PD_OK (found), PD_END (the file ends first), PD_EFORMAT (it breaks first), PD_EIO, or
 * PD_EFULL (neither within `most`).
 */
static int find_end(struct pd_reader *r, struct record *rec, size_t most)
{
    size_t from = rec->header, want = rec->have > most ? rec->have : rec->header + WINDOW;
    for (;;) {
        const int status = peek(r, rec, want);
        if (status == PD_EIO)
            return status;
        const size_t k = find_record(r, rec->s, from, rec->have);
        if (k < rec->have) {
            end_content(rec, k);
            return PD_OK;
        }
        if (status != PD_OK)
            return status;
        if (rec->have >= most)
            return PD_EFULL;
        from = rec->have - from > START_MOST ? rec->have - START_MOST : from;
        want = 2 * rec->have;
    }
}

/* The file ends or breaks inside the record: tell, and pass it. PD_END or PD_EIO. */
static int lose(struct pd_reader *r, const struct record *rec, int status)
{
    if (status == PD_EFORMAT) {
        status = mend(r);
    } else {
        pd_reader_tell(r, PD_SKIP_TRUNCATED, "file ends inside the record");
        advance(r, rec->s, rec->have);
    }
    return status == PD_EIO ? status : PD_END;
}

/*
 * Leave a record whose end is unknown for the next one that can be found behind its first n bytes.
 * PD_END or PD_EIO.
 */
static int leave(struct pd_reader *r, const struct record *rec, size_t n)
{
    uint64_t passed;
    advance(r, rec->s, n);
    return pass_to_record(r, UINT64_MAX, &passed) == PD_EIO ? PD_EIO : PD_END;
}

/* Find the record's content and end. PD_OK: in the window. PD_END: lost (told, passed). PD_EIO. */
static int frame_unknown(struct pd_reader *r, struct record *rec)
{
    const int status = find_end(r, rec, rec->header + REPAIR_MOST);
    if (status == PD_END) { /* the last one: all there is */
        end_content(rec, rec->have);
        return PD_OK;
    }
    if (status == PD_EFULL) {
        pd_reader_tell(r, PD_SKIP_LENGTH, "no Content-Length, and no other record near");
        return leave(r, rec, rec->header);
    }
    return status == PD_EFORMAT ? lose(r, rec, status) : status;
}

static int frame(struct pd_reader *r, struct record *rec)
{
    if (rec->length == NO_LENGTH)
        return frame_unknown(r, rec);
    const size_t end = rec->header + (size_t)rec->length;
    const int held = peek(r, rec, end);
    if (held == PD_EIO)
        return held;
    if (held == PD_OK) {
        rec->content = (size_t)rec->length;
        const int good = check_end(r, rec);
        if (good != PD_END)
            return good;
    }
    const size_t total = rec->total;
    const int status = find_end(r, rec, held == PD_OK ? end + REPAIR_MOST : rec->have);
    if (status == PD_OK || status == PD_EIO)
        return status;
    if (held != PD_OK)
        return lose(r, rec, held);
    rec->total = total; /* nothing better: what follows is garbage */
    return PD_OK;
}

/* ---- documents ---- */

static void name_document(const struct record *rec, struct pd_raw *raw)
{
    const struct pd_field *id = &rec->field[rec->field[TREC_ID].n > 0 ? TREC_ID : RECORD_ID];
    const struct pd_field *uri = &rec->field[URI];
    size_t angle = id->n > 2 && id->v[0] == '<' && id->v[id->n - 1] == '>';
    raw->id = id->v + angle;
    raw->id_n = id->n - 2 * angle;
    angle = uri->n > 2 && uri->v[0] == '<' && uri->v[uri->n - 1] == '>';
    raw->url = uri->v + angle;
    raw->url_n = uri->n - 2 * angle;
}

static bool may_hold_document(const struct record *rec)
{
    const struct pd_field *type = &rec->field[TYPE];
    return pd_field_is(type, "response") || pd_field_is(type, "resource") ||
           pd_field_is(type, "conversion");
}

/* PD_OK, PD_END (no document) or PD_EFORMAT with *trouble. */
static int read_content(struct pd_reader *r, struct record *rec, struct pd_raw *raw,
                        struct pd_trouble *trouble)
{
    const struct pd_field type = pd_field_main(&rec->field[CONTENT_TYPE]);
    raw->body = rec->s + rec->header;
    raw->n = rec->content;
    if (pd_field_is(&rec->field[TYPE], "response") &&
        (pd_field_is(&type, "application/http") ||
         (raw->n >= 5 && memcmp(raw->body, "HTTP/", 5) == 0)))
        return pd_http_read(&r->http, raw->body, raw->n, &r->arena, raw, trouble);
    if (!pd_media_of(&type, &raw->media))
        return PD_END;
    if (pd_field_is(&rec->field[TYPE], "conversion") && raw->media == PD_MEDIA_UNKNOWN)
        raw->media = PD_MEDIA_TEXT;
    const struct pd_field charset = pd_field_parameter(&rec->field[CONTENT_TYPE], "charset");
    raw->charset = charset.v;
    raw->charset_n = charset.n;
    return PD_OK;
}

/* A record whose content is in the window and has been passed. PD_OK: a document. PD_END: none. */
static int take_record(struct pd_reader *r, struct record *rec, struct pd_raw *raw)
{
    struct pd_trouble trouble = {PD_SKIP_HEADER, "record has no WARC-Type"};
    int status = rec->field[TYPE].n == 0 ? PD_EFORMAT : PD_END;
    if (may_hold_document(rec))
        status = read_content(r, rec, raw, &trouble);
    if (status == PD_EFORMAT) {
        pd_reader_tell(r, trouble.why, "%s", trouble.text);
        return PD_END;
    }
    if (status == PD_END) {
        pd_reader_ignore(r);
        return PD_END;
    }
    r->counts.repaired += rec->repaired && !r->quiet;
    name_document(rec, raw);
    return pd_reader_deliver(r, raw);
}

/* The record at the mark. PD_OK: a document. PD_END: none. Else PD_EIO. */
static int read_record(struct pd_reader *r, struct pd_raw *raw)
{
    struct record rec = {0};
    int status = read_header(r, &rec);
    if (status == PD_EIO)
        return status;
    if (status != PD_OK && rec.have < HEADER_MOST)
        return lose(r, &rec, status);
    if (status != PD_OK) {
        pd_reader_tell(r, PD_SKIP_HEADER, "record header has no end");
        return leave(r, &rec, HEADER_MOST); /* not to search the same bytes again and again */
    }
    if (rec.length != NO_LENGTH && rec.length > PD_DOCUMENT_MOST) {
        if (may_hold_document(&rec))
            pd_reader_tell(r, PD_SKIP_TOO_LARGE, "record is too large");
        else
            pd_reader_ignore(r);
        return leave(r, &rec, rec.header);
    }
    status = frame(r, &rec);
    if (status != PD_OK)
        return status;
    advance(r, rec.s, rec.total);
    return r->owned ? take_record(r, &rec, raw) : PD_END;
}

int pd_warc_next(struct pd_reader *r, struct pd_raw *raw)
{
    if (!r->entered) {
        int status = PD_OK;
        if (r->piece.from > 0)
            status = enter_middle(r);
        if (status == PD_EIO)
            return status;
        pd_reader_enter(r);
        r->done = status != PD_OK;
    }
    while (!r->done) {
        *raw = (struct pd_raw){0};
        int status = go_to_record(r);
        if (status == PD_OK)
            status = read_record(r, raw);
        else
            r->done = status == PD_END;
        if (status != PD_END)
            return status;
    }
    return PD_END;
}

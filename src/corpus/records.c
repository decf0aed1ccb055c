/* corpus/records.c - see records.h */
#include "records.h"

#include <string.h>

#include "corpus/trec/sgml.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/scan.h"

#define SEARCH_STEP   ((size_t)256 << 10) /* bytes searched at once for the next record */
#define END_LOOK      ((size_t)64 << 10)  /* bytes searched first for the end of a record */
#define PROLOGUE_MOST 512                 /* bytes of declarations that are not reported */
#define SWALLOW_FREE  ((size_t)8 << 10) /* bytes of a record without a length that are not judged */
#define QUOTE_MOST    20                /* bytes quoted in the report of garbage */

/* ---- where records start ---- */

/* May a record start at s[k]: behind a line end, or with a member? */
static bool may_start(const struct pd_reader *r, const unsigned char *s, size_t k)
{
    return (k > 0 ? s[k - 1] == '\n' : r->new_line) || pd_stream_boundary(r->stream, k);
}

/* Bytes of the spaces and tabs that s[0, n) begins with. */
static size_t blanks(const unsigned char *s, size_t n)
{
    size_t k = 0;
    while (k < n && (s[k] == ' ' || s[k] == '\t'))
        k++;
    return k;
}

/* pd_records_find() without `close`, when every record begins with the magic. */
static size_t find_magic(const struct pd_reader *r, const unsigned char *s, size_t from, size_t n)
{
    const struct pd_layout *layout = r->layout;
    for (size_t k = from; k < n; k++) {
        const unsigned char *hit = memmem(s + k, n - k, layout->magic, strlen(layout->magic));
        if (!hit)
            break;
        k = (size_t)(hit - s);
        if (may_start(r, s, k) && layout->starts(hit, n - k) == PD_START_YES)
            return k;
    }
    return n;
}

size_t pd_records_find(const struct pd_reader *r, const unsigned char *s, size_t from, size_t n,
                       const char *close)
{
    if (r->layout->always_magic && !close)
        return find_magic(r, s, from, n);
    size_t member = pd_stream_next_boundary(r->stream, from);
    for (size_t k = from; k < n;) {
        if (member == k || (k > 0 ? s[k - 1] == '\n' : r->new_line)) {
            const size_t tag = close ? k + blanks(s + k, n - k) : k;
            if (close && pd_scan_has(s + tag, n - tag, close))
                return tag;
            if (r->layout->starts(s + k, n - k) == PD_START_YES)
                return k;
        }
        if (member <= k)
            member = pd_stream_next_boundary(r->stream, k + 1);
        const unsigned char *lf = memchr(s + k, '\n', n - k);
        const size_t line = lf ? (size_t)(lf - s) + 1 : n;
        k = line < member ? line : member;
    }
    return n;
}

void pd_records_advance(struct pd_reader *r, const unsigned char *s, size_t n)
{
    if (n > 0)
        r->new_line = s[n - 1] == '\n';
    pd_stream_advance(r->stream, n);
}

/*
 * The stream breaks behind its good bytes s[0, n). Returns where in s the broken member begins when
 * a record begins with it, else SIZE_MAX. Such a member may be the first of the next piece, which
 * reports the break; so it does not belong to the record before it.
 */
static size_t broken_record(struct pd_reader *r, const unsigned char *s, size_t n)
{
    const char *magic = r->layout->magic;
    size_t at = SIZE_MAX;
    for (size_t k = pd_stream_next_boundary(r->stream, 0); k <= n;
         k = pd_stream_next_boundary(r->stream, k + 1))
        at = k;
    if (at > n || !magic || r->layout->starts(s + at, n - at) == PD_START_NO ||
        !pd_stream_broken_begins(r->stream, magic, strlen(magic)))
        return SIZE_MAX;
    return at;
}

/*
 * Go to the next place where a record starts. *passed is the number of decoded bytes before it.
 * Returns PD_OK; PD_END at the end of the file, or when stored byte `to` is reached; PD_EIO; or
 * PD_EFORMAT where the stream breaks.
 */
static int pass_to_record(struct pd_reader *r, uint64_t to, uint64_t *passed)
{
    for (*passed = 0;;) {
        const unsigned char *s;
        size_t n;
        const int status = pd_stream_peek(r->stream, SEARCH_STEP, &s, &n);
        if (status == PD_EIO)
            return status;
        const size_t k = pd_records_find(r, s, 0, n, NULL);
        const bool last = status == PD_EFORMAT || n < SEARCH_STEP;
        /* a record may start in the last bytes, so look at them again with what follows */
        size_t take = k < n || last ? k : n - r->layout->look;
        if (k == n && status == PD_EFORMAT) {
            const size_t at = broken_record(r, s, n);
            take = at < n ? at : n;
        }
        pd_records_advance(r, s, take);
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

int pd_records_leave(struct pd_reader *r, const unsigned char *s, size_t n)
{
    uint64_t passed;
    pd_records_advance(r, s, n);
    return pass_to_record(r, UINT64_MAX, &passed) == PD_EIO ? PD_EIO : PD_END;
}

/* ---- pieces ---- */

/*
 * Go to the first record of a piece that does not begin with the file. Returns PD_OK, PD_EIO, or
 * another status when no record starts in the piece.
 */
static int enter_middle(struct pd_reader *r)
{
    const struct pd_piece *p = &r->piece;
    const char *magic = r->layout->magic;
    uint64_t passed;
    if (pd_stream_compression(r->stream) == PD_PLAIN) {
        PD_TRY(pd_stream_open(r->stream, r->file->path, p->from - 1));
        r->new_line = false;
        return pass_to_record(r, p->to, &passed);
    }
    for (uint64_t from = p->from, skip;; from++) {
        int status = pd_stream_seek_member(r->stream, from, p->to, magic, strlen(magic));
        if (status != PD_OK)
            return status;
        const unsigned char *s;
        size_t n;
        status = pd_stream_peek(r->stream, r->layout->look, &s, &n);
        if (status == PD_EIO)
            return PD_EIO;
        if (r->layout->starts(s, n) == PD_START_YES ||
            (status == PD_EFORMAT && broken_record(r, s, n) == 0))
            return PD_OK;
        pd_stream_where(r->stream, &from, &skip);
    }
}

/* Go to the first record of the piece; r->done when there is none. Returns PD_OK or PD_EIO. */
static int enter(struct pd_reader *r)
{
    int status = PD_OK;
    if (!r->layout->magic && pd_stream_compression(r->stream) != PD_PLAIN) {
        r->done = r->piece.from > 0; /* all records belong to the first piece */
        r->piece.to = UINT64_MAX;
    } else if (r->piece.from > 0) {
        status = enter_middle(r);
        r->done = status != PD_OK;
    }
    if (status == PD_OK && r->piece.from == 0)
        status = pd_reader_pass_mark(r);
    if (status != PD_EIO)
        pd_reader_enter(r);
    return status == PD_EIO ? status : PD_OK;
}

/* Does what lies at the mark belong to the next piece, whose reader will find it there? */
static bool is_past(const struct pd_reader *r)
{
    if (r->piece.nstripes > 1 || r->offset < r->piece.to)
        return false;
    return pd_stream_compression(r->stream) == PD_PLAIN ? r->new_line : r->skip == 0;
}

/*
 * is_past() for the record s[0, n) at the mark. The next piece of a compressed file finds the
 * record only if the magic lies in the record's first member.
 */
static bool is_next_piece(const struct pd_reader *r, const unsigned char *s, size_t n)
{
    if (!is_past(r) || pd_stream_compression(r->stream) == PD_PLAIN)
        return is_past(r);
    const char *magic = r->layout->magic;
    return pd_scan_has(s, n, magic) && pd_stream_next_boundary(r->stream, 1) >= strlen(magic);
}

/* ---- between records ---- */

/*
 * The stream breaks in the record at the mark, or at the mark itself. Report the break and go on
 * behind it. Returns PD_OK, PD_END when nothing follows or the next piece has to report, or PD_EIO.
 */
static int mend(struct pd_reader *r)
{
    const unsigned char *s;
    size_t n;
    PD_CHECK(pd_stream_peek(r->stream, SIZE_MAX, &s, &n) == PD_EFORMAT); /* all good bytes */
    const size_t at = broken_record(r, s, n);
    if (at > 0 && at <= n) {
        pd_reader_tell(r, PD_SKIP_TRUNCATED, "broken data begins inside the record");
        pd_records_advance(r, s, at);
        return PD_OK;
    }
    if (at == 0 && is_past(r))
        return PD_END;
    r->new_line = true;
    return pd_reader_mend(r);
}

int pd_records_lose(struct pd_reader *r, const unsigned char *s, size_t have, int status)
{
    if (status == PD_EFORMAT) {
        status = mend(r);
    } else {
        pd_reader_tell(r, PD_SKIP_TRUNCATED, "file ends inside the record");
        pd_records_advance(r, s, have);
    }
    return status == PD_EIO ? status : PD_END;
}

/*
 * Is s a document type or an XML declaration? It may precede the first record of a file. When files
 * were joined, it also lies between records.
 */
static bool is_prologue(const unsigned char *s, size_t n)
{
    return pd_scan_has(s, n, "<!DOCTYPE ") || pd_scan_has(s, n, "<?xml ");
}

/*
 * Bytes of a declaration or tag in a line of its own at s[0, n), such as the tags of an element
 * around all records; 0: there is none, or it has more than a tag has.
 */
static size_t frame_bytes(const unsigned char *s, size_t n)
{
    const unsigned char *end = n > 2 && s[0] == '<' ? memchr(s, '>', n) : NULL;
    const bool tag =
        end && (is_prologue(s, n) || s[1] == '/' || ((s[1] | 0x20) >= 'a' && (s[1] | 0x20) <= 'z'));
    if (!tag || memchr(s + 1, '<', (size_t)(end - s) - 1) || memchr(s, '[', (size_t)(end - s)))
        return 0;
    size_t k = (size_t)(end - s) + 1;
    k += blanks(s + k, n - k);
    return k == n || s[k] == '\n' || s[k] == '\r' ? k : 0;
}

/*
 * Bytes at the mark belong to no record: pass a declaration or a tag, or go to the next record and
 * report the bytes unless they are a prologue. Returns PD_OK, also at a break; PD_END; or PD_EIO.
 */
static int pass_garbage(struct pd_reader *r)
{
    const unsigned char *s;
    size_t n;
    PD_CHECK(pd_stream_peek(r->stream, PROLOGUE_MOST, &s, &n) != PD_EIO && n > 0);
    const size_t most = pd_min_size(n, PROLOGUE_MOST), indent = blanks(s, most);
    size_t frame = r->layout->always_magic ? 0 : frame_bytes(s + indent, most - indent);
    frame += frame > 0 ? indent : 0;
    if (frame > 0) {
        pd_records_advance(r, s, frame);
        return PD_OK;
    }
    char quoted[QUOTE_MOST + 1];
    size_t k = 0;
    for (; k < QUOTE_MOST && k < n; k++)
        quoted[k] = s[k] >= ' ' && s[k] < 0x7f ? (char)s[k] : '?';
    quoted[k] = '\0';
    const bool prologue = !r->layout->always_magic && is_prologue(s, n);
    uint64_t passed;
    pd_records_advance(r, s, 1);
    const int status = pass_to_record(r, UINT64_MAX, &passed);
    if (status != PD_EIO && !(prologue && passed < PROLOGUE_MOST))
        pd_reader_tell(r, PD_SKIP_GARBAGE, "%llu bytes; expected %s after the record, found '%s'",
                       (unsigned long long)passed + 1,
                       r->layout->always_magic ? r->layout->magic : "another record", quoted);
    return status == PD_EFORMAT ? PD_OK : status;
}

/* Bytes of blanks and line ends at s[0, n), without the blanks of a line that a record is in. */
static size_t blank_lines(const unsigned char *s, size_t n, bool last)
{
    size_t k = 0;
    for (size_t i = 0; i < n && memchr(" \t\r\n", s[i], 4); i++)
        k = s[i] == '\n' || s[i] == '\r' || (last && i + 1 == n) ? i + 1 : k;
    return k;
}

int pd_records_pass_blank(struct pd_reader *r)
{
    const struct pd_layout *layout = r->layout;
    for (;;) {
        const unsigned char *s;
        size_t n, k = 0;
        const size_t want = layout->indented ? layout->look : 1;
        if (pd_stream_peek(r->stream, want, &s, &n) == PD_EIO)
            return PD_EIO;
        const bool inside = !layout->always_magic; /* records may be indented, or share a line */
        if (layout->indented)
            k = blank_lines(s, n, n < want);
        else
            while (k < n &&
                   (s[k] == '\n' || s[k] == '\r' || (inside && (s[k] == ' ' || s[k] == '\t'))))
                k++;
        if (k == 0)
            return PD_OK;
        pd_records_advance(r, s, k);
    }
}

/* Go to the piece's next record and mark it. Returns PD_OK, PD_END or PD_EIO. */
static int go_to_record(struct pd_reader *r)
{
    for (;;) {
        const unsigned char *s;
        size_t n;
        PD_TRY(pd_records_pass_blank(r));
        int status = pd_stream_peek(r->stream, r->layout->look, &s, &n);
        if (status == PD_EIO)
            return status;
        pd_reader_mark(r);
        if (n == 0 && status == PD_OK)
            return PD_END;
        const enum pd_start start = n > 0 ? r->layout->starts(s, n) : PD_START_CUT;
        if (start == PD_START_YES)
            return is_next_piece(r, s, n) ? PD_END : PD_OK;
        if (start == PD_START_NO) {
            status = pass_garbage(r);
        } else if (status == PD_EFORMAT) {
            status = mend(r);
        } else {
            pd_reader_tell(r, PD_SKIP_TRUNCATED, "file ends inside a record header");
            pd_records_advance(r, s, n);
            return PD_END;
        }
        if (status != PD_OK)
            return status;
    }
}

int pd_records_next(struct pd_reader *r, struct pd_raw *raw)
{
    if (!r->entered)
        PD_TRY(enter(r));
    while (!r->done) {
        *raw = (struct pd_raw){0};
        int status = go_to_record(r);
        if (status == PD_OK)
            status = r->layout->read(r, raw);
        else
            r->done = status == PD_END;
        if (status != PD_END)
            return status;
    }
    return PD_END;
}

bool pd_records_damaged(const unsigned char *s, size_t n)
{
    size_t bad = 0;
    for (size_t k = 0; k < n; k++)
        bad += s[k] < '\b' || (s[k] > '\r' && s[k] < 0x1b) || (s[k] > 0x1b && s[k] < ' ') ||
               s[k] == 0xff;
    return bad > n / 64;
}

/* ---- records without a length ---- */

/*
 * Lose the record s[0, n), which has been found to end at `total`, if other data was written over
 * it: the ends and beginnings of further records may have been there. Returns whether it is lost.
 */
static bool lose_damaged(struct pd_reader *r, const unsigned char *s, size_t n, size_t total)
{
    if (n <= SWALLOW_FREE || !memchr(s, 0, n) || !pd_records_damaged(s, n))
        return false;
    pd_reader_tell(r, PD_SKIP_LENGTH,
                   "%zu bytes to the end of the record: damage in this record, and maybe in others "
                   "behind it",
                   n);
    pd_records_advance(r, s, total);
    return true;
}

/* Does s[0, n) end with the end tag of an element, and blanks? */
static bool ends_element(const unsigned char *s, size_t n)
{
    while (n > 0 && (blanks(s + n - 1, 1) > 0 || s[n - 1] == '\n' || s[n - 1] == '\r'))
        n--;
    const unsigned char *tag = n > 0 && s[n - 1] == '>' ? memrchr(s, '<', n) : NULL;
    return tag && tag[1] == '/';
}

/*
 * No line of the record rec->s[0, end) begins with the closing tag: end it with a tag inside a
 * line, or else at `end`. `last`: the file ends at `end`, so a record without a tag is lost unless
 * its last element has one. Returns as pd_records_take() does.
 */
static int close_late(struct pd_reader *r, const char *close, size_t end, bool last,
                      struct pd_unsized *rec)
{
    const unsigned char *tag = close ? memmem(rec->s, end, close, strlen(close)) : NULL;
    if (close && !tag)
        tag = pd_sgml_find(rec->s, end, close);
    rec->closed = tag;
    rec->content = tag ? (size_t)(tag - rec->s) : end;
    if (close && !tag && last && !ends_element(rec->s, end))
        return pd_records_lose(r, rec->s, end, PD_END);
    if (lose_damaged(r, rec->s, end, end))
        return PD_END;
    pd_records_advance(r, rec->s, tag ? rec->content + strlen(close) : end);
    return PD_OK;
}

int pd_records_take(struct pd_reader *r, const char *close, struct pd_unsized *rec)
{
    const size_t look = r->layout->look;
    const size_t most = (size_t)r->options.max_document + END_LOOK; /* show a record too large */
    size_t from = 1, have;
    for (size_t want = END_LOOK;; want = 2 * have < most ? 2 * have : most) {
        const int status = pd_stream_peek(r->stream, want, &rec->s, &have);
        if (status == PD_EIO)
            return status;
        const size_t k = pd_records_find(r, rec->s, from, have, close);
        if (k < have && close && pd_scan_has(rec->s + k, have - k, close)) {
            if (lose_damaged(r, rec->s, k, k + strlen(close)))
                return PD_END;
            rec->content = k;
            rec->closed = true;
            pd_records_advance(r, rec->s, k + strlen(close));
            return PD_OK;
        }
        if (k < have)
            return close_late(r, close, k, false, rec);
        if (status == PD_EFORMAT) {
            const size_t at = broken_record(r, rec->s, have);
            return at > 0 && at <= have ? close_late(r, close, at, false, rec)
                                        : pd_records_lose(r, rec->s, have, status);
        }
        if (have < want)
            return close_late(r, close, have, true, rec);
        if (have > r->options.max_document) {
            pd_reader_tell(r, PD_SKIP_TOO_LARGE, "record is too large (--max-document)");
            return pd_records_leave(r, rec->s, have - look);
        }
        from = have - from > look ? have - look : from;
    }
}

/* corpus/web/sized.c - see sized.h */
#include "sized.h"

#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

#define LINE_ENDS    6                   /* longest end of a record, bytes: CR CR LF CR CR LF */
#define SEARCH_STEP  ((size_t)256 << 10) /* bytes of content searched first for the next record */
#define SWALLOW_FREE ((size_t)1 << 10)   /* bytes by which any repair may lengthen a record */
#define SWALLOW_TEXT ((size_t)8 << 10)   /* bytes of text by which any repair may do so */
#define REPAIR_MOST  ((size_t)64 << 20)  /* bytes searched for the next record at the most */

uint64_t pd_sized_number(const char *s, size_t n)
{
    uint64_t x = 0;
    for (size_t k = 0; k < n; k++) {
        if (s[k] < '0' || s[k] > '9' || x > (UINT64_MAX - 10) / 10)
            return PD_NO_LENGTH;
        x = 10 * x + (uint64_t)(s[k] - '0');
    }
    return n > 0 ? x : PD_NO_LENGTH;
}

int pd_sized_peek(struct pd_reader *r, struct pd_sized *rec, size_t want)
{
    const int status = pd_stream_peek(r->stream, want, &rec->s, &rec->have);
    return status == PD_OK && rec->have < want ? PD_END : status;
}

/*
 * Bytes of up to `most` line ends at s[at]. They end with the member, so that the result does not
 * depend on how much of the file has been decoded.
 */
static size_t line_ends(const struct pd_reader *r, const unsigned char *s, size_t at, size_t n,
                        int most)
{
    size_t k = at;
    for (int lines = 0; lines < most && k < n; lines++) {
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

/* Does a member end within the line ends that may follow the content, which ends at `end`? */
static bool member_ends(const struct pd_reader *r, size_t end, size_t have)
{
    for (size_t k = end; k <= end + LINE_ENDS && k <= have; k++)
        if (pd_stream_boundary(r->stream, k))
            return true;
    return false;
}

/*
 * Do the bytes behind the content confirm its length? They do when line ends and then a member's
 * end, a record or the end of the file follow. They also do when exactly the line ends of the
 * format follow and no record starts inside the content: what comes then is garbage. Sets
 * rec->total.
 * Returns PD_OK for yes, PD_END for no, or PD_EIO.
 */
static int check_end(struct pd_reader *r, struct pd_sized *rec)
{
    const size_t end = rec->header + rec->content;
    if (rec->have < end + LINE_ENDS && !member_ends(r, end, rec->have) &&
        pd_sized_peek(r, rec, end + r->layout->look) == PD_EIO)
        return PD_EIO;
    size_t next = end + line_ends(r, rec->s, end, rec->have, rec->lines);
    rec->total = next;
    if (pd_stream_boundary(r->stream, next))
        return PD_OK;
    for (size_t before = SIZE_MAX; before != next;) { /* the layout sees `look` bytes, as always */
        if (pd_sized_peek(r, rec, next + r->layout->look) == PD_EIO)
            return PD_EIO;
        before = next;
        while (next < rec->have && (rec->s[next] == '\n' || rec->s[next] == '\r'))
            next++;
    }
    if (next == rec->have || r->layout->starts(rec->s + next, rec->have - next) != PD_START_NO)
        return PD_OK;
    const bool closed = count_lines(rec->s + end, rec->total - end) == rec->lines;
    return closed && pd_records_find(r, rec->s, rec->header, end, NULL) == end ? PD_OK : PD_END;
}

/* The record ends at `end`: leave its line ends out of the content. */
static void end_content(struct pd_sized *rec, size_t end)
{
    rec->total = end;
    for (int lines = 0; lines < rec->lines && end > rec->header && rec->s[end - 1] == '\n';
         lines++) {
        end--;
        while (end > rec->header && rec->s[end - 1] == '\r')
            end--;
    }
    rec->content = end - rec->header;
    rec->repaired = true;
}

/*
 * The declared length is wrong or missing, so the record ends where the next record starts. That is
 * looked for in the first `most` bytes from the start of this record.
 * Returns PD_OK (found), PD_END (the file ends first), PD_EFORMAT (it breaks first), PD_EIO, or
 * PD_EFULL (none of the three within `most`).
 */
static int find_end(struct pd_reader *r, struct pd_sized *rec, size_t most)
{
    size_t from = rec->header, want = rec->have > most ? rec->have : rec->header + SEARCH_STEP;
    for (;;) {
        const int status = pd_sized_peek(r, rec, want);
        if (status == PD_EIO)
            return status;
        const size_t k = pd_records_find(r, rec->s, from, rec->have, NULL);
        if (k < rec->have) {
            end_content(rec, k);
            return PD_OK;
        }
        if (status != PD_OK)
            return status;
        if (rec->have >= most)
            return PD_EFULL;
        from = rec->have - from > r->layout->look ? rec->have - r->layout->look : from;
        want = pd_min_size(2 * rec->have, most);
    }
}

/*
 * Find content and end of a record without a declared length. Returns PD_OK; PD_END when the record
 * is lost, which has been reported; or PD_EIO.
 */
static int find_unsized_content(struct pd_reader *r, struct pd_sized *rec)
{
    const int status = find_end(r, rec, rec->header + REPAIR_MOST);
    if (status == PD_END) { /* the last record of the file: all that is there */
        end_content(rec, rec->have);
        return PD_OK;
    }
    if (status == PD_EFULL) {
        pd_reader_tell(r, PD_SKIP_LENGTH,
                       "record has no length, and no record follows within 64 MB");
        return pd_records_leave(r, rec->s, rec->header);
    }
    return status == PD_EFORMAT ? pd_records_lose(r, rec->s, rec->have, status) : status;
}

/*
 * Would a repair swallow more than it mends? The record was to end at `end`, and ends where the
 * next record was found. What lies between may be records whose beginnings were overwritten: it is
 * taken for a part of this record only if it is no longer than the rest, and text.
 */
static bool swallows(const struct pd_sized *rec, size_t end)
{
    const size_t more = rec->total > end ? rec->total - end : 0;
    if (more <= SWALLOW_FREE)
        return false;
    return more > pd_max_size(SWALLOW_TEXT, (size_t)rec->length) ||
           pd_records_damaged(rec->s + end, more);
}

/* find_unsized_content() for any record: a declared length is checked first. */
static int find_content(struct pd_reader *r, struct pd_sized *rec)
{
    if (rec->length == PD_NO_LENGTH)
        return find_unsized_content(r, rec);
    const size_t end = rec->header + (size_t)rec->length;
    const int held = pd_sized_peek(r, rec, end);
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
    if (status == PD_OK && swallows(rec, end)) {
        pd_reader_tell(r, PD_SKIP_LENGTH,
                       "%zu bytes to the next record, where the header says %zu: damage in this "
                       "record, and maybe in others behind it",
                       rec->total, end);
        pd_records_advance(r, rec->s, rec->total);
        return PD_END;
    }
    if (status == PD_OK || status == PD_EIO)
        return status;
    if (held != PD_OK)
        return pd_records_lose(r, rec->s, rec->have, held);
    rec->total = total; /* no better length is found: what follows the content is garbage */
    return PD_OK;
}

/*
 * find_content() for a record whose header says that it is too large for a document. If another
 * record follows soon, the header is wrong.
 */
static int find_large_content(struct pd_reader *r, struct pd_sized *rec)
{
    const int status = find_end(r, rec, rec->header + REPAIR_MOST);
    if (status == PD_OK || status == PD_EIO)
        return status;
    if (status != PD_EFULL)
        return pd_records_lose(r, rec->s, rec->have, status);
    if (rec->wanted)
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "record is too large (--max-document)");
    else
        pd_reader_ignore(r);
    return pd_records_leave(r, rec->s, rec->have - r->layout->look);
}

int pd_sized_take(struct pd_reader *r, struct pd_sized *rec)
{
    const bool large = rec->length != PD_NO_LENGTH && rec->length > r->options.max_document;
    const int status = large ? find_large_content(r, rec) : find_content(r, rec);
    if (status != PD_OK)
        return status;
    pd_records_advance(r, rec->s, rec->total);
    return r->owned ? PD_OK : PD_END;
}

int pd_sized_deliver(struct pd_reader *r, const struct pd_sized *rec, int status,
                     const struct pd_trouble *trouble, struct pd_raw *raw)
{
    if (status == PD_EFORMAT) {
        pd_reader_tell(r, trouble->why, "%s", trouble->text);
        return PD_END;
    }
    if (status == PD_END) {
        pd_reader_ignore(r);
        return PD_END;
    }
    r->counts.repaired += rec->repaired && !r->quiet;
    return pd_reader_deliver(r, raw);
}

/* corpus/inside.c - see inside.h */
#include "inside.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pardup/base/error.h"
#include "rune.h"

#define SKIP_STEP   ((size_t)1 << 20) /* decoded bytes passed in one step on the way to a record */
#define LINE_LOOK   ((size_t)8 << 10) /* bytes searched first for a line end */
#define DETAIL_MOST 256               /* bytes of a text that says what is wrong */

int pd_reader_go_to(struct pd_reader *r, uint64_t offset, uint64_t skip)
{
    pd_stream_go_to_one(r->stream, offset);
    while (skip > 0) {
        const unsigned char *s;
        size_t n;
        const size_t want = skip < SKIP_STEP ? (size_t)skip : SKIP_STEP;
        if (pd_stream_peek(r->stream, want, &s, &n) == PD_EIO)
            return PD_EIO;
        if (n == 0)
            return PD_END;
        n = n < want ? n : want;
        pd_stream_advance(r->stream, n);
        skip -= n;
    }
    return PD_OK;
}

int pd_reader_pass_line(struct pd_reader *r, uint64_t to)
{
    for (;;) {
        const unsigned char *s;
        size_t n;
        if (pd_stream_peek(r->stream, LINE_LOOK, &s, &n) == PD_EIO)
            return PD_EIO;
        const unsigned char *lf = n > 0 ? memchr(s, '\n', n) : NULL;
        pd_stream_advance(r->stream, lf ? (size_t)(lf - s) + 1 : n);
        uint64_t offset, skip;
        pd_stream_where(r->stream, &offset, &skip);
        if (lf || n == 0 || offset >= to)
            return PD_OK;
    }
}

int pd_reader_pass_mark(struct pd_reader *r)
{
    const unsigned char *s;
    size_t n;
    if (pd_stream_peek(r->stream, 3, &s, &n) == PD_EIO)
        return PD_EIO;
    if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        pd_stream_advance(r->stream, 3);
    return PD_OK;
}

void pd_reader_mark(struct pd_reader *r)
{
    const struct pd_piece *p = &r->piece;
    pd_stream_where(r->stream, &r->offset, &r->skip);
    r->begun = pd_stream_decoded(r->stream);
    r->band = r->begun / PD_STRIPE;
    r->owned = p->nstripes <= 1 || r->band % p->nstripes == p->stripe;
}

void pd_reader_enter(struct pd_reader *r)
{
    uint64_t skip;
    if (r->piece.from >
        0) /* bytes before the first record of the file are counted by its first piece */
        pd_stream_where(r->stream, &r->counted, &skip);
    r->entered = true;
}

void pd_reader_tell(struct pd_reader *r, enum pd_skip why, const char *fmt, ...)
{
    if (r->quiet || !r->owned)
        return;
    char detail[DETAIL_MOST];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(detail, sizeof detail, fmt, ap);
    va_end(ap);
    r->counts.skipped[why]++;
    if (r->options.skipped)
        r->options.skipped(r->options.ctx, why, r->offset, r->skip, detail);
}

int pd_reader_mend(struct pd_reader *r)
{
    const char *text;
    const enum pd_skip why = pd_stream_broken(r->stream, &text);
    const int status = pd_stream_recover(r->stream);
    if (status == PD_EIO)
        return status;
    uint64_t offset, skip;
    pd_stream_where(r->stream, &offset, &skip);
    if (why == PD_SKIP_GARBAGE)
        pd_reader_tell(r, why, "%" PRIu64 " byte%s not compressed data", offset - r->offset,
                       offset - r->offset == 1 ? " that is" : "s that are");
    else
        pd_reader_tell(r, why, "%s", text);
    return status;
}

int pd_reader_next_item(struct pd_reader *r, int (*pass)(struct pd_reader *r),
                        int (*read)(struct pd_reader *r, struct pd_raw *raw), struct pd_raw *raw)
{
    while (!r->done) {
        *raw = (struct pd_raw){0};
        int status = pass(r);
        pd_reader_mark(r);
        if (status == PD_OK)
            status = read(r, raw);
        else if (status == PD_END)
            r->done = true;
        if (status == PD_EFORMAT) {
            status = pd_reader_mend(r);
            r->done = status == PD_END;
        } else if (status != PD_END) {
            return status;
        }
        if (status == PD_EIO)
            return status;
    }
    return PD_END;
}

static void count_decoded(struct pd_reader *r)
{
    r->counts.decoded_bytes += pd_stream_decoded(r->stream) - r->begun;
}

void pd_reader_ignore(struct pd_reader *r)
{
    if (r->quiet || !r->owned)
        return;
    r->counts.ignored++;
    count_decoded(r);
}

int pd_reader_deliver(struct pd_reader *r, struct pd_raw *raw)
{
    uint64_t end, behind;
    pd_stream_where(r->stream, &end, &behind);
    const bool stored =
        pd_stream_compression(r->stream) == PD_PLAIN || (r->skip == 0 && behind == 0);
    raw->offset = r->offset;
    raw->skip = r->skip;
    raw->length = stored ? end - r->offset : pd_stream_decoded(r->stream) - r->begun;
    raw->stored = stored && pd_stream_compression(r->stream) != PD_PLAIN ? raw->length : 0;
    raw->piece_key = r->piece.nstripes > 1 ? r->band : r->piece.from;
    raw->record_n = (size_t)(pd_stream_decoded(r->stream) - r->begun);
    if (raw->id_n == 0) {
        const size_t most = strlen(r->file->path) + 2 * sizeof "+18446744073709551615";
        char *id = pd_arena_alloc(&r->arena, most);
        int n = snprintf(id, most, "%s:%" PRIu64, r->file->path, r->offset);
        if (r->skip)
            n += snprintf(id + n, most - (size_t)n, "+%" PRIu64, r->skip);
        raw->id = id;
        raw->id_n = (size_t)n;
    }
    if (!r->quiet) {
        r->counts.documents++;
        count_decoded(r);
    }
    return PD_OK;
}

void pd_reader_give_body(struct pd_reader *r, struct pd_raw *raw)
{
    enum { PAD = 64 }; /* readable bytes behind a body */
    pd_bytes_reserve(&r->text, r->text.n + PAD);
    raw->body = r->text.v;
    raw->n = r->text.n;
}

void pd_reader_give_text(struct pd_reader *r, struct pd_raw *raw)
{
    pd_reader_give_body(r, raw);
    raw->kind = PD_RECORD_OTHER;
    raw->charset = "utf-8";
    raw->charset_n = strlen(raw->charset);
}

void pd_reader_keep(struct pd_reader *r, struct pd_raw *raw, const char *name, const char *v,
                    size_t n)
{
    const struct pd_keeping *keep = r->options.keep;
    size_t k = 0;
    while (keep && k < keep->n && strcmp(keep->names[k], name) != 0)
        k++;
    if (!keep || k == keep->n)
        return;
    const size_t bytes = keep->n * sizeof(struct pd_kept);
    struct pd_kept *values = (struct pd_kept *)raw->kept;
    if (!values)
        raw->kept = values = memset(pd_arena_alloc(&r->arena, bytes), 0, bytes);
    values[k] = (struct pd_kept){.v = memcpy(pd_arena_alloc(&r->arena, n), v, n), .n = n};
}

bool pd_reader_takes_id(struct pd_reader *r, const struct pd_raw *raw)
{
    if (raw->id_n <= PD_ID_MOST)
        return true;
    pd_reader_tell(r, PD_SKIP_HEADER, "document id of %zu bytes: more than %d", raw->id_n,
                   PD_ID_MOST);
    return false;
}

/* Bytes of the character at s[0, n) when it may stand in an id; 0 when it is to be written out. */
static size_t id_bytes(const unsigned char *s, size_t n) { return *s ? pd_rune_bytes(s, n) : 0; }

void pd_reader_write_out_id(struct pd_reader *r, struct pd_raw *raw)
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char *s = (const unsigned char *)raw->id;
    size_t bad = 0;
    for (size_t k = 0, c; k < raw->id_n; k += c + (c == 0))
        bad += (c = id_bytes(s + k, raw->id_n - k)) == 0;
    if (bad == 0)
        return;
    char *to = pd_arena_alloc(&r->arena, raw->id_n + 3 * bad);
    size_t n = 0;
    for (size_t k = 0, c; k < raw->id_n; k += c + (c == 0)) {
        c = id_bytes(s + k, raw->id_n - k);
        if (c > 0) {
            memcpy(to + n, s + k, c);
            n += c;
        } else {
            const char byte[4] = {'\\', 'x', digits[s[k] >> 4], digits[s[k] & 15]};
            memcpy(to + n, byte, sizeof byte);
            n += sizeof byte;
        }
    }
    raw->id = to;
    raw->id_n = n;
}

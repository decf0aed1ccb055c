/* corpus/json/jsonl.c - JSON lines: one JSON object a line, with the text in one of its fields. */
#include <string.h>

#include "corpus/inside.h"
#include "json_record.h"
#include "pardup/base/error.h"

#define LINE_LOOK ((size_t)8 << 10) /* bytes searched first for a line end */

/* ---- lines ---- */

/*
 * The line s[0, n) at the stream's position, without its line end; *total counts its bytes with the
 * line end. Returns PD_OK, PD_END at the end of the file, PD_EFORMAT when the stream breaks inside
 * the line, PD_EIO, or PD_EFULL when the line is longer than a document may be.
 */
static int peek_line(struct pd_reader *r, const unsigned char **s, size_t *n, size_t *total)
{
    const size_t most = (size_t)r->options.max_document + LINE_LOOK; /* show a line too large */
    size_t seen = 0, have;
    for (size_t want = LINE_LOOK;; want = 2 * have < most ? 2 * have : most) {
        const int status = pd_stream_peek(r->stream, want, s, &have);
        if (status == PD_EIO)
            return status;
        const unsigned char *lf = have > seen ? memchr(*s + seen, '\n', have - seen) : NULL;
        *n = lf ? (size_t)(lf - *s) : have;
        *total = lf ? *n + 1 : have;
        if (*n > r->options.max_document)
            return PD_EFULL;
        if (lf)
            return PD_OK;
        if (have < want)
            return status == PD_OK && have == 0 ? PD_END : status;
        seen = have;
    }
}

/*
 * Report the break in the line at the mark and go on behind it. Bytes there that do not begin an
 * object are the rest of a line, and passed. Returns PD_OK, PD_END when nothing follows, or PD_EIO.
 */
static int mend(struct pd_reader *r)
{
    const unsigned char *s;
    size_t n;
    const int status = pd_reader_mend(r);
    if (status != PD_OK || pd_stream_peek(r->stream, 1, &s, &n) != PD_OK || n == 0 || *s == '{')
        return status;
    return pd_reader_pass_line(r, UINT64_MAX);
}

static bool is_empty(const unsigned char *s, size_t n)
{
    while (n > 0 && memchr(" \t\r", s[n - 1], 3))
        n--;
    return n == 0;
}

/* Go to the first line that starts in the piece; r->done when there is none. PD_OK or PD_EIO. */
static int enter(struct pd_reader *r)
{
    const uint64_t from = r->piece.from;
    /* a line may span members, so all lines of a compressed file belong to its first piece */
    if (pd_stream_compression(r->stream) != PD_PLAIN) {
        r->done = from > 0;
        r->piece.to = UINT64_MAX;
    }
    if (from > 0 && !r->done) {
        PD_TRY(pd_stream_open(r->stream, r->file->path, from - 1));
        PD_TRY(pd_reader_pass_line(r, r->piece.to));
    }
    pd_reader_enter(r);
    if (from > 0)
        return PD_OK;
    PD_TRY(pd_reader_pass_mark(r));
    if (pd_stream_decoded(r->stream) > 0 && r->piece.to <= 3)
        r->piece.to = 4; /* the line behind the byte order mark is this piece's */
    return PD_OK;
}

/*
 * Read the line at the mark and pass it. Returns PD_OK for a document, PD_END when the line holds
 * none, or PD_EIO. Sets r->done at the end of the file.
 */
static int read_line(struct pd_reader *r, struct pd_raw *raw)
{
    const unsigned char *s;
    size_t n, total;
    int status = peek_line(r, &s, &n, &total);
    if (status == PD_EFULL) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "line is too long (--max-document)");
        status = pd_reader_pass_line(r, UINT64_MAX);
        return status == PD_EIO ? status : PD_END;
    }
    if (status == PD_EFORMAT) {
        status = mend(r);
        r->done = status == PD_END;
        return status == PD_EIO ? status : PD_END;
    }
    if (status != PD_OK) {
        r->done = true;
        return status;
    }
    pd_stream_advance(r->stream, total);
    if (!r->owned || is_empty(s, n))
        return PD_END;
    status = pd_json_record(r, s, n, raw);
    raw->kind = PD_RECORD_JSON;
    raw->record = s;
    return status == PD_OK ? pd_reader_deliver(r, raw) : status;
}

static int next_line(struct pd_reader *r, struct pd_raw *raw)
{
    if (!r->entered)
        PD_TRY(enter(r));
    while (!r->done) {
        *raw = (struct pd_raw){0};
        pd_reader_mark(r);
        if (r->piece.nstripes <= 1 && r->offset >= r->piece.to)
            break;
        const int status = read_line(r, raw);
        if (status != PD_END)
            return status;
    }
    return PD_END;
}

int pd_reader_line(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    pd_arena_reset(&r->arena);
    *raw = (struct pd_raw){.path = ""};
    r->owned = true;
    s = n > 0 ? s : (const unsigned char *)""; /* NULL + 0 is not defined in C */
    if (n > r->options.max_document) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "line is too long (--max-document)");
        return PD_END;
    }
    const uint64_t repaired = r->counts.repaired;
    const int status = pd_json_record(r, s, n, raw);
    if (!pd_reader_takes_id(r, raw)) {
        raw->id = NULL;
        return PD_END;
    }
    if (r->counts.repaired > repaired)
        pd_reader_write_out_id(r, raw);
    return status;
}

/*
 * Does the file begin with a JSON object? The first name or the closing brace must follow on the
 * same line, since a text can begin with a brace, too.
 */
static bool recognises(const struct pd_beginning *file)
{
    size_t k = file->text;
    if (k == file->n || file->s[k] != '{')
        return false;
    do
        k++;
    while (k < file->n && (file->s[k] == ' ' || file->s[k] == '\t'));
    return k < file->n && (file->s[k] == '"' || file->s[k] == '}');
}

/*
 * Is a file that is named as one of JSON lines one, though its first line is broken? A line of it
 * must begin with an object and its first name. An empty file is one of no lines.
 */
static bool claims(const struct pd_reader_options *o, const unsigned char *s, size_t n, bool whole)
{
    (void)o, (void)whole;
    for (size_t k = 0; k + 1 < n; k++) {
        const size_t name = s[k + 1] == ' ' ? k + 2 : k + 1;
        if (s[k] == '{' && name < n && s[name] == '"')
            return true;
        const unsigned char *lf = memchr(s + k, '\n', n - k);
        if (!lf)
            break;
        k = (size_t)(lf - s);
    }
    return n == 0;
}

const struct pd_layout pd_layout_jsonl = {.recognises = recognises,
                                          .endings = {".jsonl", ".ndjson"},
                                          .claims = claims,
                                          .next = next_line,
                                          .many = true,
                                          .lines = true};

/*
 * corpus/whole.c - the layout of files that are one document each: HTML and plain text.
 *
 * mail.c reads single mails with pd_whole_next(), too. A file that is not text is refused with a
 * message that names its format, unless the user has named a format. The whole file is peeked at,
 * so the document needs no copy.
 */
#include <string.h>

#include "foreign.h"
#include "inside.h"
#include "pardup/base/error.h"

#define FORMAT_LOOK ((size_t)512)     /* bytes that tell a format that is not read */
#define FIRST_LOOK  ((size_t)4 << 20) /* decoded bytes of the first try */

/*
 * Peek all decoded bytes of the file, or enough to show that it is too large for a document.
 * Returns what pd_stream_peek() returns.
 */
static int peek_all(struct pd_reader *r, const unsigned char **s, size_t *n)
{
    const size_t most = (size_t)r->options.max_document + FIRST_LOOK; /* show a file too large */
    size_t want = FIRST_LOOK;
    for (;;) {
        const int status = pd_stream_peek(r->stream, want, s, n);
        if (status != PD_OK || *n < want || *n > r->options.max_document)
            return status;
        want = 2 * *n < most ? 2 * *n : most;
    }
}

/* Go to the end of the file, so that its stored bytes are counted. Returns PD_END or PD_EIO. */
static int go_to_end(struct pd_reader *r)
{
    const int status = pd_stream_open(r->stream, r->file->path, r->file->bytes);
    return status == PD_OK ? PD_END : status;
}

/*
 * Report the bytes behind a compressed document that do not decode, and go to the end of the file.
 * Returns PD_END or PD_EIO.
 */
static int pass_rest(struct pd_reader *r)
{
    const unsigned char *s;
    size_t n;
    int status;
    pd_reader_mark(r);
    while ((status = pd_stream_peek(r->stream, 1, &s, &n)) == PD_EFORMAT) {
        status = pd_reader_mend(r);
        if (status != PD_OK)
            break;
    }
    return status == PD_EIO ? status : go_to_end(r);
}

/* Refuse a file that is too large to be a document. Returns PD_END or PD_EIO. */
static int refuse_large(struct pd_reader *r)
{
    pd_reader_tell(r, PD_SKIP_TOO_LARGE, "file is too large for one document (--max-document)");
    return go_to_end(r);
}

/* Make the whole file, whose bytes are raw->body[0, n), a document. */
static void describe(struct pd_reader *r, size_t n, struct pd_raw *raw)
{
    raw->n = n;
    raw->kind = PD_RECORD_FILE;
    raw->record = raw->body;
    raw->file = !r->layout->extract;
    raw->media = raw->file && r->options.format == PD_FORMAT_AUTO
                     ? pd_media_named(r->file->path)
                     : pd_format_rows[r->options.format].media;
    raw->id = r->file->path;
    raw->id_n = strlen(raw->id);
}

/*
 * The document of the file, then what follows it. The piece that begins with the file has it all;
 * other pieces of the file, and stripes behind the first, have nothing.
 */
int pd_whole_next(struct pd_reader *r, struct pd_raw *raw)
{
    if (r->piece.from > 0 || (r->piece.nstripes > 1 && r->piece.stripe > 0))
        return PD_END;
    if (r->entered)
        return pd_stream_compression(r->stream) == PD_PLAIN ? PD_END : pass_rest(r);
    r->entered = true;
    pd_reader_mark(r);
    const char *text;
    const unsigned char *s;
    size_t n;
    if (pd_stream_peek(r->stream, FORMAT_LOOK, &s, &n) == PD_EIO)
        return PD_EIO;
    const bool judged = r->options.format == PD_FORMAT_AUTO && !r->layout->extract;
    text = judged ? pd_foreign_format(s, n) : NULL;
    if (judged && !text && pd_is_misnamed(r->file->path, s, n))
        text = "not what its name says: a page, a text or nothing in place of the file";
    if (text) {
        pd_reader_tell(r, PD_SKIP_UNKNOWN, "%s", text);
        return go_to_end(r);
    }
    if (pd_stream_compression(r->stream) == PD_PLAIN && r->file->bytes > r->options.max_document)
        return refuse_large(r);
    const int status = peek_all(r, &raw->body, &n);
    if (status == PD_EIO)
        return status;
    if (n > r->options.max_document)
        return refuse_large(r);
    if (status == PD_EFORMAT && (n == 0 || pd_stream_broken(r->stream, &text) != PD_SKIP_GARBAGE))
        return pd_reader_mend(r) == PD_EIO ? PD_EIO : go_to_end(r);
    describe(r, n, raw);
    pd_stream_advance(r->stream, n);
    const int made = r->layout->extract ? r->layout->extract(r, raw) : PD_OK;
    if (made == PD_END)
        pd_reader_ignore(r);
    if (made != PD_OK)
        return pass_rest(r);
    return pd_reader_deliver(r, raw);
}

const struct pd_layout pd_layout_whole = {.next = pd_whole_next};

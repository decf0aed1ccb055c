/* corpus/whole.c - a file that is one document. */
#include "inside.h"
#include "pardup/base/error.h"

#define GROW ((size_t)4 << 20)
#define MOST ((size_t)PD_DOCUMENT_MOST + GROW) /* more need not be held to be too much */

static enum pd_media media_of(enum pd_format format)
{
    if (format == PD_FORMAT_HTML)
        return PD_MEDIA_HTML;
    return format == PD_FORMAT_TEXT ? PD_MEDIA_TEXT : PD_MEDIA_UNKNOWN;
}

/* The decoded bytes to the end of the file, or more than a document may have. */
static int peek_all(struct pd_reader *r, const unsigned char **s, size_t *n)
{
    size_t want = GROW;
    for (;;) {
        const int status = pd_stream_peek(r->stream, want, s, n);
        if (status != PD_OK || *n < want || *n > PD_DOCUMENT_MOST)
            return status;
        want = 2 * *n < MOST ? 2 * *n : MOST;
    }
}

/* What follows a document in its file can only be what is no packed data. */
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
    return status == PD_EIO ? status : PD_END;
}

int pd_whole_next(struct pd_reader *r, struct pd_raw *raw)
{
    if (r->piece.from > 0 || (r->piece.nstripes > 1 && r->piece.stripe > 0))
        return PD_END;
    if (r->entered)
        return pd_stream_packing(r->stream) == PD_PLAIN ? PD_END : pass_rest(r);
    r->entered = true;
    pd_reader_mark(r);
    const char *text;
    if (pd_stream_packing(r->stream) == PD_PLAIN && r->file->bytes > PD_DOCUMENT_MOST) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "file is too large for one document");
        return PD_END;
    }
    size_t n;
    const int status = peek_all(r, &raw->body, &n);
    if (status == PD_EIO)
        return status;
    if (n > PD_DOCUMENT_MOST) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "file is too large for one document");
        return PD_END;
    }
    if (status == PD_EFORMAT && (n == 0 || pd_stream_broken(r->stream, &text) != PD_SKIP_GARBAGE))
        return pd_reader_mend(r) == PD_EIO ? PD_EIO : PD_END;
    raw->n = n;
    raw->media = media_of(r->options.format);
    raw->id = r->file->path;
    raw->id_n = strlen(raw->id);
    pd_stream_advance(r->stream, n);
    return pd_reader_deliver(r, raw);
}

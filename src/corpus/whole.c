/* corpus/whole.c - files that are one document each: HTML and plain text. */
#include <string.h>

#include "inside.h"
#include "pardup/base/error.h"

#define FIRST_LOOK ((size_t)4 << 20)                       /* decoded bytes of the first try */
#define FILE_MOST  ((size_t)PD_DOCUMENT_MOST + FIRST_LOOK) /* bytes of too large a file */

/*
 * Peek all decoded bytes of the file, or enough to show that it is too large for a document.
 * Returns what pd_stream_peek() returns.
 */
static int peek_all(struct pd_reader *r, const unsigned char **s, size_t *n)
{
    size_t want = FIRST_LOOK;
    for (;;) {
        const int status = pd_stream_peek(r->stream, want, s, n);
        if (status != PD_OK || *n < want || *n > PD_DOCUMENT_MOST)
            return status;
        want = 2 * *n < FILE_MOST ? 2 * *n : FILE_MOST;
    }
}

/*
 * A message that names the compression of s, when pardup does not read it; else NULL. Without this
 * check such a file would be skipped as binary data.
 */
static const char *foreign_packing(const unsigned char *s, size_t n)
{
    static const struct {
        const char *magic;
        const char *text;
    } foreign[] = {
        {"BZh9", "compressed by bzip2, which pardup does not read: unpack it first"},
        {"\xfd\x37zXZ", "compressed by xz, which pardup does not read: unpack it first"},
        {"\x04\x22\x4d\x18", "compressed by lz4, which pardup does not read: unpack it first"},
        {"PK\x03\x04", "a zip archive, which pardup does not read: unpack it first"},
        {"7z\xbc\xaf\x27\x1c", "a 7z archive, which pardup does not read: unpack it first"}};
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        if (n >= strlen(foreign[k].magic) &&
            memcmp(s, foreign[k].magic, strlen(foreign[k].magic)) == 0)
            return foreign[k].text;
    return NULL;
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
    if (pd_stream_peek(r->stream, 1, &s, &n) == PD_EIO)
        return PD_EIO;
    if ((text = foreign_packing(s, n))) {
        pd_reader_tell(r, PD_SKIP_BINARY, "%s", text);
        return go_to_end(r);
    }
    if (pd_stream_compression(r->stream) == PD_PLAIN && r->file->bytes > PD_DOCUMENT_MOST) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "file is too large for one document");
        return go_to_end(r);
    }
    const int status = peek_all(r, &raw->body, &n);
    if (status == PD_EIO)
        return status;
    if (n > PD_DOCUMENT_MOST) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "file is too large for one document");
        return go_to_end(r);
    }
    if (status == PD_EFORMAT && (n == 0 || pd_stream_broken(r->stream, &text) != PD_SKIP_GARBAGE))
        return pd_reader_mend(r) == PD_EIO ? PD_EIO : go_to_end(r);
    raw->n = n;
    raw->media = pd_format_rows[r->options.format].media;
    raw->id = r->file->path;
    raw->id_n = strlen(raw->id);
    pd_stream_advance(r->stream, n);
    if (r->layout->extract && !r->layout->extract(r, raw)) {
        pd_reader_ignore(r);
        return pass_rest(r);
    }
    return pd_reader_deliver(r, raw);
}

const struct pd_layout pd_layout_whole = {.next = pd_whole_next};

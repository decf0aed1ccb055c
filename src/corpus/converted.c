/* corpus/converted.c - the layout of files that a program makes text of (pardup/corpus/convert.h) */
#include <string.h>

#include "inside.h"
#include "pardup/base/error.h"
#include "pardup/corpus/convert.h"

/*
 * Run converter *number, or the next one of its kind if it fails. PD_OK, PD_END (the file is
 * skipped, which is told) or PD_EIO.
 */
static int convert(struct pd_reader *r, int *number)
{
    const struct pd_converter *c = pd_converter(*number);
    struct pd_bytes why = {0}, program = {0};
    const char *path = r->file->path;
    int status = PD_END;
    pd_converter_program(c, &program);
    const char *name = (const char *)program.v;
    switch (pd_converter_run(c, path, (size_t)r->options.max_document, r->options.stopping,
                             &r->text, &why)) {
    case PD_CONVERTED:
        status = PD_OK;
        break;
    case PD_CONVERT_MISSING:
        if (c->package)
            pd_reader_tell(r, PD_SKIP_UNKNOWN,
                           "a file of type %s needs %s, which is not installed (Debian, Ubuntu: "
                           "%s); or --convert '%s=COMMAND {}'",
                           c->kind, name, c->package, c->kind);
        else
            pd_reader_tell(r, PD_SKIP_UNKNOWN, "--convert %s: there is no program %s", c->kind,
                           name);
        break;
    case PD_CONVERT_FAILED:
        if (pd_converter_next(*number) >= 0) {
            PD_RELEASE(pd_bytes, &why, &program);
            *number = pd_converter_next(*number);
            return convert(r, number);
        }
        pd_reader_tell(r, PD_SKIP_CORRUPT, "%s makes no text of it: %s", name, (const char *)why.v);
        break;
    case PD_CONVERT_LARGE:
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "%s makes too much text of it (--max-document)", name);
        break;
    case PD_CONVERT_STOPPED:
        status = pd_fail(PD_EIO, "%s: stopped", path);
    }
    PD_RELEASE(pd_bytes, &why, &program);
    return status;
}

/* Has the text a byte that is not white space? */
static bool has_text(const struct pd_bytes *text)
{
    for (size_t k = 0; k < text->n; k++)
        if (!memchr(" \t\r\n\f", text->v[k], 5))
            return true;
    return false;
}

/* The document of the file: all pieces but the first have none. */
static int next(struct pd_reader *r, struct pd_raw *raw)
{
    if (r->piece.from > 0 || (r->piece.nstripes > 1 && r->piece.stripe > 0) || r->entered)
        return PD_END;
    r->entered = true;
    const unsigned char *s;
    size_t n;
    pd_reader_mark(r);
    if (pd_stream_peek(r->stream, PD_SNIFF, &s, &n) == PD_EIO)
        return PD_EIO;
    int number = pd_converter_find(r->file->path, s, n);
    const bool packed = pd_stream_compression(r->stream) != PD_PLAIN;
    int status = PD_END;
    if (number < 0)
        pd_reader_tell(r, PD_SKIP_UNKNOWN, "no converter is known for it (--convert)");
    else if (packed)
        pd_reader_tell(r, PD_SKIP_UNKNOWN, "a compressed file of type %s: unpack it first",
                       pd_converter(number)->kind);
    else
        status = convert(r, &number);
    if (status == PD_OK && !has_text(&r->text)) {
        pd_reader_tell(r, PD_SKIP_UNKNOWN,
                       "no text in it: scanned pages need to be read by OCR first");
        status = PD_END;
    }
    PD_TRY(pd_stream_open(r->stream, r->file->path, r->file->bytes)); /* its bytes are counted */
    if (status != PD_OK)
        return status;
    pd_reader_give_body(r, raw);
    raw->media = pd_converter(number)->media;
    raw->id = r->file->path;
    raw->id_n = strlen(raw->id);
    if (!r->quiet)
        r->counts.fields.kinds[PD_KIND_CONVERTED + number]++;
    return pd_reader_deliver(r, raw);
}

const struct pd_layout pd_layout_converted = {.next = next, .fixed = true};

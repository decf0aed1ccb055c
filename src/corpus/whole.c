/*
 * corpus/whole.c - the layout of files that are one document each: HTML and plain text.
 *
 * mail.c reads single mails with pd_whole_next(), too. A file that is not text is refused with a
 * message that names its format, unless the user has named a format. The whole file is peeked at,
 * so the document needs no copy.
 */
#include <string.h>

#include "inside.h"
#include "pardup/base/error.h"
#include "pardup/base/wide.h"

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

/*
 * Is s[0, n) in UTF-16 or UTF-32, and an object or a list of objects? A text can begin with a
 * bracket, too.
 */
static bool is_wide_json(const unsigned char *s, size_t n)
{
    const enum pd_wide marked = pd_wide_marked(s, n);
    const enum pd_wide form = marked != PD_WIDE_NO ? marked : pd_wide_seen(s, n);
    const size_t bytes = pd_wide_bytes(form);
    bool list = false;
    if (form == PD_WIDE_NO)
        return false;
    for (size_t k = marked == PD_WIDE_NO ? 0 : bytes; k + bytes <= n; k += bytes) {
        const uint32_t c = pd_wide_unit(form, s + k);
        if (c == '{')
            return true;
        if ((c != '[' && c != ' ' && c != '\t' && c != '\r' && c != '\n') || (c == '[' && list))
            return false;
        list |= c == '[';
    }
    return false;
}

/* Is the number s[0, n) in octal digits, between blanks and up to a NUL or blank, `number`? */
static bool is_octal(const unsigned char *s, size_t n, unsigned number)
{
    unsigned long long x = 0;
    size_t k = 0;
    while (k < n && s[k] == ' ')
        k++;
    const size_t from = k;
    for (; k < n && s[k] >= '0' && s[k] <= '7'; k++)
        x = 8 * x + (unsigned)(s[k] - '0');
    return k > from && x == number;
}

/* Is s[0, n) a tar archive without a magic number? The checksum of its first header tells. */
static bool is_old_tar(const unsigned char *s, size_t n)
{
    enum { HEADER = 512, CHECKSUM = 148, DIGITS = 8 };
    unsigned sum = 0;
    if (n < HEADER)
        return false;
    for (size_t k = 0; k < HEADER; k++)
        sum += k >= CHECKSUM && k < CHECKSUM + DIGITS ? ' ' : s[k];
    return s[0] != '\0' && is_octal(s + CHECKSUM, DIGITS, sum);
}

/* Files of these formats are not read: what stands in them, and what is said of them. */
#define UNPACK ", which pardup does not read: unpack it first"
#define TEXTS  ", which pardup does not read: write its texts as JSON lines"
#define SAVE   ", which pardup does not read: save it as text"
#define NOT    ", which pardup does not read"
#define OFFICE                                                                                     \
    "a zip archive or an office document, which pardup does not read: unpack it, or save it as "   \
    "text"
#define ROW(at, magic, text)                                                                       \
    {                                                                                              \
        at, magic, sizeof(magic) - 1, text                                                         \
    }
static const struct {
    size_t at; /* offset of `magic` in the file */
    const char *magic;
    size_t n; /* bytes of `magic` */
    const char *text;
} foreign[] = {ROW(4, "1AY&SY", "compressed by bzip2" UNPACK),
               ROW(4, "\x17rE8P\x90", "compressed by bzip2" UNPACK), /* of nothing */
               ROW(0, "\xfd\x37zXZ", "compressed by xz" UNPACK),
               ROW(0, "]\0\0", "compressed by lzma" UNPACK),
               ROW(0, "LZIP\x01", "compressed by lzip" UNPACK),
               ROW(0, "\x89LZO\0", "compressed by lzop" UNPACK),
               ROW(0, "\x04\x22\x4d\x18", "compressed by lz4" UNPACK),
               ROW(0, "\x02\x21\x4c\x18", "compressed by lz4" UNPACK),
               ROW(0, "\xff\x06\0\0sNaPpY", "compressed by Snappy" UNPACK),
               ROW(0, "x\x01", "compressed by zlib" UNPACK),
               ROW(0, "x\x9c", "compressed by zlib" UNPACK),
               ROW(0, "x\xda", "compressed by zlib" UNPACK),
               ROW(0, "PK\x03\x04", OFFICE),
               ROW(0, "PK\x05\x06", OFFICE),
               ROW(0, "PK\x07\x08", OFFICE),
               ROW(0, "7z\xbc\xaf\x27\x1c", "a 7z archive" UNPACK),
               ROW(0, "Rar!\x1a", "a rar archive" UNPACK),
               ROW(0, "MSCF\0\0\0\0", "a cabinet archive" UNPACK),
               ROW(0, "!<arch>\n", "an ar archive or a Debian package" UNPACK),
               ROW(257, "ustar", "a tar archive" UNPACK),
               ROW(0, "\x1f\x8b\x08", "compressed twice" UNPACK),
               ROW(0, "\x28\xb5\x2f\xfd", "compressed twice" UNPACK),
               ROW(0, "ARROW1", "an Arrow file" TEXTS),
               ROW(0, "Obj\x01", "an Avro file" TEXTS),
               ROW(0, "\x89HDF\r\n", "an HDF5 file" TEXTS),
               ROW(0, "SQLite format 3", "an SQLite file" TEXTS),
               ROW(0, "\x93NUMPY", "a file of NumPy" TEXTS),
               ROW(0, "\x80\x03", "a Python pickle" TEXTS),
               ROW(0, "\x80\x04\x95", "a Python pickle" TEXTS),
               ROW(0, "\x80\x05\x95", "a Python pickle" TEXTS),
               ROW(0, "%PDF-", "a PDF file" NOT ": make text of it, as pdftotext does"),
               ROW(0, "%!PS", "a PostScript file" NOT ": make text of it, as ps2ascii does"),
               ROW(0, "AT&TFORM", "a DjVu file" NOT ": make text of it, as djvutxt does"),
               ROW(0, "{\\rtf", "an RTF file" SAVE),
               ROW(0, "\xd0\xcf\x11\xe0", "an old Office file" SAVE),
               ROW(0, "x\x9f\x3e\x22", "a TNEF file of Outlook" SAVE),
               ROW(0, "!BDN", "a mail folder of Outlook" SAVE),
               ROW(60, "BOOKMOBI", "an e-book of Kindle" SAVE),
               ROW(0, "\x89PNG\r\n", "an image" NOT),
               ROW(0, "GIF8", "an image" NOT),
               ROW(0, "\xff\xd8\xff", "an image" NOT)};
#undef ROW

/*
 * A message that names the format of s when pardup is known not to read it; else NULL. Of other
 * binary formats document/ only sees that they are no text.
 */
static const char *foreign_format(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
        const size_t m = foreign[k].n;
        if (n >= foreign[k].at + m && memcmp(s + foreign[k].at, foreign[k].magic, m) == 0)
            return foreign[k].text;
    }
    if (is_old_tar(s, n))
        return "a tar archive" UNPACK;
    if (is_wide_json(s, n))
        return "JSON in UTF-16 or UTF-32" NOT ": convert it to UTF-8";
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

/* Refuse a file that is too large to be a document. Returns PD_END or PD_EIO. */
static int refuse_large(struct pd_reader *r)
{
    pd_reader_tell(r, PD_SKIP_TOO_LARGE, "file is too large for one document (--max-document)");
    return go_to_end(r);
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
    if (judged && (text = foreign_format(s, n))) {
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
    raw->n = n;
    raw->kind = PD_RECORD_FILE;
    raw->record = raw->body;
    raw->media = pd_format_rows[r->options.format].media;
    raw->file = !r->layout->extract;
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

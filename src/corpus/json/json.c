/*
 * corpus/json/json.c - JSON that is not lines: objects over many lines, several objects on a line,
 * lists of objects, and sequences of RFC 7464.
 *
 * An object that stands by itself, or directly in a list, is a record. Blanks, commas, separators
 * and the brackets of lists lie between records. Where an object ends follows from its braces
 * alone, and the file is read from its start.
 */
#include <string.h>

#include "corpus/inside.h"
#include "json_record.h"
#include "pardup/base/error.h"

#define LOOK      ((size_t)64 << 10) /* bytes searched first for the end of an object */
#define BETWEEN   " \t\r\n,[]\x1e"   /* bytes between objects */
#define NBETWEEN  8
#define SEPARATOR '\x1e' /* stands before each text of a sequence (RFC 7464) */

/* ---- where an object ends ---- */

/* How far the search for the end of an object has come. */
struct search {
    size_t at;    /* bytes looked at */
    size_t depth; /* open braces */
    bool string;  /* inside a string */
    bool escaped; /* behind a backslash in it */
};

/*
 * Go on in s[0, n), from s[search->at] on. Returns whether the object ends, right before
 * search->at. A separator outside of a string, or in front of a brace, ends an object that was cut
 * short. A separator in a string stays if the next byte is not at hand.
 */
static bool find_end(struct search *search, const unsigned char *s, size_t n)
{
    while (search->at < n) {
        const unsigned char c = s[search->at];
        if (c == SEPARATOR && search->string && search->at + 1 == n)
            return false;
        if (c == SEPARATOR && (!search->string || s[search->at + 1] == '{'))
            return true;
        search->at++;
        if (search->escaped)
            search->escaped = false;
        else if (c == '"')
            search->string = !search->string;
        else if (search->string)
            search->escaped = c == '\\';
        else if (c == '{')
            search->depth++;
        else if (c == '}' && --search->depth == 0)
            return true;
    }
    return false;
}

/*
 * The object at the stream's position is s[0, n). Returns PD_OK; PD_EFULL when it is larger than a
 * document may be; PD_END when the file ends inside it; PD_EFORMAT when the stream breaks inside
 * it; or PD_EIO.
 */
static int peek_object(struct pd_reader *r, const unsigned char **s, size_t *n)
{
    const size_t most = (size_t)r->options.max_document + LOOK; /* show an object too large */
    struct search search = {0};
    for (size_t have, want = LOOK;; want = 2 * have < most ? 2 * have : most) {
        const int status = pd_stream_peek(r->stream, want, s, &have);
        if (status == PD_EIO)
            return status;
        const bool ends = find_end(&search, *s, have);
        *n = search.at;
        if (*n > r->options.max_document)
            return PD_EFULL;
        if (ends)
            return PD_OK;
        if (have < want)
            return status == PD_OK ? PD_END : status;
    }
}

/* ---- passing ---- */

/* Pass the object at the stream's position, or the rest of the good bytes. PD_OK or PD_EIO. */
static int pass_object(struct pd_reader *r)
{
    struct search search = {0};
    for (bool ends = false; !ends; search.at = 0) {
        const unsigned char *s;
        size_t n;
        if (pd_stream_peek(r->stream, LOOK, &s, &n) == PD_EIO)
            return PD_EIO;
        ends = n == 0 || find_end(&search, s, n);
        if (!ends && search.at == 0) /* the separator is the last byte at hand */
            search.at = n;
        pd_stream_advance(r->stream, search.at);
    }
    return PD_OK;
}

/*
 * Pass what lies between objects, or with `all` whatever lies before the next brace. Returns PD_OK
 * in front of a byte that is neither, PD_END at the end of the file, PD_EFORMAT or PD_EIO.
 */
static int pass(struct pd_reader *r, bool all)
{
    for (;;) {
        const unsigned char *s;
        size_t n, k = 0;
        const int status = pd_stream_peek(r->stream, LOOK, &s, &n);
        if (status == PD_EIO)
            return status;
        while (k < n && (all ? s[k] != '{' : memchr(BETWEEN, s[k], NBETWEEN) != NULL))
            k++;
        pd_stream_advance(r->stream, k);
        if (k < n)
            return PD_OK;
        if (n == 0)
            return status == PD_OK ? PD_END : status;
    }
}

static int pass_between(struct pd_reader *r) { return pass(r, false); }

/* ---- reading ---- */

/* Go to the file's first byte behind its byte order mark; only the first piece has records. */
static int enter(struct pd_reader *r)
{
    r->done = r->piece.from > 0;
    pd_reader_enter(r);
    return r->done ? PD_OK : pd_reader_pass_mark(r);
}

/*
 * Read the object at the mark and pass it. Returns PD_OK for a document, PD_END when the object
 * holds none, PD_EFORMAT when the stream breaks, or PD_EIO. Sets r->done at the end of the file.
 */
static int read_object(struct pd_reader *r, struct pd_raw *raw)
{
    const unsigned char *s;
    size_t n;
    int status = peek_object(r, &s, &n);
    switch (status) {
    case PD_EFULL:
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "object is too long (--max-document)");
        status = pass_object(r);
        return status == PD_EIO ? status : PD_END;
    case PD_END:
        pd_reader_tell(r, PD_SKIP_JSON, "the file ends inside an object");
        r->done = true;
        return pass_object(r) == PD_EIO ? PD_EIO : PD_END;
    case PD_OK:
        break;
    default:
        return status;
    }
    pd_stream_advance(r->stream, n);
    if (!r->owned || pd_json_record(r, s, n, raw) != PD_OK)
        return PD_END;
    raw->kind = PD_RECORD_JSON;
    raw->record = s;
    return pd_reader_deliver(r, raw);
}

/* Read what lies at the mark: an object, or something else, which is passed and reported. */
static int read_value(struct pd_reader *r, struct pd_raw *raw)
{
    const unsigned char *s;
    size_t n;
    if (pd_stream_peek(r->stream, 1, &s, &n) == PD_OK && n > 0 && *s == '{')
        return read_object(r, raw);
    pd_reader_tell(r, PD_SKIP_JSON, "no object here: passed up to the next brace");
    const int status = pass(r, true);
    return status == PD_OK ? PD_END : status;
}

static int next_object(struct pd_reader *r, struct pd_raw *raw)
{
    if (!r->entered)
        PD_TRY(enter(r));
    return pd_reader_next_item(r, pass_between, read_value, raw);
}

/* ---- detection ---- */

static size_t pass_bytes(const unsigned char *s, size_t k, size_t n, const char *bytes)
{
    while (k < n && s[k] && strchr(bytes, s[k]))
        k++;
    return k;
}

/*
 * Is the object at s[k] more than a line of JSON lines? Either the line ends inside the object,
 * behind a comma or an opening bracket, or a comma or another object follows on the line.
 */
static bool goes_on(const unsigned char *s, size_t k, size_t n)
{
    const unsigned char *lf = memchr(s + k, '\n', n - k);
    size_t end = lf ? (size_t)(lf - s) : n;
    struct search search = {0};
    if (find_end(&search, s + k, end - k)) {
        const size_t behind = pass_bytes(s, k + search.at, end, " \t\r");
        return behind < end && (s[behind] == ',' || s[behind] == '{');
    }
    while (end > k && memchr(" \t\r", s[end - 1], 3))
        end--;
    return lf && !search.string && memchr(",{[", s[end - 1], 3) != NULL;
}

/*
 * Does the file begin with a list of objects, with an object over several lines, or with several
 * objects on a line? The first name must follow, since a text can begin with a bracket, too.
 */
static bool recognises(const struct pd_beginning *file)
{
    const unsigned char *s = file->s;
    size_t k = file->text;
    const bool sure = k < file->n && (s[k] == '[' || s[k] == SEPARATOR);
    if (sure)
        k = pass_bytes(s, k + 1, file->n, " \t\r\n");
    if (k == file->n || s[k] != '{')
        return false;
    const size_t name = pass_bytes(s, k + 1, file->n, " \t\r\n");
    return name < file->n && s[name] == '"' && (sure || goes_on(s, k, file->n));
}

/* Objects of a list have commas between them, which are found in the file as it is stored. */
static const char *uncut(const unsigned char *s, size_t n, bool packed)
{
    const size_t mark = n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    const size_t k = pass_bytes(s, mark, n, " \t\r\n");
    return k < n && s[k] == '[' && packed ? "compressed lists of JSON objects" : NULL;
}

const struct pd_layout pd_layout_json = {.recognises = recognises,
                                         .endings = {".json"},
                                         .next = next_object,
                                         .uncut = uncut,
                                         .many = true};

/* corpus/jsonl.c - JSON lines: one JSON object a line, with the text in one of its fields. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "inside.h"
#include "json_line.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "records.h"

#define LINE_LOOK    ((size_t)64 << 10) /* bytes searched first for a line end */
#define VALUES_FREE  ((size_t)1 << 20)  /* values of a line that are always read */
#define VALUE_BYTES  64 /* bytes that a value of a longer line must have on average */
#define PART_BYTES   ((size_t)1 << 20) /* bytes of a long line that are parsed at once */
#define PAD          64                /* readable bytes behind a body */
#define ID           "id"              /* the usual field of the id */
#define ID_CLUEWEB   "ClueWeb22-ID"    /* the same in ClueWeb22 */
#define DAMAGE_LEAST ((size_t)1 << 10) /* bytes of a line that may be damage */
#define NAME_MOST    ((size_t)256)     /* bytes of a name before its dot */
#define NUMBER_MOST  24                /* bytes of an integer, with NUL */

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
 * Go behind the next line end, or to the end of the stream's good bytes, or to stored byte `to` or
 * behind it. Returns PD_OK or PD_EIO.
 */
static int pass_line(struct pd_reader *r, uint64_t to)
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
    return pass_line(r, UINT64_MAX);
}

/* ---- objects ---- */

/*
 * Has the line s[0, n) so many values that their tree would take far more memory than the line? A
 * value of two bytes in an array takes some forty, and a member of an object a hundred. When reading is
 * to stop, the answer does not matter.
 */
static bool has_many_values(const struct pd_reader *r, const unsigned char *s, size_t n)
{
    size_t values = 0, look = 0;
    bool string = false;
    if (n <= VALUES_FREE)
        return false;
    for (size_t k = 0; k < n; k++) {
        if (k >= look && pd_stream_stopped(r->stream))
            return true;
        look = k >= look ? k + PART_BYTES : look;
        if (s[k] == '"')
            string = !string;
        else if (string)
            k += s[k] == '\\';
        else
            values += s[k] == ',' || s[k] == '[' || s[k] == '{';
    }
    return values > VALUES_FREE && values > n / VALUE_BYTES;
}

/* A long line on its way to jansson, part by part. */
struct feeding {
    const struct pd_stream *stream;
    const unsigned char *s;
    size_t n, done;
};

static size_t feed(void *to, size_t room, void *ctx)
{
    struct feeding *f = ctx;
    if (f->done % PART_BYTES == 0 && pd_stream_stopped(f->stream))
        return (size_t)-1;
    const size_t bytes =
        pd_min_size(pd_min_size(room, f->n - f->done), PART_BYTES - f->done % PART_BYTES);
    memcpy(to, f->s + f->done, bytes);
    f->done += bytes;
    return bytes;
}

/* Parse a line. A long line takes seconds, so a signal is heard inside it; then there is no object. */
static json_t *load(const struct pd_reader *r, const unsigned char *s, size_t n, size_t flags,
                    json_error_t *error)
{
    struct feeding f = {.stream = r->stream, .s = s, .n = n};
    return n > PART_BYTES ? json_load_callback(feed, &f, flags, error)
                          : json_loadb((const char *)s, n, flags, error);
}

/*
 * The object that is the line s[0, n); NULL with *error when it does not parse. *repaired: the line
 * had to be mended. *exact: integers are as the line has them.
 */
static json_t *parse(struct pd_reader *r, const unsigned char *s, size_t n, bool *repaired,
                     bool *exact, json_error_t *error)
{
    json_error_t again;
    json_t *root = load(r, s, n, JSON_ALLOW_NUL, error);
    *repaired = false;
    *exact = root;
    if (root)
        return root;
    if (json_error_code(error) == json_error_numeric_overflow)
        root = load(r, s, n, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &again);
    /* zeros that were written over several lines would become one string */
    if (root || pd_stream_stopped(r->stream) || (n > DAMAGE_LEAST && pd_records_damaged(s, n)) ||
        !pd_json_mend(s, n, &r->text))
        return root;
    *repaired = true;
    return load(r, r->text.v, r->text.n, JSON_ALLOW_NUL, &again);
}

static const char *copy_string(struct pd_reader *r, const char *s, size_t n)
{
    char *to = pd_arena_alloc(&r->arena, n + 1);
    if (n > 0)
        memcpy(to, s, n);
    to[n] = '\0';
    return to;
}

/* The field `name`; a dot in it goes into an object, unless a field has the whole name. */
static const json_t *field_at(const json_t *root, const char *name)
{
    const json_t *value = json_object_get(root, name);
    char part[NAME_MOST];
    for (const char *dot = name; !value && (dot = strchr(dot, '.')) != NULL; dot++) {
        const size_t n = (size_t)(dot - name);
        if (n >= sizeof part)
            break;
        memcpy(part, name, n);
        part[n] = '\0';
        const json_t *object = json_object_get(root, part);
        value = object ? field_at(object, dot + 1) : NULL;
    }
    return value;
}

/*
 * Set *v and *size to the value `found` of the field `name` of the line s[0, n): a string, or a
 * number as it is written. They stay as they are for any other value.
 */
static void take_text(struct pd_reader *r, const json_t *found, const char *name, bool exact,
                      const unsigned char *s, size_t n, const char **v, size_t *size)
{
    if (json_is_string(found)) {
        *size = json_string_length(found);
        *v = copy_string(r, json_string_value(found), *size);
    } else if (exact && json_is_integer(found) &&
               json_integer_value(found) != 0) { /* 0 may be -0 */
        char *number = pd_arena_alloc(&r->arena, NUMBER_MOST);
        *size = (size_t)snprintf(number, NUMBER_MOST, "%" JSON_INTEGER_FORMAT,
                                 json_integer_value(found));
        *v = number;
    } else if (found && !json_is_boolean(found) && !json_is_object(found) &&
               !json_is_array(found)) {
        const unsigned char *number = NULL;
        *size = pd_json_number(s, n, name, &number);
        *v = copy_string(r, (const char *)number, *size);
    }
}

/* Set the id and the order from their fields of the line s[0, n). */
static void set_id(struct pd_reader *r, const json_t *root, bool exact, const unsigned char *s,
                   size_t n, struct pd_raw *raw)
{
    const char *name = r->options.id_field, *order = r->options.order_field;
    const json_t *id = field_at(root, name);
    if (!id && strcmp(name, ID) == 0)
        id = json_object_get(root, name = ID_CLUEWEB);
    take_text(r, id, name, exact, s, n, &raw->id, &raw->id_n);
    if (order)
        take_text(r, field_at(root, order), order, exact, s, n, &raw->order, &raw->order_n);
}

/* The field `name`. When `name` is the usual name and the field is missing: the field `clueweb`. */
static const json_t *field_of(const json_t *root, const char *name, const char *usual,
                              const char *clueweb)
{
    const json_t *value = field_at(root, name);
    return value || strcmp(name, usual) != 0 ? value : json_object_get(root, clueweb);
}

static void count_fields(struct pd_reader *r, const json_t *root, const json_t *text,
                         const json_t *url, const json_t *site)
{
    struct pd_field_counts *c = &r->counts.fields;
    if (r->quiet || !json_is_object(root))
        return;
    c->objects++;
    c->ids += field_of(root, r->options.id_field, ID, ID_CLUEWEB) != NULL;
    c->texts += text != NULL;
    c->urls += url != NULL;
    c->sites += site != NULL;
}

static void set_url(struct pd_reader *r, const json_t *url, struct pd_raw *raw)
{
    if (!json_is_string(url))
        return;
    raw->url_n = json_string_length(url);
    raw->url = copy_string(r, json_string_value(url), raw->url_n);
    /* ClueWeb22's addresses end in LF */
    while (raw->url_n > 0 && raw->url[raw->url_n - 1] == '\n')
        raw->url_n--;
}

static void set_site(struct pd_reader *r, const json_t *site, struct pd_raw *raw)
{
    if (!json_is_string(site))
        return;
    raw->site_n = json_string_length(site);
    raw->site = copy_string(r, json_string_value(site), raw->site_n);
}

/*
 * Set *raw from the line s[0, n). Returns PD_OK, or PD_END when it is skipped, which is reported.
 */
static int read_object(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    json_error_t error;
    bool repaired, exact;
    if (has_many_values(r, s, n)) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "line of %zu bytes has too many values", n);
        return PD_END;
    }
    json_t *root = parse(r, s, n, &repaired, &exact, &error);
    const json_t *text = field_of(root, r->options.text_field, "text", "Clean-Text");
    const json_t *url = field_of(root, r->options.url_field, "url", "URL");
    const json_t *site = r->options.site_field ? field_at(root, r->options.site_field) : NULL;
    count_fields(r, root, text, url, site);
    if (!json_is_string(text)) {
        if (!root)
            pd_reader_tell(r, PD_SKIP_JSON, "%s", error.text);
        else
            pd_reader_tell(r, PD_SKIP_JSON, "no field \"%s\" that is a string",
                           r->options.text_field);
        json_decref(root);
        return PD_END;
    }
    r->text.n = 0;
    pd_bytes_reserve(&r->text, json_string_length(text) + PAD);
    pd_bytes_append(&r->text, json_string_value(text), json_string_length(text));
    set_id(r, root, exact, s, n, raw);
    set_url(r, url, raw);
    set_site(r, site, raw);
    json_decref(root);
    raw->body = r->text.v;
    raw->n = r->text.n;
    raw->media = PD_MEDIA_TEXT;
    r->counts.repaired += repaired && !r->quiet;
    return PD_OK;
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
        PD_TRY(pass_line(r, r->piece.to));
    }
    pd_reader_enter(r);
    const unsigned char *s;
    size_t n;
    if (pd_stream_peek(r->stream, 3, &s, &n) == PD_EIO)
        return PD_EIO;
    if (from == 0 && n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
        pd_stream_advance(r->stream, 3);
        if (r->piece.to <= 3) /* the line behind the byte order mark is this piece's */
            r->piece.to = 4;
    }
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
        status = pass_line(r, UINT64_MAX);
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
    status = read_object(r, s, n, raw);
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

const struct pd_layout pd_layout_jsonl = {
    .recognises = recognises, .next = next_line, .many = true};

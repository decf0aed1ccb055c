/* corpus/jsonl.c - JSON lines: one JSON object a line, with the text in one of its fields. */
#include <string.h>

#include "inside.h"
#include "json_fields.h"
#include "pardup/base/error.h"

#define LINE_LOOK      ((size_t)64 << 10) /* bytes searched first for a line end */
#define PAD            64                 /* readable bytes behind a body */
#define KEPT_JSON_MOST ((size_t)64 << 10) /* bytes of a list or object that is looked at */

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

/* The fields that a line is asked for. A field of ClueWeb22 follows the field that it stands for. */
enum field { ID, ID_CLUEWEB, TEXT, TEXT_CLUEWEB, URL, URL_CLUEWEB, SITE, ORDER, FIELDS };

/* Names that a line may be asked for: the fields above, then the fields to keep. */
enum { NAMES = FIELDS + PD_KEPT_FIELDS };

/*
 * The names of the fields; NULL: the field is not asked for. A new field is a constant above and a
 * name here. Its value is then line.values[constant]. Returns how many names there are.
 */
static size_t name_fields(const struct pd_reader_options *o, const char *names[NAMES])
{
    const size_t kept = o->keep ? o->keep->n : 0;
    names[ID] = o->id_field;
    names[ID_CLUEWEB] = strcmp(o->id_field, "id") == 0 ? "ClueWeb22-ID" : NULL;
    names[TEXT] = o->text_field;
    names[TEXT_CLUEWEB] = strcmp(o->text_field, "text") == 0 ? "Clean-Text" : NULL;
    names[URL] = o->url_field;
    names[URL_CLUEWEB] = strcmp(o->url_field, "url") == 0 ? "URL" : NULL;
    names[SITE] = o->site_field;
    names[ORDER] = o->order_field;
    for (size_t k = 0; k < kept; k++)
        names[FIELDS + k] = o->keep->names[k];
    return FIELDS + kept;
}

/* The value of the field, or of ClueWeb22's field that stands for it. */
static const struct pd_json_value *value_of(const struct pd_json_line *line, enum field field)
{
    const struct pd_json_value *v = &line->values[field];
    return v->kind == PD_JSON_NONE ? v + 1 : v;
}

static void count_fields(struct pd_reader *r, const struct pd_json_line *line)
{
    struct pd_field_counts *c = &r->counts.fields;
    if (r->quiet || !line->object)
        return;
    c->objects++;
    c->ids += value_of(line, ID)->kind != PD_JSON_NONE;
    c->texts += value_of(line, TEXT)->kind != PD_JSON_NONE;
    c->urls += value_of(line, URL)->kind != PD_JSON_NONE;
    c->sites += line->values[SITE].kind != PD_JSON_NONE;
}

/* Set *to and *n to a value that is a string. They stay as they are for any other value. */
static void take_string(struct pd_reader *r, const struct pd_json_value *v, const char **to,
                        size_t *n)
{
    if (v->kind != PD_JSON_STRING)
        return;
    unsigned char *copy = pd_arena_alloc(&r->arena, v->n + 1);
    *n = pd_json_decode(v, copy);
    copy[*n] = '\0';
    *to = (char *)copy;
}

/* The same for a string, or a number as it is written. */
static void take_text(struct pd_reader *r, const struct pd_json_value *v, const char **to,
                      size_t *n)
{
    struct pd_json_value text = *v;
    if (pd_json_has_number(v))
        text.kind = PD_JSON_STRING;
    take_string(r, &text, to, n);
}

static void set_url(struct pd_reader *r, const struct pd_json_line *line, struct pd_raw *raw)
{
    take_string(r, value_of(line, URL), &raw->url, &raw->url_n);
    /* ClueWeb22's addresses end in LF */
    while (raw->url_n > 0 && raw->url[raw->url_n - 1] == '\n')
        raw->url_n--;
}

/* Set *kept to a list or object without white space outside of its strings, or to true or false. */
static void take_json(struct pd_reader *r, const struct pd_json_value *v, struct pd_kept *kept)
{
    bool string = false;
    *kept = (struct pd_kept){.json = true, .lost = v->n == 0 || v->n > KEPT_JSON_MOST};
    if (kept->lost)
        return;
    char *copy = pd_arena_alloc(&r->arena, v->n);
    for (size_t k = 0; k < v->n; k++) {
        kept->lost |= v->s[k] == '\0'; /* the parser passes over it between values */
        if (v->s[k] == '"')
            string = !string;
        if (string && v->s[k] == '\\')
            copy[kept->n++] = (char)v->s[k++];
        if (string || !memchr(" \t\r\n", v->s[k], 4))
            copy[kept->n++] = (char)v->s[k];
    }
    kept->v = kept->lost ? NULL : copy;
}

/* Set the values of the fields to keep. */
static void set_kept(struct pd_reader *r, const struct pd_json_line *line, struct pd_raw *raw)
{
    const struct pd_keeping *keep = r->options.keep;
    if (!keep || keep->n == 0)
        return;
    struct pd_kept *values = pd_arena_alloc(&r->arena, keep->n * sizeof *values);
    memset(values, 0, keep->n * sizeof *values);
    for (size_t k = 0; k < keep->n; k++) {
        const struct pd_json_value *v = &line->values[FIELDS + k];
        if (v->kind == PD_JSON_BOOLEAN || v->kind == PD_JSON_OBJECT || v->kind == PD_JSON_ARRAY) {
            take_json(r, v, &values[k]);
            continue;
        }
        values[k].json = pd_json_has_number(v);
        if (v->kind != PD_JSON_NULL)
            take_text(r, v, &values[k].v, &values[k].n);
    }
    raw->kept = values;
}

static void set_body(struct pd_reader *r, const struct pd_json_value *text, struct pd_raw *raw)
{
    pd_bytes_reserve(&r->text, text->n + PAD);
    r->text.n = pd_json_decode(text, r->text.v);
    raw->body = r->text.v;
    raw->n = r->text.n;
    raw->media = PD_MEDIA_TEXT;
}

/*
 * Set *raw from the line s[0, n). Returns PD_OK, or PD_END when it is skipped, which is reported.
 */
static int read_object(struct pd_reader *r, const unsigned char *s, size_t n, struct pd_raw *raw)
{
    const char *names[NAMES];
    struct pd_json_line line;
    const size_t nnames = name_fields(&r->options, names);
    if (pd_json_line_read(r, s, n, names, nnames, &line) == PD_EFULL) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "line of %zu bytes has too many values", n);
        return PD_END;
    }
    count_fields(r, &line);
    const struct pd_json_value *text = value_of(&line, TEXT);
    const bool found = text->kind == PD_JSON_STRING;
    if (!line.parsed)
        pd_reader_tell(r, PD_SKIP_JSON, "%s", line.error);
    else if (!found)
        pd_reader_tell(r, PD_SKIP_JSON, "no field \"%s\" that is a string", r->options.text_field);
    if (found) {
        set_body(r, text, raw);
        take_text(r, value_of(&line, ID), &raw->id, &raw->id_n);
        take_text(r, &line.values[ORDER], &raw->order, &raw->order_n);
        take_string(r, &line.values[SITE], &raw->site, &raw->site_n);
        set_url(r, &line, raw);
        set_kept(r, &line, raw);
        r->counts.repaired += line.repaired && !r->quiet;
    }
    pd_json_line_release(&line);
    return found ? PD_OK : PD_END;
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

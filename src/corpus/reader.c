/* corpus/reader.c - see include/pardup/corpus/reader.h */
#include "pardup/corpus/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "inside.h"
#include "json_record.h"
#include "mail.h"
#include "pardup/base/error.h"
#include "rune.h"

#define PROBE_MOST  ((uint64_t)8 << 20) /* stored bytes in which a second member must start */
#define SKIP_STEP   ((size_t)1 << 20) /* decoded bytes passed in one step on the way to a record */
#define DETAIL_MOST 256               /* bytes of a text that says what is wrong */

#define LONG_ID "document id of %zu bytes: more than %d"

static char *copy_name(const char *name, const char *preset)
{
    const char *from = name ? name : preset;
    const size_t n = strlen(from) + 1;
    return memcpy(pd_realloc(NULL, n, 1), from, n);
}

struct pd_reader *pd_reader_new(const struct pd_reader_options *options)
{
    struct pd_reader *r = pd_realloc(NULL, 1, sizeof *r);
    *r = (struct pd_reader){.options = *options, .stream = pd_stream_new()};
    if (r->options.max_document == 0)
        r->options.max_document = PD_DOCUMENT_MOST;
    pd_stream_stop_when(r->stream, options->stopping);
    r->http.most = r->again.most = r->options.max_document;
    r->options.id_field = copy_name(options->id_field, "id");
    r->options.text_field = copy_name(options->text_field, "text");
    r->options.url_field = copy_name(options->url_field, "url");
    if (options->site_field)
        r->options.site_field = copy_name(options->site_field, "");
    return r;
}

void pd_reader_free(struct pd_reader *r)
{
    if (!r)
        return;
    pd_stream_free(r->stream);
    pd_arena_release(&r->arena);
    pd_bytes_release(&r->text);
    pd_http_release(&r->http);
    pd_http_release(&r->again);
    pd_parquet_free(r->parquet);
    pd_csv_table_free(r->table);
    free((char *)r->options.id_field);
    free((char *)r->options.text_field);
    free((char *)r->options.url_field);
    free((char *)r->options.site_field);
    free(r);
}

const struct pd_reader_counts *pd_reader_counts(const struct pd_reader *r) { return &r->counts; }

/* ---- what the formats call ---- */

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

/* ---- files and pieces ---- */

/* Does the name of a file end so, in any case of letters, before a compression's .gz or .zst? */
static bool is_named(const char *path, const char *end)
{
    static const char *const packed[] = {".gz", ".zst"};
    size_t n = strlen(path);
    const size_t m = strlen(end);
    for (size_t k = 0; k < sizeof packed / sizeof *packed; k++)
        if (n > strlen(packed[k]) && strcasecmp(path + n - strlen(packed[k]), packed[k]) == 0) {
            n -= strlen(packed[k]);
            break;
        }
    return n >= m && strncasecmp(path + n - m, end, m) == 0;
}

/*
 * An empty file holds no document if it is named as one of many, and else it is an empty document.
 */
static const struct pd_layout *layout_of_empty(const char *path)
{
    static const struct {
        const char *end;
        enum pd_format format;
    } names[] = {{".jsonl", PD_FORMAT_JSONL},
                 {".ndjson", PD_FORMAT_JSONL},
                 {".json", PD_FORMAT_JSONL},
                 {".warc", PD_FORMAT_WARC},
                 {".mbox", PD_FORMAT_MBOX}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (is_named(path, names[k].end))
            return pd_format_rows[names[k].format].layout;
    return &pd_layout_whole;
}

/* Is a file named as one of JSON lines? */
static bool is_lines(const char *path)
{
    return is_named(path, ".jsonl") || is_named(path, ".ndjson");
}

/* Does a line of s[0, n) begin with an object and its first name? */
static bool has_object(const unsigned char *s, size_t n)
{
    for (size_t k = 0; k + 1 < n; k++) {
        const size_t name = s[k + 1] == ' ' ? k + 2 : k + 1;
        if (s[k] == '{' && name < n && s[name] == '"')
            return true;
        const unsigned char *lf = memchr(s + k, '\n', n - k);
        if (!lf)
            break;
        k = (size_t)(lf - s);
    }
    return false;
}

/* Open r->file at its start and find its layout. Returns PD_OK or PD_EIO. */
static int open_file(struct pd_reader *r)
{
    PD_TRY(pd_stream_open(r->stream, r->file->path, 0));
    pd_csv_table_forget(r);
    if (r->options.format != PD_FORMAT_AUTO) {
        r->layout = pd_format_rows[r->options.format].layout;
        return PD_OK;
    }
    const unsigned char *s;
    size_t n;
    bool recovered = false;
    int status;
    while ((status = pd_stream_peek(r->stream, PD_SNIFF, &s, &n)) == PD_EFORMAT && n == 0) {
        recovered = true;
        status = pd_stream_recover(r->stream);
        if (status != PD_OK)
            break;
    }
    if (status == PD_EIO)
        return status;
    r->layout = n > 0 ? pd_layout_of(s, n) : layout_of_empty(r->file->path);
    if (r->layout == &pd_layout_whole && n > 0) {
        const bool table = is_named(r->file->path, ".csv") || is_named(r->file->path, ".tsv");
        if (table && pd_csv_is_table(&r->options, s, n, n < PD_SNIFF && status == PD_OK))
            r->layout = &pd_layout_csv;
        else if (is_lines(r->file->path) && has_object(s, n))
            r->layout = &pd_layout_jsonl; /* its first line is broken, and will be told */
        else
            r->counts.fields.textless += (table || is_lines(r->file->path)) && !r->quiet;
    }
    return recovered ? pd_stream_open(r->stream, r->file->path, 0) : PD_OK;
}

static void begin_piece(struct pd_reader *r, const struct pd_piece *piece)
{
    r->piece = *piece;
    r->entered = r->done = r->quiet = false;
    r->new_line = true;
    r->counted = 0;
}

int pd_reader_open(struct pd_reader *r, const struct pd_file *file, const struct pd_piece *piece)
{
    r->file = file;
    begin_piece(r, piece);
    return open_file(r);
}

void pd_reader_go_on(struct pd_reader *r, const struct pd_piece *piece)
{
    begin_piece(r, piece);
    /*
     * A format with a magic looks for its first member from piece->from on, where bytes may have
     * been read ahead. The other formats decode a compressed file from its start.
     */
    pd_stream_go_to(r->stream, r->layout->magic ? piece->from : 0);
}

/*
 * Count the stored bytes passed since the last call. Every stripe of a file passes all of its
 * bytes, so only the first stripe counts.
 */
static void count_stored(struct pd_reader *r)
{
    uint64_t offset, skip;
    pd_stream_where(r->stream, &offset, &skip);
    if (!r->quiet && (r->piece.nstripes <= 1 || r->piece.stripe == 0))
        r->counts.stored_bytes += offset - r->counted;
    r->counted = offset;
}

static int next_record(struct pd_reader *r, struct pd_raw *raw)
{
    pd_arena_reset(&r->arena);
    *raw = (struct pd_raw){0};
    const int status = r->layout->next(r, raw);
    count_stored(r);
    return status;
}

/* Bytes of the character at s[0, n) when it may stand in an id; 0 when it is to be written out. */
static size_t id_bytes(const unsigned char *s, size_t n) { return *s ? pd_rune_bytes(s, n) : 0; }

/*
 * Write each byte of the id that is NUL or no UTF-8 as \xHH, so that ids that differ still do where
 * they are read as text.
 */
static void write_out_id(struct pd_reader *r, struct pd_raw *raw)
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

int pd_reader_next(struct pd_reader *r, struct pd_raw *raw)
{
    int status;
    while ((status = next_record(r, raw)) == PD_OK && raw->id_n > PD_ID_MOST) {
        r->counts.documents--;
        pd_reader_tell(r, PD_SKIP_HEADER, LONG_ID, raw->id_n, PD_ID_MOST);
    }
    if (status == PD_OK) {
        r->counts.fields.messages += pd_mail_begins(raw->body, raw->n) && !r->quiet;
        write_out_id(r, raw);
        raw->path = r->file->path;
    }
    return status;
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
    if (raw->id_n > PD_ID_MOST) {
        pd_reader_tell(r, PD_SKIP_HEADER, LONG_ID, raw->id_n, PD_ID_MOST);
        raw->id = NULL;
        return PD_END;
    }
    if (r->counts.repaired > repaired)
        write_out_id(r, raw);
    return status;
}

int pd_reader_check(const struct pd_reader *r)
{
    return pd_stream_check(r->stream, r->file->bytes, r->file->changed);
}

uint64_t pd_reader_reached(const struct pd_reader *r) { return pd_stream_reached(r->stream); }

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

/* Read the document at a place of the file that is open. */
static int fetch(struct pd_reader *r, uint64_t offset, uint64_t skip, struct pd_raw *raw)
{
    const struct pd_piece one = {.nstripes = 1, .from = offset, .to = UINT64_MAX};
    begin_piece(r, &one);
    r->quiet = r->new_line = true;
    r->entered = r->layout->many;
    if (!r->layout->many) { /* the file is the document; `offset` is where its first frame begins */
        r->piece.from = 0;
        return pd_reader_next(r, raw);
    }
    int status =
        r->layout->go_to ? r->layout->go_to(r, offset, skip) : pd_reader_go_to(r, offset, skip);
    if (status == PD_OK)
        status = pd_reader_next(r, raw);
    return status == PD_OK && (raw->offset != offset || raw->skip != skip) ? PD_END : status;
}

int pd_reader_fetch(struct pd_reader *r, const struct pd_file *file, uint64_t offset, uint64_t skip,
                    struct pd_raw *raw)
{
    const struct pd_piece one = {.nstripes = 1, .from = offset, .to = UINT64_MAX};
    PD_TRY(pd_reader_open(r, file, &one));
    return fetch(r, offset, skip, raw);
}

int pd_reader_fetch_more(struct pd_reader *r, uint64_t offset, uint64_t skip, struct pd_raw *raw)
{
    return fetch(r, offset, skip, raw);
}

int pd_reader_probe(struct pd_reader *r, const struct pd_file *file, int *splittable, int *striped)
{
    r->file = file;
    *splittable = *striped = 0;
    PD_TRY(open_file(r));
    const char *magic = r->layout->magic;
    if (!r->layout->many)
        return PD_OK;
    if (pd_stream_compression(r->stream) == PD_PLAIN) {
        *splittable = 1;
        return PD_OK;
    }
    *striped = 1;
    if (magic) {
        const int status = pd_stream_seek_member(r->stream, 1, PROBE_MOST, magic, strlen(magic));
        if (status == PD_EIO)
            return status;
        *splittable = status == PD_OK;
        *striped = !*splittable;
    }
    return PD_OK;
}

/* Open a file to find its layout only; s[0, n) is its beginning. False: it cannot be read. */
static bool sniff(struct pd_reader *r, const char *path, const unsigned char **s, size_t *n)
{
    const struct pd_file file = {.path = (char *)path};
    r->file = &file;
    const bool open = open_file(r) == PD_OK && pd_stream_peek(r->stream, PD_SNIFF, s, n) != PD_EIO;
    r->file = NULL;
    pd_error_clear();
    return open;
}

bool pd_reader_is_fixed(struct pd_reader *r, const char *path)
{
    const unsigned char *s;
    size_t n;
    return sniff(r, path, &s, &n) && r->layout->fixed;
}

bool pd_reader_is_lines(struct pd_reader *r, const char *path)
{
    const unsigned char *s;
    size_t n;
    return sniff(r, path, &s, &n) && r->layout == &pd_layout_jsonl;
}

const char *pd_reader_uncut(struct pd_reader *r, const char *path, bool *rows)
{
    const unsigned char *s;
    size_t n;
    const bool open = sniff(r, path, &s, &n);
    const bool packed = open && pd_stream_compression(r->stream) != PD_PLAIN;
    *rows = open && !packed && r->layout->rows;
    return open && r->layout->uncut ? r->layout->uncut(s, n, packed) : NULL;
}

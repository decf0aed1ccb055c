/* corpus/reader.c - see include/pardup/corpus/reader.h */
#include "pardup/corpus/reader.h"

#include <string.h>

#include "fields.h"
#include "foreign.h"
#include "inside.h"
#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/corpus/convert.h"

#define PROBE_MOST ((uint64_t)8 << 20) /* stored bytes in which a second member must start */

static char *copy_name(const char *name, const char *preset)
{
    return pd_printed("%s", name ? name : preset);
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
    pd_text_fields_read(&r->text_fields, r->options.text_field);
    r->options.url_field = copy_name(options->url_field, "url");
    if (options->site_field)
        r->options.site_field = copy_name(options->site_field, "");
    return r;
}

/* Free what belongs to the layout of the file at hand. */
static void drop_own(struct pd_reader *r)
{
    if (r->own && r->layout->free)
        r->layout->free(r->own);
    free(r->own);
    r->own = NULL;
}

void pd_reader_free(struct pd_reader *r)
{
    if (!r)
        return;
    pd_stream_free(r->stream);
    pd_arena_release(&r->arena);
    pd_bytes_release(&r->text);
    pd_bytes_release(&r->fetched_path);
    PD_RELEASE(pd_http, &r->http, &r->again);
    drop_own(r);
    PD_FREE((char *)r->options.id_field, (char *)r->options.text_field,
            (char *)r->options.url_field, (char *)r->options.site_field, r);
}

const struct pd_reader_counts *pd_reader_counts(const struct pd_reader *r) { return &r->counts; }

/* ---- files and pieces ---- */

/*
 * The layout of r->file, whose decoded bytes begin with s[0, n), or with `whole` are s[0, n). The
 * name of the file decides when its bytes do not.
 */
static const struct pd_layout *find_layout(struct pd_reader *r, const unsigned char *s, size_t n,
                                           bool whole)
{
    if (n > 0 && pd_converter_find(r->file->path, s, n) >= 0)
        return &pd_layout_converted;
    const struct pd_layout *layout = n > 0 ? pd_layout_of(s, n) : NULL;
    if (layout)
        return layout;
    if (pd_is_misnamed(r->file->path, s, n) || pd_foreign_format(s, n))
        return pd_format_rows[PD_FORMAT_AUTO].layout; /* which says so */
    layout = pd_layout_named(r->file->path);
    if (layout && (layout->claims ? layout->claims(&r->options, s, n, whole) : n == 0))
        return layout;
    r->counts.fields.textless += layout && n > 0 && layout->claims && !r->quiet;
    return pd_format_rows[PD_FORMAT_AUTO].layout;
}

/* Read r->file by `layout`, which keeps what it has of its own from one file to the next. */
static void set_layout(struct pd_reader *r, const struct pd_layout *layout)
{
    if (layout != r->layout)
        drop_own(r);
    r->layout = layout;
    if (layout->own > 0 && !r->own)
        r->own = memset(pd_realloc(NULL, 1, layout->own), 0, layout->own);
    if (layout->forget)
        layout->forget(r->own);
}

/* Open r->file at its start and find its layout. Returns PD_OK or PD_EIO. */
static int open_file(struct pd_reader *r)
{
    PD_TRY(pd_stream_open(r->stream, r->file->path, 0));
    if (r->options.format != PD_FORMAT_AUTO) {
        set_layout(r, pd_format_rows[r->options.format].layout);
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
    set_layout(r, find_layout(r, s, n, n < PD_SNIFF && status == PD_OK));
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

int pd_reader_next(struct pd_reader *r, struct pd_raw *raw)
{
    int status;
    while ((status = next_record(r, raw)) == PD_OK && !pd_reader_takes_id(r, raw))
        r->counts.documents--;
    if (status == PD_OK) {
        r->counts.fields.messages +=
            raw->sender_n == 0 && pd_fields_begin_message(raw->body, raw->n) && !r->quiet;
        pd_reader_write_out_id(r, raw);
        raw->path = r->file->path;
    }
    return status;
}

int pd_reader_check(const struct pd_reader *r)
{
    return pd_stream_check(r->stream, r->file->bytes, r->file->changed);
}

uint64_t pd_reader_reached(const struct pd_reader *r) { return pd_stream_reached(r->stream); }

/* Open the file of a document that is fetched, if it is not the open file of many documents. */
static int open_again(struct pd_reader *r, const struct pd_file *file)
{
    if (r->file == &r->fetched && r->layout->many && strcmp(file->path, r->fetched.path) == 0)
        return PD_OK;
    r->fetched_path.n = 0;
    pd_bytes_append(&r->fetched_path, file->path, strlen(file->path) + 1);
    r->fetched = *file;
    r->fetched.path = (char *)r->fetched_path.v;
    r->file = &r->fetched;
    const uint64_t path = pd_hash_bytes(file->path, strlen(file->path)), k = path % PD_KNOWN;
    const bool known = r->known[k].layout && r->known[k].path == path;
    const int status = known ? pd_stream_open(r->stream, r->fetched.path, 0) : open_file(r);
    if (status != PD_OK) {
        r->file = NULL;
        return status;
    }
    if (known)
        set_layout(r, r->known[k].layout);
    r->known[k].path = path;
    r->known[k].layout = r->layout;
    return PD_OK;
}

int pd_reader_fetch(struct pd_reader *r, const struct pd_file *file, uint64_t offset, uint64_t skip,
                    struct pd_raw *raw)
{
    const struct pd_piece one = {.nstripes = 1, .from = offset, .to = UINT64_MAX};
    PD_TRY(open_again(r, file));
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
    return sniff(r, path, &s, &n) && r->layout->lines;
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

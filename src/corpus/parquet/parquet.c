/*
 * corpus/parquet/parquet.c - Parquet files: a row is a document, with the text in one of its
 * columns.
 *
 * A row group belongs to the piece in which it begins. A document lies at the offset of its row
 * group; what is skipped from there on is a number of rows.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "corpus/inside.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/open.h"
#include "parquet_column.h"

#define START         PD_PARQUET_MAGIC "\x15" /* a page header or the metadata follows the magic */
#define FOOTER_LEAST  ((uint64_t)64 << 20)    /* bytes of metadata that are read in any case */
#define PAGE_TIMES    4                       /* largest page, in --max-document */
#define PROGRESS_ROWS 64                      /* rows after which the stream's position follows */

/* The Parquet file that a reader has open. It stays open until another one is. */
struct parquet {
    int fd;         /* when `open` */
    struct stat st; /* of the open file */
    bool open;
    struct pd_parquet_footer footer;
    bool sound; /* the footer was read */
    struct pd_parquet_decoders decoders;
    struct pd_parquet_column columns[PD_PARQUET_ROLES];
    size_t group;   /* number of the row group at hand */
    bool begun;     /* its columns are open */
    uint64_t row;   /* the next row of it */
    uint64_t bytes; /* of texts of the row group so far */
    uint64_t last;  /* offset at which row groups belong to the next piece */
};

static void close_file(struct parquet *p)
{
    if (p->open)
        close(p->fd);
    p->open = p->sound = p->begun = false;
}

static void free_parquet(void *own)
{
    struct parquet *p = own;
    close_file(p);
    pd_parquet_footer_release(&p->footer);
    pd_parquet_decoders_free(&p->decoders);
    for (int role = 0; role < PD_PARQUET_ROLES; role++)
        pd_parquet_column_release(&p->columns[role]);
}

/* ---- the file ---- */

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int read_footer(struct pd_reader *r, struct parquet *p)
{
    const struct pd_reader_options *o = &r->options;
    const char *text = pd_text_fields_last(o->text_field);
    const char *names[PD_PARQUET_ROLES] = {text, o->id_field, o->url_field, o->site_field};
    bool usual[PD_PARQUET_ROLES] = {strcmp(text, "text") == 0, strcmp(o->id_field, "id") == 0,
                                    strcmp(o->url_field, "url") == 0, !o->site_field};
    for (size_t k = 0; k < PD_KEPT_FIELDS; k++) { /* a field may be of other files */
        names[PD_PARQUET_KEPT + k] = o->keep && k < o->keep->n ? o->keep->names[k] : NULL;
        usual[PD_PARQUET_KEPT + k] = true;
    }
    const uint64_t most = pd_max_u64(o->max_document, FOOTER_LEAST);
    return pd_parquet_footer_read(&p->footer, p->fd, (uint64_t)p->st.st_size, r->file->path, most,
                                  names, usual);
}

/*
 * Have r->file open with its footer read. A file that is already open is kept, with the place in
 * it. Returns PD_OK, PD_EIO, or PD_EFORMAT with p->footer.why.
 */
static int open_file(struct pd_reader *r, struct parquet *p)
{
    struct stat st;
    const int fd = pd_open_regular(r->file->path);
    if (fd < 0)
        return PD_EIO;
    if (fstat(fd, &st) == 0 && p->sound && same_file(&st, &p->st)) {
        close(fd);
        return PD_OK;
    }
    close_file(p);
    p->fd = fd;
    p->open = true;
    p->st = st;
    const int status = read_footer(r, p);
    p->sound = status == PD_OK;
    return status;
}

/* The first row group that begins at `offset` or behind it. */
static size_t group_from(const struct parquet *p, uint64_t offset)
{
    size_t k = 0;
    while (k < p->footer.groups.n && p->footer.groups.v[k].start < offset)
        k++;
    return p->sound ? k : p->footer.groups.n;
}

/* Offset of the row group; of the end of the file when there is none. */
static uint64_t start_of(const struct pd_reader *r, const struct parquet *p, size_t group)
{
    return p->sound && group < p->footer.groups.n ? p->footer.groups.v[group].start
                                                  : r->file->bytes;
}

/* Report the file as one that is not read. Its first piece does it. */
static void tell_file(struct pd_reader *r, const char *why)
{
    pd_reader_mark(r);
    if (r->piece.from == 0)
        pd_reader_tell(r, PD_SKIP_UNKNOWN, "a Parquet file: %s", why);
}

/*
 * Find the row groups of the piece. The stream of the reader stands for the place in the file, so
 * that bytes are counted as for other formats. Returns PD_OK or PD_EIO.
 */
static int enter(struct pd_reader *r, struct parquet *p)
{
    int status = PD_OK;
    const bool packed = pd_stream_compression(r->stream) != PD_PLAIN;
    p->begun = false;
    if (packed)
        close_file(p);
    else
        status = open_file(r, p);
    if (status == PD_EIO)
        return status;
    if (status != PD_OK && p->footer.asked)
        return pd_fail(PD_EIO, "%s: %s", r->file->path, p->footer.why);
    if (packed)
        tell_file(r, "compressed as a whole: unpack it first");
    else if (status != PD_OK)
        tell_file(r, p->footer.why);
    r->counts.fields.renamed += p->sound && p->footer.renamed && r->piece.from == 0 && !r->quiet;
    p->group = group_from(p, r->piece.from);
    p->last = start_of(r, p, group_from(p, r->piece.to));
    pd_stream_go_to(r->stream, r->piece.from == 0 ? 0 : start_of(r, p, p->group));
    pd_reader_enter(r);
    return PD_OK;
}

/* ---- rows ---- */

/* Begin the row group at hand. Returns false when its metadata is damaged. */
static bool begin_group(struct pd_reader *r, struct parquet *p)
{
    struct pd_parquet_chunk chunks[PD_PARQUET_ROLES];
    const struct pd_parquet_group *group = &p->footer.groups.v[p->group];
    p->begun = true;
    p->row = p->bytes = 0;
    if (!pd_parquet_chunks(&p->footer, group, chunks))
        return false;
    for (int role = 0; role < PD_PARQUET_ROLES; role++) {
        struct pd_parquet_column *c = &p->columns[role];
        c->fd = p->fd;
        c->path = r->file->path;
        c->decoders = &p->decoders;
        c->most = PAGE_TIMES * r->options.max_document;
        if (p->footer.leaves[role].there)
            pd_parquet_column_begin(c, &p->footer.leaves[role], &chunks[role], group->rows);
    }
    return true;
}

/* Mark the row as the place of what is told or delivered. */
static void mark(struct pd_reader *r, const struct parquet *p, uint64_t row)
{
    const struct pd_parquet_group *group = &p->footer.groups.v[p->group];
    const double share = (double)row / (double)group->rows;
    if (row % PROGRESS_ROWS == 0)
        pd_stream_go_to(r->stream,
                        group->start + (uint64_t)(share * (double)(group->end - group->start)));
    pd_reader_mark(r);
    r->offset = group->start;
    r->skip = row;
}

/* Leave the row group, whose rows from `row` on are lost. */
static void lose_group(struct pd_reader *r, struct parquet *p, uint64_t row, enum pd_skip why,
                       const char *name, const char *text)
{
    const uint64_t rows = p->footer.groups.v[p->group].rows;
    mark(r, p, row);
    pd_reader_tell(r, why, "column %.60s: %s; rows lost: %llu", name, text,
                   (unsigned long long)(rows - row));
    p->begun = false;
    p->group++;
}

/* A value of a row. */
struct value {
    const unsigned char *v;
    size_t n;
};

/*
 * Read the next row. A value that is null or not wanted has n = 0, and the text v = NULL. Returns
 * PD_OK; PD_END when the rest of the row group is lost, which is told; or PD_EIO.
 */
static int read_row(struct pd_reader *r, struct parquet *p, struct value values[PD_PARQUET_ROLES])
{
    const uint64_t row = p->row++;
    for (int role = 0; role < PD_PARQUET_ROLES; role++) {
        struct pd_parquet_column *c = &p->columns[role];
        values[role] = (struct value){0};
        if (!p->footer.leaves[role].there)
            continue;
        const int status = pd_parquet_column_next(c, &values[role].v, &values[role].n);
        if (status == PD_EIO)
            return status;
        if (status == PD_END)
            values[role] = (struct value){0};
        if (status != PD_EFORMAT)
            continue;
        lose_group(r, p, row, PD_SKIP_CORRUPT, c->leaf.name, c->why);
        return PD_END;
    }
    return PD_OK;
}

/*
 * Is the row group a bomb: few bytes, such as one text in a dictionary, that stand for very many?
 */
static bool is_bomb(struct parquet *p, size_t n)
{
    const struct pd_parquet_group *group = &p->footer.groups.v[p->group];
    p->bytes += n;
    return p->bytes > PD_PARQUET_FREE && p->bytes / PD_PARQUET_EXPANDS > group->end - group->start;
}

/* Set the values of the columns to keep. Numbers that JSON does not have become texts. */
static void set_kept(struct pd_reader *r, const struct parquet *p, const struct value *values,
                     struct pd_raw *raw)
{
    const struct pd_keeping *keep = r->options.keep;
    if (!keep || keep->n == 0)
        return;
    struct pd_kept *kept = pd_arena_alloc(&r->arena, keep->n * sizeof *kept);
    for (size_t k = 0; k < keep->n; k++) {
        const struct value *value = &values[PD_PARQUET_KEPT + k];
        const struct pd_parquet_leaf *leaf = &p->footer.leaves[PD_PARQUET_KEPT + k];
        const bool finite =
            !value->v || !memchr(value->v, 'n', value->n) || leaf->type == PD_PARQUET_BOOLEAN;
        kept[k] = (struct pd_kept){.v = (const char *)value->v,
                                   .n = value->n,
                                   .json = pd_parquet_is_number(leaf) && finite};
    }
    raw->kept = kept;
}

/* Make *raw the document of the row. Returns PD_OK, or PD_END when it is skipped, which is told. */
static int deliver(struct pd_reader *r, struct parquet *p, const struct value *values,
                   struct pd_raw *raw)
{
    const struct value *text = &values[PD_PARQUET_TEXT], *id = &values[PD_PARQUET_ID],
                       *url = &values[PD_PARQUET_URL], *site = &values[PD_PARQUET_SITE];
    mark(r, p, p->row - 1);
    if (!text->v) {
        pd_reader_tell(r, PD_SKIP_NO_TEXT, "the row has no text");
        return PD_END;
    }
    if (text->n > r->options.max_document) {
        pd_reader_tell(r, PD_SKIP_TOO_LARGE, "text of %zu bytes (--max-document)", text->n);
        return PD_END;
    }
    if (is_bomb(p, text->n)) {
        lose_group(r, p, p->row - 1, PD_SKIP_TOO_LARGE, r->options.text_field,
                   "more than 1 GB and 1,000 times the stored bytes");
        return PD_END;
    }
    *raw = (struct pd_raw){.id = (const char *)id->v,
                           .id_n = id->n,
                           .url = (const char *)url->v,
                           .url_n = url->n,
                           .site = (const char *)site->v,
                           .site_n = site->n,
                           .body = text->v,
                           .n = text->n,
                           .media = PD_MEDIA_TEXT};
    while (raw->url_n > 0 && raw->url[raw->url_n - 1] == '\n')
        raw->url_n--;
    set_kept(r, p, values, raw);
    PD_TRY(pd_reader_deliver(r, raw));
    raw->length = text->n;
    r->counts.decoded_bytes += r->quiet ? 0 : text->n;
    return PD_OK;
}

/* The next row of the piece. Returns PD_OK for a document, PD_END without one, or PD_EIO. */
static int take_row(struct pd_reader *r, struct parquet *p, struct pd_raw *raw)
{
    const struct pd_parquet_group *group = &p->footer.groups.v[p->group];
    struct value values[PD_PARQUET_ROLES];
    if (!p->begun && !begin_group(r, p)) {
        lose_group(r, p, 0, PD_SKIP_CORRUPT, r->options.text_field, "damaged metadata");
        return PD_END;
    }
    if (p->row == group->rows) {
        p->begun = false;
        p->group++;
        return PD_END;
    }
    const int status = read_row(r, p, values);
    return status == PD_OK ? deliver(r, p, values, raw) : status;
}

static int next_row(struct pd_reader *r, struct pd_raw *raw)
{
    struct parquet *p = r->own;
    if (!r->entered)
        PD_TRY(enter(r, p));
    while (p->sound && start_of(r, p, p->group) < p->last) {
        if (pd_stream_stopped(r->stream))
            return pd_fail(PD_EIO, "%s: reading was stopped", r->file->path);
        const int status = take_row(r, p, raw);
        if (status != PD_END)
            return status;
    }
    pd_stream_go_to(r->stream, p->last);
    return PD_END;
}

static int go_to_row(struct pd_reader *r, uint64_t offset, uint64_t skip)
{
    struct parquet *p = r->own;
    const size_t before = p->group;
    const int status = pd_stream_compression(r->stream) == PD_PLAIN ? open_file(r, p) : PD_END;
    if (status != PD_OK)
        return status == PD_EIO ? status : PD_END;
    const size_t group = group_from(p, offset);
    if (start_of(r, p, group) != offset || skip >= p->footer.groups.v[group].rows)
        return PD_END;
    p->last = p->footer.groups.v[group].end;
    p->group = group;
    if (!p->begun || group != before || skip < p->row)
        if (!begin_group(r, p))
            return PD_END;
    for (int role = 0; role < PD_PARQUET_ROLES; role++)
        if (p->footer.leaves[role].there) {
            const int passed = pd_parquet_column_skip(&p->columns[role], skip - p->row);
            if (passed != PD_OK)
                return p->begun = false, passed == PD_EIO ? passed : PD_END;
        }
    p->row = skip;
    return PD_OK;
}

static bool recognises(const struct pd_beginning *file)
{
    return file->n >= strlen(START) && memcmp(file->s, START, strlen(START)) == 0;
}

/*
 * An encrypted file has another magic, or no page header behind it. A text might begin like that,
 * so the file's name has to say it.
 */
static bool claims(const struct pd_reader_options *o, const unsigned char *s, size_t n, bool whole)
{
    (void)o, (void)whole;
    return n >= 4 && (memcmp(s, "PARE", 4) == 0 || memcmp(s, PD_PARQUET_MAGIC, 4) == 0);
}

const struct pd_layout pd_layout_parquet = {.recognises = recognises,
                                            .endings = {".parquet"},
                                            .claims = claims,
                                            .own = sizeof(struct parquet),
                                            .free = free_parquet,
                                            .next = next_row,
                                            .go_to = go_to_row,
                                            .rows = true,
                                            .many = true};

/* corpus/parquet/parquet_copier.c - see include/pardup/corpus/parquet_copier.h */
#include "pardup/corpus/parquet_copier.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "corpus/inside.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"
#include "pardup/base/open.h"
#include "pardup/base/plain.h"
#include "parquet_column.h"
#include "parquet_meta.h"
#include "parquet_pages.h"

#define STEP         ((size_t)1 << 20)    /* bytes that are copied at a time */
#define FOOTER_LEAST ((uint64_t)64 << 20) /* bytes of metadata that are read in any case */
enum {
    PAGE_TIMES = 4,  /* largest page, in --max-document */
    PAGE_COPIES = 6, /* of a page in memory: three that are read, three that are written */
    META_COPIES = 4  /* of the metadata in memory */
};
enum { NAME_ROOM = 80 }; /* bytes of a column's name in a message */

struct pd_parquet_copier {
    const char *path;
    int fd;
    uint64_t most; /* largest page, bytes */
    struct pd_parquet_plan plan;
    bool sound; /* the metadata was read: the file has documents */
    struct pd_parquet_footer footer;
    struct pd_parquet_decoders decoders;
    struct pd_parquet_column column;
    struct pd_parquet_chunk *chunks; /* of a row group, per column */
    struct pd_parquet_made *made;    /* the same of the copy */
    struct pd_parquet_pages pages;
    struct pd_parquet_meta meta;
    size_t group;          /* the next row group */
    struct pd_bytes text;  /* a new text */
    struct pd_bytes bytes; /* buffer for bytes that are copied as they are */
};

/* Fail: the plan has no room for n bytes of `what`, which are in memory `times` times. */
static int full(const struct pd_parquet_copier *c, const char *what, uint64_t n, uint64_t times)
{
    const uint64_t megabyte = (uint64_t)1 << 20;
    return pd_fail(PD_EFULL,
                   "%s: %s of %llu bytes takes up to %llu MB, but has %llu MB: give --memory %lluM",
                   c->path, what, (unsigned long long)n, (unsigned long long)(n * times / megabyte),
                   (unsigned long long)(c->plan.bytes / megabyte),
                   (unsigned long long)(n * times * c->plan.share / megabyte + 1));
}

/* ---- what can be written again ---- */

static int refuse(const struct pd_parquet_copier *c, const struct pd_parquet_leaf *leaf,
                  const char *why)
{
    char name[NAME_ROOM];
    pd_plain_line(name, sizeof name, (const char *)leaf->own, leaf->own_n);
    return pd_fail(
        PD_EFORMAT,
        "%s: column \"%s\" %s, which dedup does not write again: choose --as lists "
        "or --as attributes, and filter the documents by them, or detect a copy without it",
        c->path, name, why);
}

/* Can values of this type have these encodings, as far as they are read? */
static bool is_read(const struct pd_parquet_leaf *leaf, uint32_t encodings)
{
    enum { BIT_PACKED = 4 }; /* what old writers name for levels that nobody stores */
    uint32_t known = 1U << PD_PARQUET_PLAIN | 1U << PD_PARQUET_OLD_DICTIONARY |
                     1U << PD_PARQUET_RLE | 1U << BIT_PACKED | 1U << PD_PARQUET_INDICES;
    if (leaf->type == PD_PARQUET_INT32 || leaf->type == PD_PARQUET_INT64)
        known |= 1U << PD_PARQUET_DELTA;
    if (leaf->type == PD_PARQUET_BYTE_ARRAY)
        known |= 1U << PD_PARQUET_DELTA_LENGTH | 1U << PD_PARQUET_DELTA_STRINGS;
    return (encodings & ~known) == 0;
}

static int check_chunk(const struct pd_parquet_copier *c, size_t k)
{
    const struct pd_parquet_leaf *leaf = &c->footer.every.v[k];
    const struct pd_parquet_chunk *chunk = &c->chunks[k];
    char why[64];
    const char *foreign = pd_parquet_foreign_codec(chunk->codec);
    if (chunk->encrypted)
        return refuse(c, leaf, "is encrypted");
    if (foreign) {
        snprintf(why, sizeof why, "is compressed by %s", foreign);
        return refuse(c, leaf, why);
    }
    if (leaf->repeats > 0 &&
        chunk->values > PD_PARQUET_ROWS_FREE + PD_PARQUET_ROWS_EACH * (chunk->end - chunk->start))
        return refuse(c, leaf, "has more than 65,536 values, and 64 for each stored byte");
    return is_read(leaf, chunk->encodings)
               ? PD_OK
               : refuse(c, leaf, "has values of an encoding that pardup does not read");
}

static int check(struct pd_parquet_copier *c)
{
    const struct pd_parquet_footer *f = &c->footer;
    if (f->every.n < f->nleaves)
        return pd_fail(PD_EFORMAT, "%s: more than %d columns, which dedup does not write again",
                       c->path, PD_PARQUET_COLUMNS);
    for (size_t k = 0; k < f->every.n; k++) {
        const struct pd_parquet_leaf *leaf = &f->every.v[k];
        if (leaf->type == PD_PARQUET_FIXED && leaf->size == 0)
            return refuse(c, leaf, "has values of no size");
    }
    for (size_t g = 0; g < f->groups.n; g++) {
        if (!pd_parquet_every_chunk(f, &f->groups.v[g], c->chunks))
            return pd_fail(PD_EFORMAT, "%s: the list of row groups is damaged", c->path);
        for (size_t k = 0; k < f->every.n; k++)
            PD_TRY(check_chunk(c, k));
    }
    return PD_OK;
}

/* Returns PD_OK, PD_EIO, or PD_EFORMAT when the file has no metadata, and so no documents. */
static int read_footer(struct pd_parquet_copier *c, const struct pd_reader *r)
{
    const char *names[PD_PARQUET_ROLES] = {pd_text_fields_last(r->options.text_field)};
    const bool usual[PD_PARQUET_ROLES] = {true};
    struct stat st;
    if (fstat(c->fd, &st))
        return pd_fail(PD_EIO, "%s: %s", c->path, strerror(errno));
    c->footer.wants_every = true;
    return pd_parquet_footer_read(&c->footer, c->fd, (uint64_t)st.st_size, c->path,
                                  pd_max_u64(r->options.max_document, FOOTER_LEAST), names, usual);
}

int pd_parquet_copier_open(struct pd_parquet_copier **made, const struct pd_reader *r,
                           const char *path, FILE *to, struct pd_parquet_plan plan)
{
    struct pd_parquet_copier *c = pd_realloc(NULL, 1, sizeof *c);
    *c = (struct pd_parquet_copier){.path = path,
                                    .most = PAGE_TIMES * r->options.max_document,
                                    .plan = plan,
                                    .pages = {.to = to, .path = path}};
    *made = c;
    c->fd = pd_open_regular(path);
    if (c->fd < 0)
        return PD_EIO;
    const int status = read_footer(c, r);
    if (status == PD_EIO)
        return status;
    c->sound = status == PD_OK;
    if (!c->sound)
        return PD_OK;
    if (c->footer.bytes.n > plan.bytes / META_COPIES)
        return full(c, "its metadata", c->footer.bytes.n, META_COPIES);
    const size_t n = pd_max_size(c->footer.nleaves, 1);
    c->chunks = pd_realloc(NULL, n, sizeof *c->chunks);
    c->made = pd_realloc(NULL, n, sizeof *c->made);
    PD_TRY(check(c));
    return to ? pd_parquet_pages_raw(&c->pages, PD_PARQUET_MAGIC, strlen(PD_PARQUET_MAGIC)) : PD_OK;
}

/* ---- row groups that are copied ---- */

static int copy_group(struct pd_parquet_copier *c)
{
    const struct pd_parquet_group *group = &c->footer.groups.v[c->group++];
    const uint64_t start = c->pages.at;
    pd_bytes_reserve(&c->bytes, STEP);
    for (uint64_t at = group->start; at < group->end;) {
        const size_t n = (size_t)pd_min_u64(STEP, group->end - at);
        const int status = pd_parquet_pread(c->fd, c->path, c->bytes.v, n, at);
        if (status != PD_OK)
            return status == PD_EIO ? status : pd_fail(PD_EFORMAT, "%s: became shorter", c->path);
        PD_TRY(pd_parquet_pages_raw(&c->pages, c->bytes.v, n));
        at += n;
    }
    pd_parquet_meta_add(&c->meta, &c->footer, group, start, group->rows, NULL);
    return PD_OK;
}

/* ---- row groups that are written again ---- */

/* The changes of a row group. */
struct changes {
    const struct pd_row_change *v;
    size_t n;
    pd_row_text text;
    void *context;
};

static int damaged(const struct pd_parquet_copier *c, const struct pd_parquet_leaf *leaf,
                   const char *why)
{
    char name[NAME_ROOM];
    pd_plain_line(name, sizeof name, (const char *)leaf->own, leaf->own_n);
    return pd_fail(
        PD_EFORMAT,
        "%s: column \"%s\": %s: it cannot be written again: mend the file and run detect "
        "again",
        c->path, name, why);
}

/* Put a value of a row that stays. */
static int put_cell(struct pd_parquet_copier *c, const struct pd_parquet_leaf *leaf,
                    const struct pd_parquet_cell *cell, const struct pd_parquet_group *group)
{
    PD_TRY(pd_parquet_pages_put(&c->pages, cell));
    if (leaf->repeats > 0 && c->pages.values.n > c->most)
        return damaged(c, leaf, "a row of more than four times --max-document bytes");
    if (leaf->repeats > 0 && c->pages.values.n > c->column.planned)
        return full(c, "a row", c->pages.values.n, PAGE_COPIES);
    if (c->pages.made.bytes > PD_PARQUET_FREE &&
        c->pages.made.bytes / PD_PARQUET_EXPANDS > group->end - group->start)
        return damaged(c, leaf, "more than 1 GB and 1,000 times the stored bytes");
    return PD_OK;
}

/* Write a column of the row group without the rows that go. In lists, a row has several values. */
static int write_column(struct pd_parquet_copier *c, size_t k, const struct pd_parquet_group *group,
                        const struct changes *changes)
{
    struct pd_parquet_column *column = &c->column;
    const struct pd_parquet_leaf *leaf = &c->footer.every.v[k];
    const bool is_text = c->footer.leaves[PD_PARQUET_TEXT].number == k;
    const struct pd_row_change *change = NULL;
    const uint64_t values = leaf->repeats > 0 ? c->chunks[k].values : group->rows;
    uint64_t row = 0; /* the next one */
    size_t next = 0;
    pd_parquet_column_begin(column, leaf, &c->chunks[k], values);
    pd_parquet_pages_begin(&c->pages, leaf, pd_parquet_codec_made(c->chunks[k].codec));
    for (uint64_t n = 0; n < values; n++) {
        struct pd_parquet_cell cell;
        const int status = pd_parquet_column_stored(column, &cell);
        if (status == PD_EFULL)
            return full(c, "a page", column->page_n, PAGE_COPIES);
        if (status < 0)
            return status == PD_EFORMAT ? damaged(c, leaf, column->why) : status;
        if (cell.repeat == 0) {
            change = next < changes->n && changes->v[next].row == row ? &changes->v[next++] : NULL;
            row++;
        }
        if (row == 0)
            return damaged(c, leaf, "it begins within a row");
        if (change && change->gone)
            continue;
        if (change && is_text) {
            c->text.n = 0;
            PD_TRY(changes->text(changes->context, change, cell.v, cell.n, &c->text));
            cell.v = c->text.v;
            cell.n = c->text.n;
        }
        PD_TRY(put_cell(c, leaf, &cell, group));
    }
    if (row != group->rows)
        return damaged(c, leaf, "more or fewer rows than the row group has");
    PD_TRY(pd_parquet_pages_end(&c->pages));
    c->made[k] = c->pages.made;
    return PD_OK;
}

int pd_parquet_copier_change(struct pd_parquet_copier *c, uint64_t offset,
                             const struct pd_row_change *v, size_t n, pd_row_text text,
                             void *context)
{
    const struct pd_parquet_groups *groups = &c->footer.groups;
    const struct changes changes = {v, n, text, context};
    while (c->sound && c->group < groups->n && groups->v[c->group].start < offset)
        PD_TRY(copy_group(c));
    if (!c->sound || c->group == groups->n || groups->v[c->group].start != offset ||
        (n > 0 && v[n - 1].row >= groups->v[c->group].rows))
        return pd_fail(PD_EFORMAT, "%s: has changed since the result was made: run detect again",
                       c->path);
    const struct pd_parquet_group *group = &groups->v[c->group++];
    const uint64_t start = c->pages.at;
    uint64_t rows = group->rows;
    for (size_t k = 0; k < n; k++)
        rows -= v[k].gone;
    if (rows == 0)
        return PD_OK;
    if (!pd_parquet_every_chunk(&c->footer, group, c->chunks))
        return pd_fail(PD_EFORMAT, "%s: the list of row groups is damaged", c->path);
    c->column.fd = c->fd;
    c->column.path = c->path;
    c->column.decoders = &c->decoders;
    c->column.most = c->most;
    c->column.planned = c->plan.bytes / PAGE_COPIES;
    for (size_t k = 0; k < c->footer.every.n; k++)
        PD_TRY(write_column(c, k, group, &changes));
    pd_parquet_meta_add(&c->meta, &c->footer, group, start, rows, c->made);
    return PD_OK;
}

int pd_parquet_copier_finish(struct pd_parquet_copier *c)
{
    while (c->group < c->footer.groups.n)
        PD_TRY(copy_group(c));
    c->bytes.n = 0;
    if (!pd_parquet_meta_end(&c->meta, &c->footer, &c->bytes))
        return pd_fail(PD_EFORMAT, "%s: its metadata is damaged or too long", c->path);
    return pd_parquet_pages_raw(&c->pages, c->bytes.v, c->bytes.n);
}

void pd_parquet_copier_close(struct pd_parquet_copier *c)
{
    if (!c)
        return;
    if (c->fd >= 0)
        close(c->fd);
    pd_parquet_footer_release(&c->footer);
    pd_parquet_decoders_free(&c->decoders);
    pd_parquet_column_release(&c->column);
    pd_parquet_pages_release(&c->pages);
    pd_parquet_meta_release(&c->meta);
    PD_RELEASE(pd_bytes, &c->text, &c->bytes);
    PD_FREE(c->chunks, c->made, c);
}

/* app/export/parquet_writer.c - see parquet_writer.h */
#include "parquet_writer.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/document/utf8.h"
#include "pardup/parquet/parquet.h"
#include "pardup/parquet/thrift.h"

enum { PAGE_BYTES = 1 << 20, ZSTD_LEVEL = 3 };

/* What the values of a physical type stand for, as the format numbers it (enum ConvertedType). */
enum { UTF8 = 0, UINT_64 = 14 };

/* ---- the file ---- */

static int put_bytes(struct pd_parquet_writer *w, const void *v, size_t n)
{
    if (n > 0 && fwrite(v, 1, n, w->f) != n)
        return pd_fail(PD_EIO, "%s: %s", w->path, strerror(errno));
    w->at += n;
    return PD_OK;
}

int pd_parquet_begin(struct pd_parquet_writer *w, FILE *f, const char *path,
                     const struct pd_written_column *columns, size_t n)
{
    *w = (struct pd_parquet_writer){.f = f, .path = path, .columns = columns, .ncolumns = n};
    w->zstd = ZSTD_createCCtx();
    PD_CHECK(w->zstd);
    return put_bytes(w, PD_PARQUET_MAGIC, strlen(PD_PARQUET_MAGIC));
}

void pd_parquet_group(struct pd_parquet_writer *w, uint64_t rows)
{
    w->chunks.n = w->column = 0;
    w->group_rows = rows;
    w->group_bytes = w->values = w->bytes = 0;
    w->start = w->at;
}

/* Compress s[0, n) into w->scratch. */
static int pack(struct pd_parquet_writer *w, const unsigned char *s, size_t n)
{
    const size_t room = ZSTD_compressBound(n);
    pd_bytes_reserve(&w->scratch, room);
    const size_t made = ZSTD_compressCCtx(w->zstd, w->scratch.v, room, s, n, ZSTD_LEVEL);
    w->scratch.n = made;
    return ZSTD_isError(made) ? pd_fail(PD_EIO, "%s: %s", w->path, ZSTD_getErrorName(made)) : PD_OK;
}

/* Write the page. */
static int end_page(struct pd_parquet_writer *w)
{
    struct pd_bytes header = {0}, leveled = {0};
    const struct pd_bytes *page = &w->page;
    if (w->page_values == 0)
        return PD_OK;
    if (w->columns[w->column].optional) {
        pd_parquet_runs_put(&w->levels, &leveled);
        pd_bytes_append(&leveled, w->page.v, w->page.n);
        page = &leveled;
    }
    int status = pack(w, page->v, page->n);
    if (status >= 0) {
        pd_parquet_put_header(&header, w->page_values, page->n, w->scratch.n);
        w->bytes += header.n + page->n;
        status = put_bytes(w, header.v, header.n);
    }
    PD_THEN(status, put_bytes(w, w->scratch.v, w->scratch.n));
    w->values += w->page_values;
    w->page.n = w->page_values = 0;
    PD_RELEASE(pd_bytes, &header, &leveled);
    return status;
}

/* A value has been put, or a null. */
static int end_value(struct pd_parquet_writer *w, bool there)
{
    if (w->columns[w->column].optional)
        pd_parquet_runs_add(&w->levels, there);
    w->page_values++;
    return w->page.n >= PAGE_BYTES ? end_page(w) : PD_OK;
}

int pd_parquet_put(struct pd_parquet_writer *w, const void *v, size_t n)
{
    pd_bytes_append(&w->page, v, n);
    return end_value(w, true);
}

int pd_parquet_put_text(struct pd_parquet_writer *w, const char *s, size_t n)
{
    struct pd_bytes mended = {0};
    if (pd_utf8_valid((const unsigned char *)s, n) < n) { /* a path may hold any bytes */
        pd_utf8_mend((const unsigned char *)s, n, &mended);
        s = (const char *)mended.v;
        n = mended.n;
    }
    pd_parquet_put_length(&w->page, n);
    pd_bytes_append(&w->page, s, n);
    pd_bytes_release(&mended);
    return end_value(w, true);
}

int pd_parquet_put_null(struct pd_parquet_writer *w) { return end_value(w, false); }

static int64_t physical(enum pd_written_type type)
{
    static const unsigned char types[] = {[PD_WRITTEN_INT32] = PD_PARQUET_INT32,
                                          [PD_WRITTEN_INT64] = PD_PARQUET_INT64,
                                          [PD_WRITTEN_UINT64] = PD_PARQUET_INT64,
                                          [PD_WRITTEN_DOUBLE] = PD_PARQUET_DOUBLE,
                                          [PD_WRITTEN_TEXT] = PD_PARQUET_BYTE_ARRAY};
    return types[type];
}

int pd_parquet_column_end(struct pd_parquet_writer *w)
{
    struct pd_put chunk = {&w->chunks, 0}, meta = {&w->chunks, 0};
    const struct pd_written_column *column = &w->columns[w->column];
    PD_TRY(end_page(w));
    pd_put_int(&chunk, PD_IN_CHUNK_OFFSET, PD_THRIFT_I64, (int64_t)w->start);
    pd_put_head(&chunk, PD_IN_CHUNK_META, PD_THRIFT_STRUCT);
    pd_put_int(&meta, PD_IN_COLUMN_TYPE, PD_THRIFT_I32, physical(column->type));
    pd_put_list(&meta, PD_IN_COLUMN_ENCODINGS, PD_THRIFT_I32, 2);
    pd_put_varint(meta.to, PD_PARQUET_PLAIN << 1);
    pd_put_varint(meta.to, PD_PARQUET_RLE << 1);
    pd_put_list(&meta, PD_IN_COLUMN_PATH, PD_THRIFT_BINARY, 1);
    pd_put_item(meta.to, column->name);
    pd_put_int(&meta, PD_IN_COLUMN_CODEC, PD_THRIFT_I32, PD_PARQUET_ZSTD);
    pd_put_int(&meta, PD_IN_COLUMN_VALUES, PD_THRIFT_I64, (int64_t)w->values);
    pd_put_int(&meta, PD_IN_COLUMN_BYTES, PD_THRIFT_I64, (int64_t)w->bytes);
    pd_put_int(&meta, PD_IN_COLUMN_STORED, PD_THRIFT_I64, (int64_t)(w->at - w->start));
    pd_put_int(&meta, PD_IN_COLUMN_DATA_AT, PD_THRIFT_I64, (int64_t)w->start);
    pd_put_stop(&meta);
    pd_put_stop(&chunk);
    w->group_bytes += w->bytes;
    w->values = w->bytes = 0;
    w->start = w->at;
    w->column++;
    return PD_OK;
}

void pd_parquet_group_end(struct pd_parquet_writer *w)
{
    struct pd_put group = {&w->groups, 0}; /* a struct RowGroup */
    PD_CHECK(w->column == w->ncolumns);
    pd_put_list(&group, PD_IN_GROUP_COLUMNS, PD_THRIFT_STRUCT, w->ncolumns);
    pd_bytes_append(&w->groups, w->chunks.v, w->chunks.n);
    pd_put_int(&group, PD_IN_GROUP_BYTES, PD_THRIFT_I64, (int64_t)w->group_bytes);
    pd_put_int(&group, PD_IN_GROUP_ROWS, PD_THRIFT_I64, (int64_t)w->group_rows);
    pd_put_stop(&group);
    w->rows += w->group_rows;
    w->ngroups++;
}

/* The schema: a root, and a column each. */
static void put_schema(const struct pd_parquet_writer *w, struct pd_put *file)
{
    struct pd_put root = {file->to, 0};
    pd_put_list(file, PD_IN_FILE_SCHEMA, PD_THRIFT_STRUCT, w->ncolumns + 1);
    pd_put_text(&root, PD_IN_ELEMENT_NAME, "schema");
    pd_put_int(&root, PD_IN_ELEMENT_CHILDREN, PD_THRIFT_I32, (int64_t)w->ncolumns);
    pd_put_stop(&root);
    for (size_t k = 0; k < w->ncolumns; k++) {
        const struct pd_written_column *column = &w->columns[k];
        struct pd_put leaf = {file->to, 0};
        pd_put_int(&leaf, PD_IN_ELEMENT_TYPE, PD_THRIFT_I32, physical(column->type));
        pd_put_int(&leaf, PD_IN_ELEMENT_REPETITION, PD_THRIFT_I32, column->optional);
        pd_put_text(&leaf, PD_IN_ELEMENT_NAME, column->name);
        if (column->type == PD_WRITTEN_TEXT)
            pd_put_int(&leaf, PD_IN_ELEMENT_CONVERTED, PD_THRIFT_I32, UTF8);
        else if (column->type == PD_WRITTEN_UINT64)
            pd_put_int(&leaf, PD_IN_ELEMENT_CONVERTED, PD_THRIFT_I32, UINT_64);
        pd_put_stop(&leaf);
    }
}

int pd_parquet_end(struct pd_parquet_writer *w)
{
    struct pd_bytes b = {0};
    struct pd_put file = {&b, 0};
    pd_put_int(&file, PD_IN_FILE_VERSION, PD_THRIFT_I32, 1);
    put_schema(w, &file);
    pd_put_int(&file, PD_IN_FILE_ROWS, PD_THRIFT_I64, (int64_t)w->rows);
    pd_put_list(&file, PD_IN_FILE_GROUPS, PD_THRIFT_STRUCT, w->ngroups);
    pd_bytes_append(&b, w->groups.v, w->groups.n);
    pd_put_text(&file, PD_IN_FILE_CREATED_BY, "pardup version " PARDUP_VERSION);
    pd_put_stop(&file);
    const size_t n = b.n;
    pd_parquet_put_length(&b, n);
    pd_bytes_append(&b, PD_PARQUET_MAGIC, strlen(PD_PARQUET_MAGIC));
    const int status = put_bytes(w, b.v, b.n);
    pd_bytes_release(&b);
    return status;
}

void pd_parquet_writer_release(struct pd_parquet_writer *w)
{
    ZSTD_freeCCtx(w->zstd);
    PD_RELEASE(pd_bytes, &w->groups, &w->chunks, &w->page, &w->levels.v, &w->scratch);
}

/* app/parquet_writer.c - see parquet_writer.h */
#include "parquet_writer.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>

#include "pardup/base/error.h"
#include "pardup/document/utf8.h"

#define MAGIC "PAR1"
enum { PAGE_BYTES = 1 << 20, LEVEL = 3 /* of zstd */ };

/* Numbers of the format: physical types, UTF8 and UINT_64, RLE, zstd. */
enum { INT32 = 1, INT64 = 2, DOUBLE = 5, BYTE_ARRAY = 6 };
enum { UTF8 = 0, UINT_64 = 14, RLE = 3, ZSTD = 6 };

/* ---- Thrift, compact protocol ---- */

enum { I32 = 5, I64 = 6, BINARY = 8, LIST = 9, STRUCT = 12 };

static void put_varint(struct pd_bytes *b, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        pd_bytes_push(b, (unsigned char)(x | 0x80));
    pd_bytes_push(b, (unsigned char)x);
}

/* Begin a field whose number is `step` more than the last field's. */
static void put_field(struct pd_bytes *b, int step, int type)
{
    pd_bytes_push(b, (unsigned char)(step << 4 | type));
}

static void put_int(struct pd_bytes *b, int step, int type, uint64_t x)
{
    put_field(b, step, type);
    put_varint(b, x << 1); /* no number is negative */
}

static void put_string(struct pd_bytes *b, const char *s)
{
    put_varint(b, strlen(s));
    pd_bytes_append(b, s, strlen(s));
}

static void put_list(struct pd_bytes *b, int step, int item, size_t n)
{
    enum { SHORT = 15 }; /* lists of fewer items have their length in the type's byte */
    put_field(b, step, LIST);
    pd_bytes_push(b, (unsigned char)((n < SHORT ? n : SHORT) << 4 | (size_t)item));
    if (n >= SHORT)
        put_varint(b, n);
}

static void put_stop(struct pd_bytes *b) { pd_bytes_push(b, 0); }

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
    return put_bytes(w, MAGIC, strlen(MAGIC));
}

void pd_parquet_group(struct pd_parquet_writer *w, uint64_t rows)
{
    w->chunks.n = w->column = 0;
    w->group_rows = rows;
    w->group_bytes = w->values = w->bytes = 0;
    w->start = w->at;
}

static void put_length(struct pd_bytes *b, size_t n)
{
    const unsigned char length[4] = {(unsigned char)n, (unsigned char)(n >> 8),
                                     (unsigned char)(n >> 16), (unsigned char)(n >> 24)};
    pd_bytes_append(b, length, sizeof length);
}

/* Append the definition levels of the page: runs of equal ones, with their length in front. */
static void put_levels(struct pd_parquet_writer *w, struct pd_bytes *to)
{
    struct pd_bytes runs = {0};
    for (size_t k = 0, n; k < w->levels.n; k += n) {
        n = 1;
        while (k + n < w->levels.n && w->levels.v[k + n] == w->levels.v[k])
            n++;
        put_varint(&runs, n << 1);
        pd_bytes_push(&runs, w->levels.v[k]);
    }
    put_length(to, runs.n);
    pd_bytes_append(to, runs.v, runs.n);
    pd_bytes_release(&runs);
}

/* Compress s[0, n) into w->scratch. */
static int pack(struct pd_parquet_writer *w, const unsigned char *s, size_t n)
{
    const size_t room = ZSTD_compressBound(n);
    pd_bytes_reserve(&w->scratch, room);
    const size_t made = ZSTD_compressCCtx(w->zstd, w->scratch.v, room, s, n, LEVEL);
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
        put_levels(w, &leveled);
        pd_bytes_append(&leveled, w->page.v, w->page.n);
        page = &leveled;
    }
    int status = pack(w, page->v, page->n);
    if (status >= 0) {
        put_int(&header, 1, I32, 0); /* a data page */
        put_int(&header, 1, I32, page->n);
        put_int(&header, 1, I32, w->scratch.n);
        put_field(&header, 2, STRUCT);
        put_int(&header, 1, I32, w->page_values);
        put_int(&header, 1, I32, 0); /* PLAIN */
        put_int(&header, 1, I32, RLE);
        put_int(&header, 1, I32, RLE);
        put_stop(&header);
        put_stop(&header);
        w->bytes += header.n + page->n;
        status = put_bytes(w, header.v, header.n);
    }
    if (status >= 0)
        status = put_bytes(w, w->scratch.v, w->scratch.n);
    w->values += w->page_values;
    w->page.n = w->levels.n = w->page_values = 0;
    pd_bytes_release(&header);
    pd_bytes_release(&leveled);
    return status;
}

/* A value has been put, or a null. */
static int end_value(struct pd_parquet_writer *w, bool there)
{
    if (w->columns[w->column].optional)
        pd_bytes_push(&w->levels, there);
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
    put_length(&w->page, n);
    pd_bytes_append(&w->page, s, n);
    pd_bytes_release(&mended);
    return end_value(w, true);
}

int pd_parquet_put_null(struct pd_parquet_writer *w) { return end_value(w, false); }

static uint64_t physical(enum pd_written_type type)
{
    static const unsigned char types[] = {[PD_WRITTEN_INT32] = INT32,
                                          [PD_WRITTEN_INT64] = INT64,
                                          [PD_WRITTEN_UINT64] = INT64,
                                          [PD_WRITTEN_DOUBLE] = DOUBLE,
                                          [PD_WRITTEN_TEXT] = BYTE_ARRAY};
    return types[type];
}

int pd_parquet_column_end(struct pd_parquet_writer *w)
{
    struct pd_bytes *b = &w->chunks;
    const struct pd_written_column *column = &w->columns[w->column];
    PD_TRY(end_page(w));
    put_int(b, 2, I64, w->start); /* a struct ColumnChunk */
    put_field(b, 1, STRUCT);
    put_int(b, 1, I32, physical(column->type));
    put_list(b, 1, I32, 2);
    put_varint(b, 0); /* PLAIN */
    put_varint(b, RLE << 1);
    put_list(b, 1, BINARY, 1);
    put_string(b, column->name);
    put_int(b, 1, I32, ZSTD);
    put_int(b, 1, I64, w->values);
    put_int(b, 1, I64, w->bytes);
    put_int(b, 1, I64, w->at - w->start);
    put_int(b, 2, I64, w->start);
    put_stop(b);
    put_stop(b);
    w->group_bytes += w->bytes;
    w->values = w->bytes = 0;
    w->start = w->at;
    w->column++;
    return PD_OK;
}

void pd_parquet_group_end(struct pd_parquet_writer *w)
{
    struct pd_bytes *b = &w->groups;
    PD_CHECK(w->column == w->ncolumns);
    put_list(b, 1, STRUCT, w->ncolumns); /* a struct RowGroup */
    pd_bytes_append(b, w->chunks.v, w->chunks.n);
    put_int(b, 1, I64, w->group_bytes);
    put_int(b, 1, I64, w->group_rows);
    put_stop(b);
    w->rows += w->group_rows;
    w->ngroups++;
}

/* The schema: a root, and a column each. */
static void put_schema(const struct pd_parquet_writer *w, struct pd_bytes *b)
{
    put_list(b, 1, STRUCT, w->ncolumns + 1);
    put_field(b, 4, BINARY);
    put_string(b, "schema");
    put_int(b, 1, I32, w->ncolumns);
    put_stop(b);
    for (size_t k = 0; k < w->ncolumns; k++) {
        const struct pd_written_column *column = &w->columns[k];
        put_int(b, 1, I32, physical(column->type));
        put_int(b, 2, I32, column->optional);
        put_field(b, 1, BINARY);
        put_string(b, column->name);
        if (column->type == PD_WRITTEN_TEXT)
            put_int(b, 2, I32, UTF8);
        else if (column->type == PD_WRITTEN_UINT64)
            put_int(b, 2, I32, UINT_64);
        put_stop(b);
    }
}

int pd_parquet_end(struct pd_parquet_writer *w)
{
    struct pd_bytes b = {0};
    put_int(&b, 1, I32, 1); /* the version of the format */
    put_schema(w, &b);
    put_int(&b, 1, I64, w->rows);
    put_list(&b, 1, STRUCT, w->ngroups);
    pd_bytes_append(&b, w->groups.v, w->groups.n);
    put_field(&b, 2, BINARY);
    put_string(&b, "pardup version " PARDUP_VERSION);
    put_stop(&b);
    const size_t n = b.n;
    put_length(&b, n);
    pd_bytes_append(&b, MAGIC, strlen(MAGIC));
    const int status = put_bytes(w, b.v, b.n);
    pd_bytes_release(&b);
    return status;
}

void pd_parquet_writer_release(struct pd_parquet_writer *w)
{
    ZSTD_freeCCtx(w->zstd);
    pd_bytes_release(&w->groups);
    pd_bytes_release(&w->chunks);
    pd_bytes_release(&w->page);
    pd_bytes_release(&w->levels);
    pd_bytes_release(&w->scratch);
}

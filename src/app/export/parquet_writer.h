/*
 * app/export/parquet_writer.h - a table of flat columns as a Parquet file.
 *
 * Source: Apache Parquet, parquet.thrift and Encodings.md of parquet-format 2.11. Data pages of
 * version 1, values PLAIN, compressed by zstd. There are no statistics.
 *
 * The calls come in this order: begin, and for each row group group, for each column its values and
 * column_end, then group_end; last end. Memory is a page.
 */
#ifndef PARDUP_APP_EXPORT_PARQUET_WRITER_H
#define PARDUP_APP_EXPORT_PARQUET_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pardup/base/bytes.h"
#include "pardup/parquet/parquet.h"

enum pd_written_type {
    PD_WRITTEN_INT32,
    PD_WRITTEN_INT64,
    PD_WRITTEN_UINT64,
    PD_WRITTEN_DOUBLE,
    PD_WRITTEN_TEXT /* UTF-8 */
};

struct pd_written_column {
    const char *name;
    enum pd_written_type type;
    bool optional; /* values may be null */
};

struct pd_parquet_writer {
    FILE *f;                                 /* borrowed */
    const char *path;                        /* its name for messages, borrowed */
    const struct pd_written_column *columns; /* borrowed */
    size_t ncolumns;
    uint64_t at;   /* bytes written */
    uint64_t rows; /* of all row groups */
    size_t ngroups;
    struct pd_bytes groups; /* metadata of the row groups */

    size_t column;          /* the column at hand */
    struct pd_bytes chunks; /* metadata of the columns of the row group */
    uint64_t group_rows;
    uint64_t group_bytes;  /* of its pages, not compressed */
    uint64_t start, bytes; /* of the column: offset of its first page; bytes, not compressed */
    uint64_t values;       /* of the column */
    struct pd_bytes page;  /* the values of the page */
    struct pd_parquet_runs levels; /* of the values of the page: 1; 0: it is null */
    uint64_t page_values;
    struct pd_bytes scratch; /* bytes that are about to be written */
    void *zstd;
};

/*
 * Begin a file. Functions of the writer that return a status return PD_OK or PD_EIO. The caller
 * releases the writer in any case.
 */
int pd_parquet_begin(struct pd_parquet_writer *w, FILE *f, const char *path,
                     const struct pd_written_column *columns, size_t n);

/* Begin a row group of `rows` rows, with its first column. */
void pd_parquet_group(struct pd_parquet_writer *w, uint64_t rows);

/*
 * The next value of the column at hand, as its type asks for: 4 or 8 bytes, the lowest one first.
 */
int pd_parquet_put(struct pd_parquet_writer *w, const void *v, size_t n);
int pd_parquet_put_text(struct pd_parquet_writer *w, const char *s, size_t n);
int pd_parquet_put_null(struct pd_parquet_writer *w);

/* End the column at hand, the row group, the file: the order of calls is at the top. */
int pd_parquet_column_end(struct pd_parquet_writer *w);
void pd_parquet_group_end(struct pd_parquet_writer *w);
int pd_parquet_end(struct pd_parquet_writer *w);
void pd_parquet_writer_release(struct pd_parquet_writer *w);

#endif

/*
 * result/columns.h - rows on their way into a table of the result file, held column by column.
 *
 * HDF5 takes the values of one column side by side. Rows come as structs, some hundred at a time: while these are in
 * the processor's cache they are taken apart once, for all columns.
 */
#ifndef PARDUP_RESULT_COLUMNS_H
#define PARDUP_RESULT_COLUMNS_H

#include <stdint.h>

#include "pardup/base/bytes.h"

#define PD_CHUNK_ROWS (1 << 16) /* of a chunk in the file: written fastest (tried 4 Ki to 1 Mi) */

enum pd_type {
    PD_TYPE_U64,
    PD_TYPE_U32,
    PD_TYPE_F64,
    PD_TYPE_HIGH, /* the high 32 bits of a uint64_t, stored as 32 bits */
    PD_TYPE_LOW,  /* the low 32 bits of a uint64_t, stored as 32 bits */
    PD_TYPE_TEXT, /* `width` bytes, padded with NUL, UTF-8 */
};

/* A column of rows that are structs in memory: found at `offset` of each. */
struct pd_column {
    const char *name;
    enum pd_type type;
    size_t offset;
    size_t width; /* PD_TYPE_TEXT only: bytes, the same on all ranks */
};

/* Bytes of a value in the file. */
size_t pd_column_width(const struct pd_column *column);

/* Rows [at, at + n) of a table. */
struct pd_run_of_rows {
    uint64_t at;
    uint64_t n;
};
PD_VEC(pd_runs_of_rows, struct pd_run_of_rows);

struct pd_columns {
    const char *group; /* borrowed, as are the columns */
    const struct pd_column *columns;
    size_t ncolumns;
    struct pd_bytes *values;     /* of each column */
    struct pd_runs_of_rows runs; /* where they go, ascending */
    uint64_t placed;             /* rows below that have been removed, on all ranks */
    struct pd_bytes packed;      /* its chunks on their way to rank 0 (result/writer.h) */
};

void pd_columns_init(struct pd_columns *lot, const char *group, const struct pd_column *columns,
                     size_t n);

/* Room for n more rows, before they are added bit by bit: columns that grow in turns would have to move again and again. */
void pd_columns_expect(struct pd_columns *lot, uint64_t n);

/* Add `n` structs of `size` bytes, which become rows `at` and on of the table; `at` never goes back. */
void pd_columns_add(struct pd_columns *lot, uint64_t at, const void *rows, size_t size, size_t n);

/* How many rows have places below `to`. They are the first. */
uint64_t pd_columns_below(const struct pd_columns *lot, uint64_t to);

/* Copy the values of column k of its rows in [from, to) to where they belong if `from` is first. Returns how many. */
uint64_t pd_columns_copy(const struct pd_columns *lot, size_t k, uint64_t from, uint64_t to,
                         unsigned char *values);

/* Remove the rows in [from, to). O(the bytes of those behind). */
void pd_columns_cut(struct pd_columns *lot, uint64_t from, uint64_t to);

void pd_columns_release(struct pd_columns *lot);

#endif

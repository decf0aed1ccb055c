/*
 * result/columns.h - rows on their way into a table of the result file, held column by column.
 *
 * HDF5 takes the values of one column side by side. Rows come as structs, a few hundred at a time.
 * They are taken apart once for all columns, while they are in the processor's cache.
 */
#ifndef PARDUP_RESULT_COLUMNS_H
#define PARDUP_RESULT_COLUMNS_H

#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/result/schema.h"

#define PD_CHUNK_ROWS (1 << 16) /* rows of a chunk in the file; the fastest of 4 Ki to 1 Mi */

/* Rows [at, at + n) of a table. */
struct pd_run_of_rows {
    uint64_t at; /* the number of the first row in the table */
    uint64_t n;  /* rows */
};
PD_VEC(pd_runs_of_rows, struct pd_run_of_rows);

/* Rows of one table that this rank holds, column by column. Rows may be missing between them. */
struct pd_columns {
    const struct pd_table_schema *table; /* borrowed */
    size_t ncolumns;
    size_t *widths;              /* for each column, bytes of a value in the file */
    size_t *offsets;             /* for each column, bytes from the start of a row to the value */
    struct pd_bytes *values;     /* for each column, the values of the rows of all runs */
    struct pd_runs_of_rows runs; /* which rows of the table are held, ascending */
    uint64_t placed;             /* rows with lower numbers have been removed, on all ranks */
    struct pd_bytes packed;      /* packed chunks on their way to rank 0 (result/writer.h) */
};

/*
 * Begin without rows.
 *   table       borrowed until the release
 *   text_widths  for each column of texts whose width the table leaves open, bytes of a text, the
 *                same on all ranks; NULL if there are none. Such texts lie one behind the other in a
 *                row, the first one at the offset that the table says
 */
void pd_columns_init(struct pd_columns *cols, const struct pd_table_schema *table,
                     const size_t *text_widths);

/*
 * Make room for n more rows. For rows that are then added a few at a time: all columns would grow
 * in turns and be moved again and again.
 */
void pd_columns_expect(struct pd_columns *cols, uint64_t n);

/*
 * Add rows [at, at + n) of the table.
 *   at    not below the end of the rows added before
 *   rows  n structs of `size` bytes each
 */
void pd_columns_add(struct pd_columns *cols, uint64_t at, const void *rows, size_t size, size_t n);

/* How many of the held rows have numbers below `to`. They are the first ones. */
uint64_t pd_columns_below(const struct pd_columns *cols, uint64_t to);

/*
 * Copy the values of column k for the held rows in [from, to) to `values`, where the value of row
 * `from` comes first. Rows that are not held leave gaps, which are not written to.
 * Returns how many values were copied.
 */
uint64_t pd_columns_copy(const struct pd_columns *cols, size_t k, uint64_t from, uint64_t to,
                         unsigned char *values);

/* Remove the rows in [from, to). Cost: O(bytes of the rows behind them). */
void pd_columns_cut(struct pd_columns *cols, uint64_t from, uint64_t to);

void pd_columns_release(struct pd_columns *cols);

#endif

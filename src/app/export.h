/* app/export.h - a table of a result on its way to other tools. */
#ifndef PARDUP_APP_EXPORT_H
#define PARDUP_APP_EXPORT_H

#include "pardup/result/reader.h"
#include "pardup/result/schema.h"
#include "pardup/run/options.h"

#define PD_EXPORT_ROWS ((uint64_t)1 << 16) /* rows that are read at once */

struct pd_exporting {
    struct pd_result *result;
    enum pd_rows_format format;
    const struct pd_table_schema *table;
    size_t ncolumns;        /* columns of the table */
    struct pd_cells *cells; /* rows at hand of each column of the table */
    struct pd_cells ids[2]; /* ids of first and second documents; empty unless rows name two */
};

/* Read the ids that rows of the table name. documents: how many rows /documents and /sources have. */
int pd_export_ids(struct pd_exporting *x, uint64_t documents[2]);

/* Read rows [from, from + n) of all columns, and check that they name documents that are there. */
int pd_export_rows(struct pd_exporting *x, uint64_t from, uint64_t n, const uint64_t documents[2]);

/*
 * Write the table as Parquet to `path`, which it becomes when it is whole; NULL: to standard output.
 * Memory: PD_EXPORT_ROWS rows, which are a row group, and what a page takes.
 */
int pd_export_parquet(struct pd_exporting *x, const char *path);

#endif

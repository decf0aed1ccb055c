/* app/export/parquet.c - pardup export --format parquet; see export.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "pardup/base/error.h"
#include "parquet_writer.h"

/* A column of the table as Parquet has it. Hashes fill 64 bits; nothing else is so large. */
static struct pd_written_column written(const struct pd_column *column)
{
    struct pd_written_column w = {column->name, PD_WRITTEN_INT64, false};
    if (column->type == PD_TYPE_F64)
        w.type = PD_WRITTEN_DOUBLE;
    else if (column->type == PD_TYPE_TEXT)
        w.type = PD_WRITTEN_TEXT;
    else if (column->type != PD_TYPE_U64 && column->type != PD_TYPE_I64)
        w.type = PD_WRITTEN_INT32;
    else if (strstr(column->name, "hash"))
        w.type = PD_WRITTEN_UINT64;
    /* some rows have none: all bits are set */
    w.optional = column->type == PD_TYPE_I64 || strcmp(column->name, "family") == 0;
    return w;
}

/* Put a value of a column. Counts must fit the type. */
static int put_value(struct pd_parquet_writer *w, const struct pd_exporting *x,
                     const struct pd_cells *cells, uint64_t k)
{
    const struct pd_written_column *column = &w->columns[w->column];
    size_t n;
    if (cells->kind == PD_VALUES_TEXT) {
        const char *text = pd_cells_text(cells, k, &n);
        return pd_parquet_put_text(w, text, n);
    }
    const uint64_t count = pd_cells_count(cells, k); /* the 8 bytes of any kind */
    const uint64_t most = column->type == PD_WRITTEN_INT32 ? INT32_MAX : INT64_MAX;
    if (column->optional && count == UINT64_MAX)
        return pd_parquet_put_null(w);
    if (cells->kind == PD_VALUES_COUNT && column->type != PD_WRITTEN_UINT64 && count > most)
        return pd_fail(PD_EFORMAT, "%s: /%s/%s has %llu, which no row can have",
                       pd_result_path(x->result), x->table->name, column->name,
                       (unsigned long long)count);
    return pd_parquet_put(w, &count, column->type == PD_WRITTEN_INT32 ? 4 : 8);
}

/* Put the id that a row names. */
static int put_id(struct pd_parquet_writer *w, const struct pd_exporting *x,
                  const struct pd_named *named, uint64_t k)
{
    const struct pd_cells *cells;
    uint64_t at;
    return pd_export_id(x, named, k, &cells, &at) ? put_value(w, x, cells, at)
                                                  : pd_parquet_put_null(w);
}

/* Write the rows at hand as a row group. */
static int write_group(struct pd_parquet_writer *w, struct pd_exporting *x, uint64_t n)
{
    pd_parquet_group(w, n);
    for (size_t c = 0; c < x->ncolumns; c++) {
        for (uint64_t k = 0; k < n; k++)
            PD_TRY(put_value(w, x, &x->cells[c], pd_export_at(x, k)));
        PD_TRY(pd_parquet_column_end(w));
    }
    for (size_t i = 0; i < x->nnamed; i++) {
        for (uint64_t k = 0; k < n; k++)
            PD_TRY(put_id(w, x, &x->named[i], pd_export_at(x, k)));
        PD_TRY(pd_parquet_column_end(w));
    }
    if (pd_export_has_numbers(x)) {
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t number = pd_export_number(x, pd_export_at(x, k));
            PD_TRY(pd_parquet_put(w, &number, sizeof number));
        }
        PD_TRY(pd_parquet_column_end(w));
    }
    for (int side = 0; side < 2 && x->text; side++) {
        for (uint64_t k = 0; k < n; k++) {
            const char *texts[2];
            size_t bytes[2];
            PD_TRY(pd_export_texts(x, pd_export_at(x, k), texts, bytes));
            PD_TRY(pd_parquet_put_text(w, texts[side], bytes[side]));
        }
        PD_TRY(pd_parquet_column_end(w));
    }
    pd_parquet_group_end(w);
    return PD_OK;
}

/* May rows have no such text? Kept fields may be missing, and rows may name no document. */
static bool may_lack(const struct pd_exporting *x, const struct pd_named *named)
{
    return named->called > 0 || x->table->columns[named->column].type == PD_TYPE_I64;
}

static int write_rows(struct pd_exporting *x, FILE *f, const char *path,
                      struct pd_written_column *columns)
{
    struct pd_parquet_writer w;
    uint64_t rows, documents[2] = {0, 0};
    size_t ncolumns = 0;
    PD_TRY(pd_export_begin(x, &rows, documents));
    PD_TRY(pd_export_sort(x, rows));
    for (; ncolumns < x->ncolumns; ncolumns++)
        columns[ncolumns] = written(&x->table->columns[ncolumns]);
    for (size_t i = 0; i < x->nnamed; i++)
        columns[ncolumns++] = (struct pd_written_column){x->named[i].name, PD_WRITTEN_TEXT,
                                                         may_lack(x, &x->named[i])};
    if (pd_export_has_numbers(x))
        columns[ncolumns++] = (struct pd_written_column){"row", PD_WRITTEN_INT64, false};
    for (int side = 0; side < 2 && x->text; side++)
        columns[ncolumns++] =
            (struct pd_written_column){pd_export_text_name(x, side), PD_WRITTEN_TEXT, false};
    int status = pd_parquet_begin(&w, f, path, columns, ncolumns);
    for (uint64_t from = 0, n; status >= 0 && from < rows; from += n) {
        n = rows - from < PD_EXPORT_ROWS ? rows - from : PD_EXPORT_ROWS;
        status = pd_export_next(x, from, n);
        PD_THEN(status, write_group(&w, x, n));
        pd_progress_tell(&x->progress, from + n, rows, 0, 0);
    }
    PD_THEN(status, pd_parquet_end(&w));
    pd_parquet_writer_release(&w);
    return status;
}

int pd_export_parquet(struct pd_exporting *x, FILE *f, const char *path)
{
    struct pd_written_column *columns =
        pd_realloc(NULL, x->ncolumns + PD_NAMED_MOST + 3, sizeof *columns);
    const int status = write_rows(x, f, path, columns);
    free(columns);
    return status;
}

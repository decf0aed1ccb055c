/* result/table.c - see include/pardup/result/table.h */
#include "pardup/result/table.h"

#include "pardup/base/minmax.h"
#include "pardup/result/columns.h"

static const uint64_t WINDOW_BYTES = 16 << 20; /* bytes of the rows that are read at once */

int pd_table_open(struct pd_table_reader *t, struct pd_result *result, const char *table,
                  const char *const *columns)
{
    *t = (struct pd_table_reader){.result = result, .table = table, .columns = columns};
    while (columns[t->ncolumns])
        t->ncolumns++;
    PD_CHECK(t->ncolumns <= PD_READ_COLUMNS);
    return pd_result_rows(result, table, &t->rows);
}

void pd_table_close(struct pd_table_reader *t)
{
    for (size_t c = 0; c < t->ncolumns; c++)
        pd_bytes_release(&t->cells[c].values);
}

/* Read n rows of all columns that are there. PD_OK or PD_EFORMAT. */
static int read_rows(struct pd_table_reader *t, uint64_t from, uint64_t n)
{
    t->n = 0;
    for (size_t c = 0; c < t->ncolumns; c++) {
        const bool optional = *t->columns[c] == '?';
        const char *name = t->columns[c] + optional;
        if (!optional || t->cells[c].width > 0 || pd_result_has(t->result, t->table, name))
            PD_TRY(pd_result_read(t->result, t->table, name, from, n, &t->cells[c]));
    }
    t->from = from;
    t->n = n;
    return PD_OK;
}

/*
 * Choose how many rows are read at once: a chunk of the file, whose columns are unpacked as wholes,
 * or a part of it if its texts are long. Reading no row tells how wide the columns are.
 */
static int choose_window(struct pd_table_reader *t)
{
    uint64_t width = 1;
    PD_TRY(read_rows(t, 0, 0));
    for (size_t c = 0; c < t->ncolumns; c++)
        width += t->cells[c].width;
    for (t->most = PD_CHUNK_ROWS; t->most > 1 && t->most * width > WINDOW_BYTES;)
        t->most /= 2;
    return PD_OK;
}

int pd_table_at(struct pd_table_reader *t, uint64_t row)
{
    if (row >= t->rows)
        return pd_fail(PD_EFORMAT, "%s: /%s has no row %llu", pd_result_path(t->result), t->table,
                       (unsigned long long)row);
    if (row - t->from >= t->n) {
        if (t->most == 0)
            PD_TRY(choose_window(t));
        const uint64_t from = row - row % t->most;
        PD_TRY(read_rows(t, from, pd_min_u64(t->rows - from, t->most)));
    }
    t->row = row;
    t->next = row + 1;
    return PD_OK;
}

/* ---- single numbers ---- */

int pd_table_count_at(struct pd_result *result, const char *table, const char *column, uint64_t row,
                      uint64_t *count)
{
    struct pd_cells cells = {0};
    const int status = pd_result_read(result, table, column, row, 1, &cells);
    if (status >= 0)
        *count = pd_cells_count(&cells, 0);
    pd_bytes_release(&cells.values);
    return status;
}

int pd_table_first(struct pd_result *result, const char *table, const char *column, uint64_t least,
                   uint64_t *row)
{
    uint64_t lo = 0, hi, at;
    PD_TRY(pd_result_rows(result, table, &hi));
    while (lo < hi) {
        const uint64_t middle = lo + (hi - lo) / 2;
        PD_TRY(pd_table_count_at(result, table, column, middle, &at));
        if (at < least)
            lo = middle + 1;
        else
            hi = middle;
    }
    *row = lo;
    return PD_OK;
}

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

/* The number in a column of a row that is in memory. */
static uint64_t number_at(const struct pd_table_reader *t, int column, uint64_t row)
{
    return pd_cells_count(&t->cells[column], row - t->from);
}

int pd_table_find(struct pd_table_reader *t, int column, uint64_t least)
{
    uint64_t lo = 0, hi = t->rows; /* the row is in [lo, hi] */
    for (int windows = 0; windows < 2 && t->n > 0 && lo < hi; windows++) {
        const uint64_t last = t->from + t->n - 1;
        if (number_at(t, column, t->from) >= least) {
            hi = t->from;
            break;
        }
        if (number_at(t, column, last) >= least) {
            lo = t->from;
            hi = last;
            break;
        }
        lo = last + 1; /* rows that are asked for in order are often in the next window */
        if (windows == 0 && lo < hi)
            PD_TRY(pd_table_at(t, lo));
    }
    while (lo < hi) {
        const uint64_t middle = lo + (hi - lo) / 2;
        PD_TRY(pd_table_at(t, middle));
        if (pd_table_count(t, column) < least)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < t->rows ? pd_table_at(t, lo) : PD_END;
}

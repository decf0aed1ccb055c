/* result/columns.c - see include/pardup/result/columns.h */
#include "pardup/result/columns.h"

#include <stdbool.h>

#include "pardup/base/error.h"

/* Is it a text whose width the table leaves open? */
static bool is_open(const struct pd_column *column)
{
    return column->type == PD_TYPE_TEXT && column->width == 0;
}

/* Bytes of a value in the file, if the table says it. */
static size_t width_of(const struct pd_column *column)
{
    switch (column->type) {
    case PD_TYPE_U64:
    case PD_TYPE_I64:
    case PD_TYPE_F64:
        return sizeof(uint64_t);
    case PD_TYPE_U32:
    case PD_TYPE_HIGH:
    case PD_TYPE_LOW:
        return sizeof(uint32_t);
    case PD_TYPE_TEXT:
        break;
    }
    return column->width;
}

void pd_columns_init(struct pd_columns *cols, const struct pd_table_schema *table,
                     const size_t *text_widths)
{
    const size_t n = pd_table_columns(table);
    *cols = (struct pd_columns){.table = table, .ncolumns = n};
    cols->widths = pd_realloc(NULL, n, sizeof *cols->widths);
    cols->values = pd_zeroed(n, sizeof *cols->values);
    cols->offsets = pd_realloc(NULL, n, sizeof *cols->offsets);
    size_t before = 0; /* bytes of open texts */
    for (size_t k = 0; k < n; k++) {
        const bool open = is_open(&table->columns[k]);
        cols->widths[k] = open ? *text_widths++ : width_of(&table->columns[k]);
        cols->offsets[k] = table->columns[k].offset + (open ? before : 0);
        before += open ? cols->widths[k] : 0;
        PD_CHECK(cols->widths[k] > 0);
    }
}

void pd_columns_expect(struct pd_columns *cols, uint64_t n)
{
    for (size_t k = 0; k < cols->ncolumns; k++) {
        const size_t width = cols->widths[k];
        pd_bytes_reserve(&cols->values[k], cols->values[k].n + n * width);
    }
}

static void add_halves(unsigned char *to, const unsigned char *from, size_t size, size_t n,
                       unsigned shift)
{
    for (size_t k = 0; k < n; k++, from += size, to += sizeof(uint32_t)) {
        uint64_t whole;
        memcpy(&whole, from, sizeof whole);
        const uint32_t half = (uint32_t)(whole >> shift);
        memcpy(to, &half, sizeof half);
    }
}

static void add_u64s(unsigned char *to, const unsigned char *from, size_t size, size_t n)
{
    for (size_t k = 0; k < n; k++, from += size, to += sizeof(uint64_t))
        memcpy(to, from, sizeof(uint64_t));
}

/* Append column k of n rows to its values. */
static void add_values(struct pd_columns *cols, size_t k, const unsigned char *rows, size_t size,
                       size_t n)
{
    const struct pd_column *column = &cols->table->columns[k];
    const unsigned char *from = rows + cols->offsets[k];
    const size_t width = cols->widths[k];
    struct pd_bytes *values = &cols->values[k];
    pd_bytes_reserve(values, values->n + n * width);
    unsigned char *to = values->v + values->n;
    if (column->type == PD_TYPE_HIGH || column->type == PD_TYPE_LOW)
        add_halves(to, from, size, n, column->type == PD_TYPE_HIGH ? 32 : 0);
    else if (width == sizeof(uint64_t))
        add_u64s(to, from, size, n);
    else
        for (size_t row = 0; row < n; row++, from += size, to += width)
            memcpy(to, from, width);
    values->n += n * width;
}

void pd_columns_add(struct pd_columns *cols, uint64_t at, const void *rows, size_t size, size_t n)
{
    struct pd_run_of_rows *last = cols->runs.n ? &cols->runs.v[cols->runs.n - 1] : NULL;
    if (n == 0)
        return;
    if (last && last->at + last->n == at)
        last->n += n;
    else
        pd_runs_of_rows_push(&cols->runs, (struct pd_run_of_rows){at, n});
    for (size_t k = 0; k < cols->ncolumns; k++)
        add_values(cols, k, rows, size, n);
}

static uint64_t rows_below(const struct pd_run_of_rows *run, uint64_t to)
{
    return run->at >= to ? 0 : run->n < to - run->at ? run->n : to - run->at;
}

uint64_t pd_columns_below(const struct pd_columns *cols, uint64_t to)
{
    uint64_t n = 0;
    for (size_t k = 0; k < cols->runs.n; k++)
        n += rows_below(&cols->runs.v[k], to);
    return n;
}

uint64_t pd_columns_copy(const struct pd_columns *cols, size_t k, uint64_t from, uint64_t to,
                         unsigned char *values)
{
    const size_t width = cols->widths[k];
    const unsigned char *v = cols->values[k].v;
    uint64_t copied = 0;
    for (size_t r = 0; r < cols->runs.n && cols->runs.v[r].at < to; r++) {
        const struct pd_run_of_rows *run = &cols->runs.v[r];
        const uint64_t skipped = rows_below(run, from), n = rows_below(run, to) - skipped;
        if (n)
            memcpy(values + (run->at + skipped - from) * width, v + skipped * width, n * width);
        v += run->n * width;
        copied += n;
    }
    return copied;
}

void pd_columns_cut(struct pd_columns *cols, uint64_t from, uint64_t to)
{
    const uint64_t before = pd_columns_below(cols, from),
                   removed = pd_columns_below(cols, to) - before;
    struct pd_runs_of_rows runs = {0};
    for (size_t k = 0; removed && k < cols->ncolumns; k++) {
        struct pd_bytes *values = &cols->values[k];
        const size_t width = cols->widths[k];
        unsigned char *at = values->v + before * width;
        values->n -= removed * width;
        memmove(at, at + removed * width, values->n - before * width);
    }
    for (size_t k = 0; k < cols->runs.n; k++) {
        const struct pd_run_of_rows run = cols->runs.v[k];
        const uint64_t kept = rows_below(&run, from), end = rows_below(&run, to);
        if (kept)
            pd_runs_of_rows_push(&runs, (struct pd_run_of_rows){run.at, kept});
        if (end < run.n)
            pd_runs_of_rows_push(&runs, (struct pd_run_of_rows){run.at + end, run.n - end});
    }
    pd_runs_of_rows_release(&cols->runs);
    cols->runs = runs;
}

void pd_columns_release(struct pd_columns *cols)
{
    for (size_t k = 0; k < cols->ncolumns; k++)
        pd_bytes_release(&cols->values[k]);
    PD_FREE(cols->values, cols->widths, cols->offsets);
    pd_runs_of_rows_release(&cols->runs);
    pd_bytes_release(&cols->packed);
    *cols = (struct pd_columns){0};
}

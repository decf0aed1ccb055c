/* result/columns.c - see include/pardup/result/columns.h */
#include "pardup/result/columns.h"

size_t pd_column_width(const struct pd_column *column)
{
    switch (column->type) {
    case PD_TYPE_U64:
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

void pd_columns_init(struct pd_columns *lot, const char *group, const struct pd_column *columns,
                     size_t n)
{
    *lot = (struct pd_columns){.group = group, .columns = columns, .ncolumns = n};
    lot->values = pd_realloc(NULL, n, sizeof *lot->values);
    memset(lot->values, 0, n * sizeof *lot->values);
}

void pd_columns_expect(struct pd_columns *lot, uint64_t n)
{
    for (size_t k = 0; k < lot->ncolumns; k++) {
        const size_t width = pd_column_width(&lot->columns[k]);
        pd_bytes_reserve(&lot->values[k], lot->values[k].n + n * width);
    }
}

static void add_halves(unsigned char *to, const unsigned char *from, size_t size, size_t n,
                       unsigned shift)
{
    for (size_t k = 0; k < n; k++, from += size, to += sizeof(uint32_t)) {
        uint64_t word;
        memcpy(&word, from, sizeof word);
        const uint32_t half = (uint32_t)(word >> shift);
        memcpy(to, &half, sizeof half);
    }
}

static void add_words(unsigned char *to, const unsigned char *from, size_t size, size_t n)
{
    for (size_t k = 0; k < n; k++, from += size, to += sizeof(uint64_t))
        memcpy(to, from, sizeof(uint64_t));
}

static void add_values(struct pd_bytes *values, const struct pd_column *column,
                       const unsigned char *rows, size_t size, size_t n)
{
    const unsigned char *from = rows + column->offset;
    const size_t width = pd_column_width(column);
    pd_bytes_reserve(values, values->n + n * width);
    unsigned char *to = values->v + values->n;
    if (column->type == PD_TYPE_HIGH || column->type == PD_TYPE_LOW)
        add_halves(to, from, size, n, column->type == PD_TYPE_HIGH ? 32 : 0);
    else if (width == sizeof(uint64_t))
        add_words(to, from, size, n);
    else
        for (size_t k = 0; k < n; k++, from += size, to += width)
            memcpy(to, from, width);
    values->n += n * width;
}

void pd_columns_add(struct pd_columns *lot, uint64_t at, const void *rows, size_t size, size_t n)
{
    struct pd_run_of_rows *last = lot->runs.n ? &lot->runs.v[lot->runs.n - 1] : NULL;
    if (n == 0)
        return;
    if (last && last->at + last->n == at)
        last->n += n;
    else
        pd_runs_of_rows_push(&lot->runs, (struct pd_run_of_rows){at, n});
    for (size_t k = 0; k < lot->ncolumns; k++)
        add_values(&lot->values[k], &lot->columns[k], rows, size, n);
}

static uint64_t run_below(const struct pd_run_of_rows *run, uint64_t to)
{
    return run->at >= to ? 0 : run->n < to - run->at ? run->n : to - run->at;
}

uint64_t pd_columns_below(const struct pd_columns *lot, uint64_t to)
{
    uint64_t n = 0;
    for (size_t k = 0; k < lot->runs.n; k++)
        n += run_below(&lot->runs.v[k], to);
    return n;
}

uint64_t pd_columns_copy(const struct pd_columns *lot, size_t k, uint64_t from, uint64_t to,
                         unsigned char *values)
{
    const size_t width = pd_column_width(&lot->columns[k]);
    const unsigned char *v = lot->values[k].v;
    uint64_t copied = 0;
    for (size_t r = 0; r < lot->runs.n && lot->runs.v[r].at < to; r++) {
        const struct pd_run_of_rows *run = &lot->runs.v[r];
        const uint64_t gone = run_below(run, from), n = run_below(run, to) - gone;
        if (n)
            memcpy(values + (run->at + gone - from) * width, v + gone * width, n * width);
        v += run->n * width;
        copied += n;
    }
    return copied;
}

void pd_columns_cut(struct pd_columns *lot, uint64_t from, uint64_t to)
{
    const uint64_t before = pd_columns_below(lot, from), gone = pd_columns_below(lot, to) - before;
    struct pd_runs_of_rows runs = {0};
    for (size_t k = 0; gone && k < lot->ncolumns; k++) {
        struct pd_bytes *values = &lot->values[k];
        const size_t width = pd_column_width(&lot->columns[k]);
        unsigned char *at = values->v + before * width;
        values->n -= gone * width;
        memmove(at, at + gone * width, values->n - before * width);
    }
    for (size_t k = 0; k < lot->runs.n; k++) {
        const struct pd_run_of_rows run = lot->runs.v[k];
        const uint64_t below = run_below(&run, from), until = run_below(&run, to);
        if (below)
            pd_runs_of_rows_push(&runs, (struct pd_run_of_rows){run.at, below});
        if (until < run.n)
            pd_runs_of_rows_push(&runs, (struct pd_run_of_rows){run.at + until, run.n - until});
    }
    pd_runs_of_rows_release(&lot->runs);
    lot->runs = runs;
}

void pd_columns_release(struct pd_columns *lot)
{
    for (size_t k = 0; k < lot->ncolumns; k++)
        pd_bytes_release(&lot->values[k]);
    free(lot->values);
    pd_runs_of_rows_release(&lot->runs);
    pd_bytes_release(&lot->packed);
    *lot = (struct pd_columns){0};
}

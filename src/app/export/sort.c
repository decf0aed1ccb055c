/* app/export/sort.c - pardup export --sort; see export.h */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "pardup/base/error.h"
#include "pardup/base/memory_limit.h"

/* The column by which rows are sorted. */
struct sorting {
    const struct pd_exporting *x;
    const struct pd_cells *cells;
    size_t column; /* of the table, unless the ids of a side are meant */
    int side;      /* -1: not the ids */
    bool descending;
};

struct place {
    const struct sorting *by;
    uint64_t row;
};

/* The ids that rows of the table name, beside its columns. */
static bool has_ids(const struct pd_exporting *x)
{
    return strcmp(x->table->columns[0].name, "doc_a") == 0;
}

/* Find the column that `name`, of n bytes, means. */
static int find_column(const struct pd_exporting *x, const char *name, size_t n, struct sorting *by)
{
    char list[512] = "";
    size_t at = 0;
    by->side = -1;
    for (size_t c = 0; c < x->ncolumns; c++) {
        const char *known = x->table->columns[c].name;
        if (strlen(known) == n && memcmp(known, name, n) == 0) {
            by->column = c;
            by->cells = &x->cells[c];
            return PD_OK;
        }
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", c ? " " : "", known);
    }
    for (int side = 0; side < 2 && has_ids(x); side++)
        if (n == 4 && memcmp(name, side ? "id_b" : "id_a", n) == 0) {
            by->side = side;
            by->cells = &x->ids[side];
            return PD_OK;
        }
    return pd_fail(PD_EUSAGE, "export: --sort: /%s has no column \"%.*s\"; its columns: %s%s",
                   x->table->name, (int)n, name, list, has_ids(x) ? " id_a id_b" : "");
}

/* The row of by->cells that a row of the table has its value in. */
static uint64_t cell_of(const struct sorting *by, uint64_t row)
{
    return by->side < 0 ? row : pd_cells_count(&by->x->cells[by->side], row);
}

static bool has_value(const struct sorting *by, uint64_t row)
{
    if (by->side >= 0)
        return true;
    if (by->cells->kind == PD_VALUES_REAL)
        return !isnan(pd_cells_real(by->cells, row));
    return !pd_export_missing(by->x, by->column, row);
}

static int compare_texts(const struct pd_cells *cells, uint64_t a, uint64_t b)
{
    size_t na, nb;
    const char *ta = pd_cells_text(cells, a, &na), *tb = pd_cells_text(cells, b, &nb);
    const int order = memcmp(ta, tb, na < nb ? na : nb);
    return order ? order : (na > nb) - (na < nb);
}

static int compare_values(const struct pd_cells *cells, uint64_t a, uint64_t b)
{
    if (cells->kind == PD_VALUES_TEXT)
        return compare_texts(cells, a, b);
    if (cells->kind == PD_VALUES_REAL) {
        const double va = pd_cells_real(cells, a), vb = pd_cells_real(cells, b);
        return (va > vb) - (va < vb);
    }
    if (cells->kind == PD_VALUES_SIGNED) {
        const int64_t va = pd_cells_signed(cells, a), vb = pd_cells_signed(cells, b);
        return (va > vb) - (va < vb);
    }
    const uint64_t va = pd_cells_count(cells, a), vb = pd_cells_count(cells, b);
    return (va > vb) - (va < vb);
}

/* Rows without a value come last; equal rows stay as the table has them. */
static int by_value(const void *a, const void *b)
{
    const struct place *pa = a, *pb = b;
    const struct sorting *by = pa->by;
    const bool has_a = has_value(by, pa->row), has_b = has_value(by, pb->row);
    int order = has_b - has_a;
    if (has_a && has_b) {
        order = compare_values(by->cells, cell_of(by, pa->row), cell_of(by, pb->row));
        order = by->descending ? (order < 0) - (order > 0) : order;
    }
    return order ? order : (pa->row > pb->row) - (pa->row < pb->row);
}

static int settle(const struct pd_exporting *x, const char *sort, struct sorting *by)
{
    const char *colon = strchr(sort, ':');
    if (colon && strcmp(colon, ":desc") != 0)
        return pd_fail(PD_EUSAGE, "export: --sort %s: COLUMN or COLUMN:desc is expected", sort);
    *by = (struct sorting){.x = x, .descending = colon != NULL};
    return find_column(x, sort, colon ? (size_t)(colon - sort) : strlen(sort), by);
}

/*
 * All rows are held while they are sorted: refuse what takes more than half of the memory that the
 * job may use. The first row says how wide the columns are.
 */
static int check_memory(struct pd_exporting *x, uint64_t rows, const uint64_t documents[2])
{
    uint64_t bytes = sizeof(struct place) + sizeof *x->order;
    const uint64_t most = pd_memory_limit("") / 2;
    PD_TRY(pd_export_rows(x, 0, 1, documents));
    for (size_t c = 0; c < x->ncolumns; c++)
        bytes += x->cells[c].width;
    if (rows <= most / bytes)
        return PD_OK;
    return pd_fail(PD_EFULL,
                   "export: --sort holds all rows: %llu MB, and %llu MB may be used; leave --sort "
                   "out and sort what is printed",
                   (unsigned long long)((double)rows * (double)bytes / 1e6),
                   (unsigned long long)(most / 1000000));
}

int pd_export_sort(struct pd_exporting *x, const char *sort, uint64_t rows,
                   const uint64_t documents[2])
{
    struct sorting by;
    PD_TRY(settle(x, sort, &by));
    if (rows == 0)
        return PD_OK;
    PD_TRY(check_memory(x, rows, documents));
    PD_TRY(pd_export_rows(x, 0, rows, documents));
    struct place *places = pd_realloc(NULL, rows, sizeof *places);
    for (uint64_t k = 0; k < rows; k++)
        places[k] = (struct place){&by, k};
    qsort(places, rows, sizeof *places, by_value);
    x->order = pd_realloc(NULL, rows, sizeof *x->order);
    for (uint64_t k = 0; k < rows; k++)
        x->order[k] = places[k].row;
    free(places);
    return PD_OK;
}

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
    size_t column;                /* of the table, unless an id is meant */
    const struct pd_named *named; /* the id; NULL: a column of the table is meant */
    bool descending;
};

/* A row that is sorted. It knows how, since qsort() passes nothing else to by_value(). */
struct place {
    const struct sorting *by;
    uint64_t row;
};

/* Find the column that `name`, of n bytes, means. */
static int find_column(const struct pd_exporting *x, const char *name, size_t n, struct sorting *by)
{
    struct pd_bytes list = {0};
    for (size_t c = 0; c < x->ncolumns + x->nnamed; c++) {
        const bool own = c < x->ncolumns;
        const char *known = own ? x->table->columns[c].name : x->named[c - x->ncolumns].name;
        if (strlen(known) == n && memcmp(known, name, n) == 0) {
            by->column = c;
            by->cells = own ? &x->cells[c] : NULL;
            by->named = own ? NULL : &x->named[c - x->ncolumns];
            pd_bytes_release(&list);
            return PD_OK;
        }
        pd_bytes_print(&list, "%s%s", c ? " " : "", known);
    }
    const int status =
        pd_fail(PD_EUSAGE, "export: --sort: /%s has no column \"%.*s\"; its columns: %.*s",
                x->table->name, (int)n, name, (int)list.n, (const char *)list.v);
    pd_bytes_release(&list);
    return status;
}

/* A value: the row `at` of some cells. */
struct value {
    const struct pd_cells *cells;
    uint64_t at;
};

/* Where the value of a row is; false: it has none. */
static bool find_value(const struct sorting *by, uint64_t row, struct value *v)
{
    if (by->named)
        return pd_export_id(by->x, by->named, row, &v->cells, &v->at);
    *v = (struct value){by->cells, row};
    if (by->cells->kind == PD_VALUES_REAL)
        return !isnan(pd_cells_real(by->cells, row));
    return !pd_export_missing(by->x, by->column, row);
}

static int compare_texts(const struct value *a, const struct value *b)
{
    size_t na, nb;
    const char *ta = pd_cells_text(a->cells, a->at, &na), *tb = pd_cells_text(b->cells, b->at, &nb);
    const int order = memcmp(ta, tb, na < nb ? na : nb);
    return order ? order : (na > nb) - (na < nb);
}

static int compare_values(const struct value *a, const struct value *b)
{
    if (a->cells->kind == PD_VALUES_TEXT)
        return compare_texts(a, b);
    if (a->cells->kind == PD_VALUES_REAL) {
        const double va = pd_cells_real(a->cells, a->at), vb = pd_cells_real(b->cells, b->at);
        return (va > vb) - (va < vb);
    }
    if (a->cells->kind == PD_VALUES_SIGNED) {
        const int64_t va = pd_cells_signed(a->cells, a->at), vb = pd_cells_signed(b->cells, b->at);
        return (va > vb) - (va < vb);
    }
    const uint64_t va = pd_cells_count(a->cells, a->at), vb = pd_cells_count(b->cells, b->at);
    return (va > vb) - (va < vb);
}

/* Rows without a value come last; equal rows stay as the table has them. */
static int by_value(const void *a, const void *b)
{
    const struct place *pa = a, *pb = b;
    const struct sorting *by = pa->by;
    struct value va, vb;
    const bool has_a = find_value(by, pa->row, &va), has_b = find_value(by, pb->row, &vb);
    int order = has_b - has_a;
    if (has_a && has_b) {
        order = compare_values(&va, &vb);
        order = by->descending ? (order < 0) - (order > 0) : order;
    }
    return order ? order : (pa->row > pb->row) - (pa->row < pb->row);
}

/* Read the argument of --sort. */
static int parse(const struct pd_exporting *x, const char *sort, struct sorting *by)
{
    const char *colon = strchr(sort, ':');
    if (colon && strcmp(colon, ":desc") != 0)
        return pd_fail(PD_EUSAGE, "export: --sort %s: COLUMN or COLUMN:desc is expected", sort);
    *by = (struct sorting){.x = x, .descending = colon != NULL};
    return find_column(x, sort, colon ? (size_t)(colon - sort) : strlen(sort), by);
}

/*
 * All rows are held while they are sorted: refuse what takes more than --memory, or else half of the
 * memory that the job may use. The first row says how wide the columns are.
 */
static int check_memory(struct pd_exporting *x, uint64_t rows)
{
    uint64_t bytes = sizeof(struct place) + sizeof *x->order;
    const uint64_t most = x->memory ? x->memory : pd_memory_limit("") / 2;
    PD_TRY(pd_export_rows(x, 0, 1));
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

int pd_export_sort(struct pd_exporting *x, uint64_t rows)
{
    struct sorting by;
    if (!x->sort)
        return PD_OK;
    PD_TRY(parse(x, x->sort, &by));
    if (rows == 0)
        return PD_OK;
    PD_TRY(check_memory(x, rows));
    PD_TRY(pd_export_rows(x, 0, rows));
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

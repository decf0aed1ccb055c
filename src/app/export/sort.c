/* app/export/sort.c - pardup export --sort; see export.h */
#include <endian.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/temporary.h"
#include "export.h"
#include "pardup/base/error.h"
#include "pardup/base/memory_limit.h"
#include "pardup/base/sort.h"
#include "pardup/store/sorter.h"

/* The column by which rows are sorted. */
struct sorting {
    const struct pd_exporting *x;
    const struct pd_cells *cells;
    size_t column;                /* of the table, unless an id is meant */
    const struct pd_named *named; /* the id; NULL: a column of the table is meant */
    bool descending;
};

/*
 * A row that is sorted is a record of u64s: the key of a pass, its number, all of its value as a
 * key, and the values of its columns. A pass sorts by CHUNK u64s of the value, then by the place
 * that the pass before has given the row. The last u64s are sorted first, so any value is sorted,
 * however long.
 */
enum { U64 = 8, CHUNK = PD_SORT_MOST_U64S - 3, CELLS_BESIDE = 4 };
enum { MISSING, PART, PLACE = PART + CHUNK, NUMBER, VALUE }; /* u64s of a record */

struct pd_sorted_rows {
    struct pd_sorter *sorter; /* of the last pass */
    struct pd_ordered ordered;
    size_t words;          /* u64s of a value */
    size_t bytes;          /* of a record */
    uint64_t *record;      /* the record at hand */
    size_t memory;         /* bytes of a sorter */
    unsigned sorters;      /* how many have been made */
    char folder[PATH_MAX]; /* of the sorters' files; empty: there is none */
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

/* Write a value over zeros, as u64s whose order is that of the values. */
static void put_value(const struct value *v, uint64_t *key)
{
    const uint64_t top = (uint64_t)1 << 63;
    size_t n;
    if (v->cells->kind == PD_VALUES_TEXT) {
        const char *text = pd_cells_text(v->cells, v->at, &n);
        memcpy(key, text, n);
        for (size_t k = 0; k * U64 < n; k++)
            key[k] = be64toh(key[k]);
    } else if (v->cells->kind == PD_VALUES_REAL) {
        const double real = pd_cells_real(v->cells, v->at) + 0.0; /* there is one zero */
        memcpy(key, &real, sizeof real);
        *key = *key & top ? ~*key : *key | top;
    } else {
        *key = pd_cells_count(v->cells, v->at) ^ (v->cells->kind == PD_VALUES_SIGNED ? top : 0);
    }
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

/* The cells of a column, or of what says where the texts of the rows are; of width 0: unused. */
static struct pd_cells *cells_of(struct pd_exporting *x, size_t k)
{
    struct pd_cells *const beside[CELLS_BESIDE] = {x->begins, x->begins + 1, x->ends, x->ends + 1};
    return k < x->ncolumns ? &x->cells[k] : beside[k - x->ncolumns];
}

/* Measure a record by the row at hand. */
static void measure(struct pd_exporting *x, const struct sorting *by)
{
    struct pd_sorted_rows *s = x->sorted;
    const struct pd_cells *value = by->cells, *other = NULL;
    if (by->named) {
        value = &x->called[by->named->called].cells[0];
        other = value + 1;
    }
    const size_t width = other && other->width > value->width ? other->width : value->width;
    s->words = width / U64 + 1;
    s->bytes = (VALUE + s->words) * U64;
    for (size_t k = 0; k < x->ncolumns + CELLS_BESIDE; k++)
        s->bytes += cells_of(x, k)->width;
    s->bytes = (s->bytes + U64 - 1) / U64 * U64;
    s->record = pd_zeroed(s->bytes / U64, sizeof *s->record);
}

/* Few rows do not spill. For more, make a folder for files. There are two sorters at most. */
static int choose_memory(struct pd_exporting *x, uint64_t rows)
{
    struct pd_sorted_rows *s = x->sorted;
    const struct pd_options nothing = {.output = NULL};
    const uint64_t all = x->memory ? x->memory : pd_memory_limit("") / 2;
    const bool few = rows <= all / 8 / s->bytes;
    s->memory = few ? 4 * rows * s->bytes + 8 * PD_SORTER_LEAST : all / 2;
    return few ? PD_OK : pd_temporary_make(&nothing, s->folder);
}

static struct pd_sorter *sorter_of(struct pd_sorted_rows *s)
{
    char *path = pd_printed("%s/rows-%u", s->folder, s->sorters++);
    struct pd_sorter *sorter = pd_sorter_new(
        &(struct pd_sorting){.size = s->bytes, .keys = NUMBER, .memory = s->memory, .path = path});
    free(path);
    return sorter;
}

/* Add the record to a sorter, with the key of a pass: the part of the value from u64 `at` on. */
static int push(struct pd_sorted_rows *s, struct pd_sorter *to, size_t at, uint64_t place)
{
    for (size_t k = 0; k < CHUNK; k++)
        s->record[PART + k] = at + k < s->words ? s->record[VALUE + at + k] : 0;
    s->record[PLACE] = place;
    return pd_sorter_push(to, s->record, s->bytes);
}

/* Where the part of a value begins that is sorted first. */
static size_t last_part(const struct pd_sorted_rows *s) { return (s->words - 1) / CHUNK * CHUNK; }

/* Add the n rows at hand, from the row `from` on, to the sorter. */
static int push_rows(struct pd_exporting *x, const struct sorting *by, uint64_t from, uint64_t n)
{
    struct pd_sorted_rows *s = x->sorted;
    struct value v;
    x->from = from;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t at = pd_export_at(x, k);
        unsigned char *to = (unsigned char *)(s->record + VALUE + s->words);
        const bool has = find_value(by, at, &v);
        memset(s->record, 0, s->bytes);
        s->record[MISSING] = !has;
        s->record[NUMBER] = from + k;
        if (has)
            put_value(&v, s->record + VALUE);
        for (size_t w = 0; w < s->words && has && by->descending; w++)
            s->record[VALUE + w] = ~s->record[VALUE + w];
        for (size_t c = 0; c < x->ncolumns + CELLS_BESIDE; c++) {
            const struct pd_cells *cells = cells_of(x, c);
            if (cells->width)
                memcpy(to, cells->values.v + at * cells->width, cells->width);
            to += cells->width;
        }
        PD_TRY(push(s, s->sorter, last_part(s), from + k));
    }
    return PD_OK;
}

/* Bring the next record to hand. PD_OK, PD_END or a failure. */
static int next_record(struct pd_sorted_rows *s)
{
    const void *record;
    PD_TRY(pd_ordered_look(&s->ordered, &record));
    if (!record)
        return PD_END;
    memcpy(s->record, record, s->bytes);
    s->ordered.at += s->bytes;
    return PD_OK;
}

/* Sort once more, by the part of the values from u64 `at` on. */
static int sort_again(struct pd_sorted_rows *s, size_t at)
{
    struct pd_sorter *next = sorter_of(s);
    uint64_t place = 0;
    int status = next_record(s);
    while (status == PD_OK) {
        status = push(s, next, at, place++);
        PD_THEN(status, next_record(s));
    }
    pd_sorter_free(s->sorter);
    s->sorter = next;
    s->ordered = (struct pd_ordered){.from = next};
    PD_THEN(status, pd_sorter_finish(next));
    return status;
}

int pd_export_sort(struct pd_exporting *x, uint64_t rows)
{
    struct sorting by = {.x = x};
    if (!x->sort)
        return PD_OK;
    PD_TRY(parse(x, x->sort, &by));
    if (rows == 0)
        return PD_OK;
    PD_TRY(pd_export_rows(x, 0, 1));
    struct pd_sorted_rows *s = x->sorted = pd_zeroed(1, sizeof *s);
    measure(x, &by);
    PD_TRY(choose_memory(x, rows));
    s->sorter = sorter_of(s);
    s->ordered.from = s->sorter;
    for (uint64_t from = 0, n; from < rows; from += n) {
        n = rows - from < PD_EXPORT_ROWS ? rows - from : PD_EXPORT_ROWS;
        PD_TRY(pd_export_rows(x, from, n));
        PD_TRY(push_rows(x, &by, from, n));
    }
    PD_TRY(pd_sorter_finish(s->sorter));
    for (size_t at = last_part(s); at > 0; at -= CHUNK)
        PD_TRY(sort_again(s, at - CHUNK));
    x->whole = false;
    x->numbers = pd_zeroed(PD_EXPORT_ROWS, sizeof *x->numbers);
    return PD_OK;
}

/* Bring the next n rows in order to hand. */
static int take_sorted(struct pd_exporting *x, uint64_t n)
{
    struct pd_sorted_rows *s = x->sorted;
    for (size_t c = 0; c < x->ncolumns + CELLS_BESIDE; c++)
        pd_bytes_reserve(&cells_of(x, c)->values, n * cells_of(x, c)->width);
    for (uint64_t k = 0; k < n; k++) {
        const unsigned char *at = (const unsigned char *)(s->record + VALUE + s->words);
        const int status = next_record(s);
        PD_CHECK(status <= PD_OK);
        PD_TRY(status);
        x->numbers[k] = s->record[NUMBER];
        for (size_t c = 0; c < x->ncolumns + CELLS_BESIDE; c++) {
            struct pd_cells *cells = cells_of(x, c);
            if (cells->width)
                memcpy(cells->values.v + k * cells->width, at, cells->width);
            at += cells->width;
        }
    }
    return PD_OK;
}

int pd_export_next(struct pd_exporting *x, uint64_t from, uint64_t n)
{
    x->from = from;
    return x->sorted ? take_sorted(x, n) : pd_export_rows(x, from, n);
}

void pd_export_sort_release(struct pd_exporting *x)
{
    if (!x->sorted)
        return;
    pd_sorter_free(x->sorted->sorter);
    if (*x->sorted->folder)
        pd_temporary_remove(x->sorted->folder);
    PD_FREE(x->sorted->record, x->sorted, x->numbers);
}

/* app/show/tables.c - see src/app/show/show.h */
#include "show.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/vec.h"
#include "terminal.h"

enum {
    COLUMNS_MOST = 64, /* columns of a table */
    BETWEEN = 2,       /* blanks between columns */
    KEYS = 2           /* the first columns, which each part of a wide table repeats */
};

struct cell {
    const char *s;
    size_t n;
};
PD_VEC(cells, struct cell);

/* A table: rows of `columns` cells each. */
struct table {
    struct cells cells;
    size_t columns;
    size_t widths[COLUMNS_MOST];
    bool numbers[COLUMNS_MOST]; /* has the column numbers only, below its name? */
};

/* The most columns of a cell: two keys, one more cell and the blanks between them fit a line. */
static size_t cell_room(size_t width) { return (width - KEYS * BETWEEN) / (KEYS + 1); }

/* Does a number begin here? A cell that is only a mark counts as one, too. */
static bool is_number(const struct cell *c)
{
    return c->n > 0 && ((c->s[0] >= '0' && c->s[0] <= '9') || c->s[0] == '-');
}

/* Take the cells of a line, and widen the columns. The first line has the names. */
static void take_line(struct table *t, const char *s, size_t n)
{
    const bool names = t->cells.n == 0;
    size_t column = 0;
    for (size_t at = 0; at <= n && column < COLUMNS_MOST; column++) {
        const char *tab = at < n ? memchr(s + at, '\t', n - at) : NULL;
        const struct cell cell = {s + at, tab ? (size_t)(tab - s) - at : n - at};
        if (!names && column >= t->columns)
            break;
        t->numbers[column] = names || (t->numbers[column] && is_number(&cell));
        t->widths[column] = !names && t->widths[column] > cell.n ? t->widths[column] : cell.n;
        cells_push(&t->cells, cell);
        at += cell.n + 1;
    }
    if (names)
        t->columns = column;
    for (; column < t->columns; column++)
        cells_push(&t->cells, (struct cell){"", 0});
}

/* The width at which a column is printed, of `width` for a line: a third at most. */
static size_t width_of(const struct table *t, size_t column, size_t width)
{
    return t->widths[column] < cell_room(width) ? t->widths[column] : cell_room(width);
}

static void print_cell(const struct table *t, size_t row, size_t column, size_t width, bool last)
{
    const struct cell *c = &t->cells.v[row * t->columns + column];
    if (t->numbers[column])
        printf("%*s", (int)(width - (c->n < width ? c->n : width)), "");
    const size_t columns = pd_print_clipped(c->s, c->n, width);
    if (!t->numbers[column] && !last)
        printf("%*s", (int)(width - columns), "");
}

/* Print the columns [from, to) of all rows, behind the keys. */
static void print_part(const struct table *t, size_t from, size_t to, size_t width)
{
    for (size_t row = 0; row * t->columns < t->cells.n; row++) {
        for (size_t k = 0; k < KEYS && k < from; k++) {
            print_cell(t, row, k, width_of(t, k, width), false);
            printf("%*s", BETWEEN, "");
        }
        for (size_t k = from; k < to; k++) {
            print_cell(t, row, k, width_of(t, k, width), k + 1 == to);
            printf("%*s", k + 1 < to ? BETWEEN : 0, "");
        }
        putchar('\n');
    }
}

/* Print a table in as many parts as it needs, and forget it. */
static void print_table(struct table *t, size_t width)
{
    size_t keys = 0;
    for (size_t k = 0; k < KEYS && k < t->columns; k++)
        keys += BETWEEN + width_of(t, k, width);
    for (size_t from = KEYS < t->columns ? KEYS : 0, to; from < t->columns; from = to) {
        size_t used = from ? keys : 0;
        for (to = from; to < t->columns; to++) {
            const size_t one = width_of(t, to, width);
            if (to > from && used + one > width)
                break;
            used += one + BETWEEN;
        }
        print_part(t, from, to, width);
        if (to < t->columns)
            putchar('\n');
    }
    t->cells.n = t->columns = 0;
}

void pd_print_tables(const char *text, size_t n, size_t width)
{
    struct table t = {.columns = 0};
    for (size_t at = 0; at < n;) {
        const char *lf = memchr(text + at, '\n', n - at);
        const size_t end = lf ? (size_t)(lf - text) : n;
        if (end == at || text[at] == '#')
            print_table(&t, width);
        if (end == at)
            putchar('\n');
        else if (text[at] == '#')
            pd_print_wrapped(text + at, end - at, width, 0, BETWEEN);
        else
            take_line(&t, text + at, end - at);
        at = end + 1;
    }
    print_table(&t, width);
    cells_release(&t.cells);
}

int pd_print_lined_up(const struct pd_print_options *print, int (*write)(void *ctx, FILE *to),
                      void *ctx)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    int status = to ? write(ctx, to) : PD_OK;
    if (!to || fclose(to) != 0)
        status = pd_fail(PD_EIO, "tables: %s", strerror(errno));
    if (status >= 0)
        pd_print_tables(text, n, pd_terminal_of(print).width);
    free(text);
    return status;
}

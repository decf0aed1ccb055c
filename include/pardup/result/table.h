/*
 * result/table.h - a table of a result file, read row by row or at any row.
 *
 *     static const char *const columns[] = {"doc_a", "doc_b", "?family", NULL};
 *     int status = pd_table_open(&t, result, "passages", columns);
 *     while (status >= 0 && (status = pd_table_next(&t)) == PD_OK)
 *         use(t.row, pd_table_count(&t, 0));
 *     pd_table_close(&t);
 *
 * Rows around the row at hand are read with it, so rows that are close to each other cost little.
 */
#ifndef PARDUP_RESULT_TABLE_H
#define PARDUP_RESULT_TABLE_H

#include "pardup/base/error.h"
#include "pardup/result/reader.h"

enum { PD_READ_COLUMNS = 12 }; /* columns of a table that are read at the most */

struct pd_table_reader {
    uint64_t rows; /* of the table */
    uint64_t row;  /* the row at hand */
    uint64_t next; /* the row that pd_table_next() takes; may be set */

    /* The members below belong to table.c. */
    struct pd_result *result;
    const char *table;
    const char *const *columns;
    size_t ncolumns;
    uint64_t from, n, most; /* rows [from, from + n) are in memory; rows that are read at once */
    struct pd_cells cells[PD_READ_COLUMNS]; /* width 0: the table lacks the column */
};

/*
 * Begin before the first row. To be closed in any case; a reader that is all zeros may be, too.
 *   columns  their names, NULL behind the last. A table may lack a column whose name begins with ?,
 *            as results of an earlier pardup do. Borrowed, as the other parameters are, until the
 *            reader is closed
 * Returns PD_OK or PD_EFORMAT.
 */
int pd_table_open(struct pd_table_reader *t, struct pd_result *result, const char *table,
                  const char *const *columns);
void pd_table_close(struct pd_table_reader *t);

/* Bring a row to hand. PD_OK or PD_EFORMAT. */
int pd_table_at(struct pd_table_reader *t, uint64_t row);

/* Bring the row behind the one at hand to hand, or the first one. PD_OK, PD_END or PD_EFORMAT. */
static inline int pd_table_next(struct pd_table_reader *t)
{
    return t->next < t->rows ? pd_table_at(t, t->next) : PD_END;
}

/* Has the table the column with this number in the list? */
static inline bool pd_table_has(const struct pd_table_reader *t, int column)
{
    return t->cells[column].width > 0;
}

/* Values of the row at hand, by the column's number in the list; 0 if the table lacks it. */
static inline uint64_t pd_table_count(const struct pd_table_reader *t, int column)
{
    return pd_table_has(t, column) ? pd_cells_count(&t->cells[column], t->row - t->from) : 0;
}
static inline int64_t pd_table_signed(const struct pd_table_reader *t, int column)
{
    return (int64_t)pd_table_count(t, column);
}
static inline double pd_table_real(const struct pd_table_reader *t, int column)
{
    return pd_table_has(t, column) ? pd_cells_real(&t->cells[column], t->row - t->from) : 0;
}

/* A text of n bytes, valid until another row is at hand. */
static inline const char *pd_table_text(const struct pd_table_reader *t, int column, size_t *n)
{
    *n = 0;
    return pd_table_has(t, column) ? pd_cells_text(&t->cells[column], t->row - t->from, n) : "";
}

/*
 * Bring the first row to hand whose number in the column, by which the table is sorted, is at least
 * `least`. Quick if it is near the row at hand. PD_OK; PD_END: there is none; or PD_EFORMAT.
 */
int pd_table_find(struct pd_table_reader *t, int column, uint64_t least);

#endif

/*
 * corpus/csv.h - tables of comma-separated values, as RFC 4180 has them.
 *
 * Values may stand in quotes, with commas, line ends and doubled quotes in them. Lines end in LF or
 * CR LF. The first line has the names of the columns. If it has no comma, values are separated by
 * tabs, or else by semicolons, if it has them. A byte order mark is passed.
 */
#ifndef PARDUP_CORPUS_CSV_H
#define PARDUP_CORPUS_CSV_H

#include <stdint.h>

#include "pardup/base/bytes.h"
#include "pardup/base/vec.h"

PD_VEC(pd_csv_cells, size_t);

/* A table in memory. A zeroed struct is empty. */
struct pd_csv {
    struct pd_bytes text;      /* the values one behind the other, each ended by NUL */
    struct pd_csv_cells cells; /* where each value begins in `text`, row by row, header first */
    struct pd_csv_cells lines; /* number of the line on which each row begins */
    size_t columns, rows;      /* rows without the header */
};

/*
 * Read a table from s[0, n). Returns PD_OK, or PD_EFORMAT with a message that begins with `path`
 * and the number of the line: no header, a row of another length, a quote without its end, or bytes
 * that are no UTF-8.
 */
int pd_csv_read(struct pd_csv *c, const char *path, const unsigned char *s, size_t n);

/* The value of a column in a row, ended by NUL. Row 0 is the first one behind the header. */
const char *pd_csv_cell(const struct pd_csv *c, size_t row, size_t column);
const char *pd_csv_name(const struct pd_csv *c, size_t column);

/* The first column with this name; SIZE_MAX: there is none. */
size_t pd_csv_column(const struct pd_csv *c, const char *name);

void pd_csv_release(struct pd_csv *c);

#endif

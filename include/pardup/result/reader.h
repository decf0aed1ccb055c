/* result/reader.h - read rows of a result file, in one process, without MPI. */
#ifndef PARDUP_RESULT_READER_H
#define PARDUP_RESULT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_result;

/*
 * Open a result file, which must be a regular file; *r is NULL on failure. Returns PD_OK, PD_EIO or
 * PD_EFORMAT.
 */
int pd_result_open(const char *path, struct pd_result **r);
void pd_result_close(struct pd_result *r);             /* r may be NULL */
const char *pd_result_path(const struct pd_result *r); /* as given to pd_result_open; borrowed */

/*
 * Set *rows to the number of rows of a table ("passages"), whose columns must be equally long.
 * Returns PD_OK or PD_EFORMAT.
 */
int pd_result_rows(struct pd_result *r, const char *table, uint64_t *rows);

/* Has the table this column? A result of an earlier pardup may lack some. Panics if HDF5 cannot tell. */
bool pd_result_has(struct pd_result *r, const char *table, const char *column);

enum pd_values {
    PD_VALUES_COUNT,  /* uint64_t */
    PD_VALUES_SIGNED, /* int64_t */
    PD_VALUES_REAL,   /* double */
    PD_VALUES_TEXT    /* text, padded with NUL */
};

/* A range of rows of one column. */
struct pd_cells {
    enum pd_values kind;
    size_t width;           /* bytes of a value: 8 for counts and reals */
    struct pd_bytes values; /* reused by the next read; the caller releases it */
};

/*
 * Read rows [from, from + n) of a column into `cells`. A column of the schema has values of its
 * kind there, or is refused. Returns PD_OK or PD_EFORMAT.
 */
int pd_result_read(struct pd_result *r, const char *table, const char *column, uint64_t from,
                   uint64_t n, struct pd_cells *cells);
static inline uint64_t pd_cells_count(const struct pd_cells *cells, uint64_t k)
{
    return ((const uint64_t *)(const void *)cells->values.v)[k];
}
static inline int64_t pd_cells_signed(const struct pd_cells *cells, uint64_t k)
{
    return ((const int64_t *)(const void *)cells->values.v)[k];
}
static inline double pd_cells_real(const struct pd_cells *cells, uint64_t k)
{
    return ((const double *)(const void *)cells->values.v)[k];
}
static inline const char *pd_cells_text(const struct pd_cells *cells, uint64_t k, size_t *n)
{
    const char *text = (const char *)cells->values.v + k * cells->width;
    *n = strnlen(text, cells->width);
    return text;
}

/*
 * Set *text to a text attribute of the root, ended by NUL; the caller frees it.
 * Returns PD_OK or PD_EFORMAT.
 */
int pd_result_text(struct pd_result *r, const char *name, char **text);

/* Set *real to a numeric attribute of the root. Returns PD_OK or PD_EFORMAT. */
int pd_result_real(struct pd_result *r, const char *name, double *real);

/* Set *count to a whole number that is an attribute of the root. False: there is none. */
bool pd_result_count(struct pd_result *r, const char *name, uint64_t *count);

#endif

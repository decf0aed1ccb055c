/* result/reader.h - rows out of a result file, in one process, without MPI. */
#ifndef PARDUP_RESULT_READER_H
#define PARDUP_RESULT_READER_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/base/bytes.h"

struct pd_result;

int pd_result_open(const char *path, struct pd_result **r); /* PD_OK, PD_EIO or PD_EFORMAT */
void pd_result_close(struct pd_result *r);                  /* NULL is nothing to close */

/* Rows of a table ("passages"), by its first column. PD_OK or PD_EFORMAT. */
int pd_result_rows(struct pd_result *r, const char *table, uint64_t *rows);

enum pd_values { PD_VALUES_COUNT, PD_VALUES_REAL, PD_VALUES_TEXT };

/* A slice of a column: counts or reals (8 bytes a row), or texts (width bytes a row, NUL-padded). */
struct pd_cells {
    enum pd_values kind;
    size_t width;
    struct pd_bytes values; /* reused from slice to slice */
};
int pd_result_read(struct pd_result *r, const char *table, const char *column, uint64_t from,
                   uint64_t n, struct pd_cells *slice);
static inline uint64_t pd_cells_count(const struct pd_cells *s, uint64_t k)
{
    return ((const uint64_t *)(const void *)s->values.v)[k];
}
static inline double pd_cells_real(const struct pd_cells *s, uint64_t k)
{
    return ((const double *)(const void *)s->values.v)[k];
}
static inline const char *pd_cells_text(const struct pd_cells *s, uint64_t k, size_t *n)
{
    const char *text = (const char *)s->values.v + k * s->width;
    *n = strnlen(text, s->width);
    return text;
}

/* A text attribute of the root, NUL-terminated; the caller frees. PD_OK or PD_EFORMAT. */
int pd_result_text(struct pd_result *r, const char *name, char **text);

#endif

/*
 * corpus/table/csv_row.h - one row of a table of comma-separated values (RFC 4180), in memory.
 *
 * A value may stand in quotes, with separators, line ends and doubled quotes in it. Rows end in LF
 * or CR LF. Values between tabs are often written without quoting: one that begins with a quote and
 * is no value in quotes is taken as it is.
 */
#ifndef PARDUP_CORPUS_CSV_ROW_H
#define PARDUP_CORPUS_CSV_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"
#include "pardup/base/vec.h"

/* A value as the row has it, with its quotes. */
struct pd_csv_value {
    const unsigned char *s;
    size_t n;
    bool quoted;
};
PD_VEC(pd_csv_values, struct pd_csv_value);

/* The bytes of a table that are at hand, from the beginning of a row on. */
struct pd_csv_part {
    const unsigned char *s;
    size_t n;
    bool whole; /* the table ends behind s[0, n) */
    unsigned char separator;
};

/*
 * Read the row at the beginning of the part, which has at least one byte.
 *   values   replaced by the values of the row; they point into the part
 *   bytes    receives the bytes of the row, with its line end
 *   why      receives what is wrong with a broken row, a constant string
 * Returns PD_OK, PD_EFULL when the row goes on behind the part, or PD_EFORMAT when it is broken.
 * Linear time.
 */
int pd_csv_row(const struct pd_csv_part *p, struct pd_csv_values *values, size_t *bytes,
               const char **why);

/*
 * Write the text of the value to `to`, which has room for its bytes. Returns the bytes written.
 */
size_t pd_csv_decode(const struct pd_csv_value *value, unsigned char *to);

/* Append text[0, n) as a value in quotes. */
void pd_csv_quote(const unsigned char *text, size_t n, struct pd_bytes *to);

#endif

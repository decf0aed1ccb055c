/* corpus/parquet/parquet_number.h - values in a Parquet file in words. */
#ifndef PARDUP_CORPUS_PARQUET_NUMBER_H
#define PARDUP_CORPUS_PARQUET_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "parquet_footer.h"

enum { PD_PARQUET_PRINTED = 128, PD_PARQUET_DIGITS = 76 }; /* bytes; digits of a decimal */

/* Are the values of the column bytes that stand for themselves, or what is printed? */
bool pd_parquet_is_printed(const struct pd_parquet_leaf *leaf);

/* Are the printed values numbers of JSON, or truth values? Infinity is none, though. */
bool pd_parquet_is_number(const struct pd_parquet_leaf *leaf);

/*
 * Print the value v[0, n) into `to`, where v may lie, too. Python prints what pyarrow reads in this
 * way: numbers, 1975-03-01, 10:20:30, 1975-03-01 10:20:30.500000+00:00, 1.250, a UUID. An interval
 * is P1M2DT3.004S. A truth value is 0 or 1 in a byte and becomes false or true. A real number gets
 * the fewest digits from which it can be read again. Returns the bytes written; 0: v is damaged.
 */
size_t pd_parquet_print(char to[PD_PARQUET_PRINTED], const struct pd_parquet_leaf *leaf,
                        const void *v, size_t n);

#endif

/* corpus/parquet_number.h - a number in a Parquet file as JSON would have it. */
#ifndef PARDUP_CORPUS_PARQUET_NUMBER_H
#define PARDUP_CORPUS_PARQUET_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Write the number at `v` into to[0, room), room >= 32, where `v` may lie, too. A truth value is 0
 * or 1 in a byte and becomes false or true. Other numbers are stored with their lowest byte first.
 * A double gets the fewest digits from which it can be read again.
 *   type  enum pd_parquet_type: BOOLEAN, INT32, INT64, FLOAT or DOUBLE
 * Returns the bytes written.
 */
size_t pd_parquet_number(char *to, size_t room, int type, bool is_unsigned, const void *v);

#endif

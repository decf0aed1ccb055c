/*
 * passage/folded.h - the rows of one pair, packed: a fifth of their bytes.
 *
 * Finished passages lie on disk until all are there. Numbers are differences to what stands before
 * them or beside them in the other document; the pair stands once.
 */
#ifndef PARDUP_PASSAGE_FOLDED_H
#define PARDUP_PASSAGE_FOLDED_H

#include "pardup/base/bytes.h"
#include "pardup/base/fan.h"
#include "pardup/base/row.h"

/* Bytes that n rows of a pair take, at most. */
#define PD_FOLDED_MOST(n) (5 * PD_VARINT_MOST + (n) * (9 * PD_VARINT_MOST + sizeof(double)))

/* Append the `n` > 0 rows of one pair, in any order. */
void pd_rows_fold(const struct pd_row *rows, size_t n, struct pd_bytes *to);

/* How many rows. */
uint64_t pd_rows_folded(const unsigned char *from);

/* Append the rows of the next pair. Returns the bytes they took. */
size_t pd_rows_unfold(const unsigned char *from, struct pd_rows *rows);

#endif

/*
 * passage/folded.h - the rows of one document pair, folded to about a fifth of their bytes.
 *
 * Finished rows wait on disk until all rows of the job are complete. In a folded pair the document
 * numbers and the numbers of own words are written once. The starts of a row are written as
 * differences from the starts of the row before, and the length in b as its difference from the
 * length in a. A begin in bytes is written as its difference from the end in the row before, and an
 * end as its difference from the begin. A similarity or an agreement of 1 is one bit; with an
 * agreement of 1 both documents have the same number of words.
 */
#ifndef PARDUP_PASSAGE_FOLDED_H
#define PARDUP_PASSAGE_FOLDED_H

#include "pardup/base/bytes.h"
#include "pardup/base/fan.h"
#include "pardup/base/row.h"

/* The most bytes that n rows of one pair take when folded. */
#define PD_FOLDED_MOST(n) (5 * PD_VARINT_MOST + (n) * (15 * PD_VARINT_MOST + 2 * sizeof(double)))

/* Append the folded `n` > 0 rows of one pair to `to`. The rows may be in any order and keep it. */
void pd_rows_fold(const struct pd_row *rows, size_t n, struct pd_bytes *to);

/* The number of rows of the folded pair at `from`. */
uint64_t pd_rows_folded(const unsigned char *from);

/* Unfold the pair at `from` and append its rows to `rows`. Returns the bytes it takes folded. */
size_t pd_rows_unfold(const unsigned char *from, struct pd_rows *rows);

#endif

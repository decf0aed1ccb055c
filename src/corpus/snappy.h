/*
 * corpus/snappy.h - the raw format of Snappy, as pages of Parquet files have it.
 *
 * Source: Google, "Snappy compressed format description", 2011.
 */
#ifndef PARDUP_CORPUS_SNAPPY_H
#define PARDUP_CORPUS_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>

/* Most decoded bytes for a stored one: a copy takes 3 bytes and makes 64. */
#define PD_SNAPPY_RATIO 22

/*
 * Decode s[0, n) into out[0, room). Returns true when it decodes to exactly `room` bytes. Otherwise
 * it is corrupt, and what `out` holds is undefined.
 */
bool pd_unsnap(const unsigned char *s, size_t n, unsigned char *out, size_t room);

#endif

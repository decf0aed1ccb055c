/*
 * store/deltas.h - deltas: records of u64s, each stored as its difference from the record before.
 *
 * Each u64 of a record is combined by exclusive or with the same u64 of the record before. The
 * result is stored without its leading zero bytes, and half a byte says how many bytes are left.
 * Sorted records become about as short as zstd makes them, at several times its speed and without
 * memory of its own.
 */
#ifndef PARDUP_STORE_DELTAS_H
#define PARDUP_STORE_DELTAS_H

#include <stddef.h>

/* Bytes of slack: this much behind the packed bytes may be read and written. */
#define PD_DELTAS_SLACK ((size_t)8)

/*
 * Pack whole records, n bytes at v, into at most `most` bytes at `to`, which has room for the slack
 * besides.
 *   size   bytes of a record, a multiple of 8; 0: each record begins with its size, a uint32_t
 * Returns the packed bytes, or 0 if they would be more than `most`.
 */
size_t pd_deltas_pack(void *to, size_t most, const void *v, size_t n, size_t size);

/*
 * Unpack to n bytes at `to` what was packed into the `packed` bytes at v, which are followed by the
 * slack. `size` as in pd_deltas_pack(). Returns 0 if the packed bytes are damaged, else 1.
 */
int pd_deltas_unpack(void *to, size_t n, const void *v, size_t packed, size_t size);

#endif

/*
 * store/deltas.h - records of 64-bit words, in order, as their differences.
 *
 * Each word as the bytes in which it differs from that word of the record before, without leading
 * zeros: half a byte tells how many. Sorted records become about as short as zstd makes them, at
 * several times its speed and without memory.
 */
#ifndef PARDUP_STORE_DELTAS_H
#define PARDUP_STORE_DELTAS_H

#include <stddef.h>

#define PD_WORDS_SLACK ((size_t)8) /* bytes behind what is packed, which may be read and written */

/*
 * Pack the n bytes of whole records at v to at most `most` bytes, and slack. `size`: bytes of a
 * record; 0: each begins with its own, a uint32_t; a multiple of 8. Returns their number; 0: they
 * do not become that short.
 */
size_t pd_deltas_pack(void *to, size_t most, const void *v, size_t n, size_t size);

/* The n bytes that were packed to `packed` bytes (and slack) at v. Returns 0 if they do not make sense. */
int pd_deltas_unpack(void *to, size_t n, const void *v, size_t packed, size_t size);

#endif

/* base/sort.h - sorting records that are a few 64-bit words, in place. */
#ifndef PARDUP_BASE_SORT_H
#define PARDUP_BASE_SORT_H

#include <stddef.h>

#define PD_SORT_MOST_WORDS 9

/*
 * Sort `n` records of `words` 64-bit words each (1 .. PD_SORT_MOST_WORDS) by their first `keys`
 * words, most significant first, unsigned. Not stable: make the key complete. In place, O(n) for
 * hashed keys: most-significant-byte radix passes that skip the bytes all records share, then
 * insertion sort in small buckets (McIlroy, Bostic, McIlroy, "Engineering Radix Sort", 1993).
 */
void pd_sort_records(void *recs, size_t n, unsigned words, unsigned keys);

#endif

/* base/sort.h - sorting records that are a few 64-bit words. */
#ifndef PARDUP_BASE_SORT_H
#define PARDUP_BASE_SORT_H

#include <stddef.h>

#define PD_SORT_MOST_U64S 9
#define PD_SORT_SCRATCH   ((size_t)512 << 10) /* bytes: with what is sorted they fit L2 */

/*
 * Sort `n` records of `words` 64-bit words each (1 .. PD_SORT_MOST_U64S) by their first `keys`
 * words, most significant first, unsigned. Not stable: make the key complete. O(n) for hashed keys:
 * radix passes from the first bit in which records differ, then insertion sort where few are left
 * (McIlroy, Bostic, McIlroy, "Engineering Radix Sort", 1993). In place while there are many; as
 * many as fit in PD_SORT_SCRATCH go to and fro between there and their place. The process keeps as
 * much of it as was needed: not for two threads at a time.
 */
void pd_sort_records(void *recs, size_t n, unsigned words, unsigned keys);

#endif

/* base/sort.h - sort records of a few u64s. */
#ifndef PARDUP_BASE_SORT_H
#define PARDUP_BASE_SORT_H

#include <stddef.h>

#define PD_SORT_MOST_U64S 13                  /* largest record, u64s */
#define PD_SORT_SCRATCH   ((size_t)512 << 10) /* bytes: the scratch and its records fit into L2 */

/*
 * Sort `n` records of `width` u64s each, 1 to PD_SORT_MOST_U64S, by their first `keys` u64s, the
 * first u64 first, unsigned. Not stable: records with equal keys come in any order.
 *
 * Cost: O(n) for keys that are hashes. Many records are partitioned in place; records that fit into
 * PD_SORT_SCRATCH bytes are copied there and back. The scratch is static and stays with the
 * process, so two threads must not sort at the same time.
 * Source: McIlroy, Bostic, McIlroy, "Engineering Radix Sort", Computing Systems 1993. Radix passes
 * start at the first bit in which records differ; insertion sort finishes where few are left.
 */
void pd_sort_records(void *recs, size_t n, unsigned width, unsigned keys);

#endif

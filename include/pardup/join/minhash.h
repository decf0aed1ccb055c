/*
 * join/minhash.h - min-wise hashing: an alternative to bit sampling for choosing LSH buckets.
 *
 * Under a random order, two sets have the same least member with a probability equal to their
 * Jaccard similarity (Broder, "On the resemblance and containment of documents", 1997). The least
 * members under `rows` orders together make the bucket of one table.
 * Deviation from qSign-lsh: the method qsign-lsh has `--sketch minhash`; the paper samples bits of
 * superimposed signatures (`--sketch bits`). With 16 to 48 bits, frequent words set most bits, so
 * unrelated sentences share buckets. Least members do not saturate.
 */
#ifndef PARDUP_JOIN_MINHASH_H
#define PARDUP_JOIN_MINHASH_H

#include <stddef.h>
#include <stdint.h>

/*
 * The bucket of a set in a table. Each table has orders of its own.
 *   keys   n >= 1 keys, in any order
 *   table  the number of the table, from 0
 *   rows   orders (least members) that make a bucket, >= 1
 * Cost: O(n rows).
 */
uint64_t pd_minhash_bucket(const uint64_t *keys, size_t n, uint32_t table, uint32_t rows);

#endif

/*
 * join/minhash.h - tables of min-wise hashing, beside those of bit sampling.
 *
 * Two sets have the same least member under a random order with probability Jaccard (Broder, "On
 * the resemblance and containment of documents", 1997); `rows` orders together make one table's
 * bucket. Ours: superimposed signatures of 16 to 48 bits are filled by frequent words, so that
 * unrelated sentences share buckets; least members do not saturate, and unrelated sets part.
 */
#ifndef PARDUP_JOIN_MINHASH_H
#define PARDUP_JOIN_MINHASH_H

#include <stddef.h>
#include <stdint.h>

/* The bucket of a set of n >= 1 keys in table `table`. O(n rows). */
uint64_t pd_minhash_bucket(const uint64_t *keys, size_t n, uint32_t table, uint32_t rows);

#endif

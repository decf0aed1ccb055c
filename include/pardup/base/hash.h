/* base/hash.h - hashes of u64s and of bytes. */
#ifndef PARDUP_BASE_HASH_H
#define PARDUP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/*
 * A bijection of the u64s in which every input bit changes every output bit with about even odds.
 * Source: the finaliser of splitmix64; Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014.
 */
static inline uint64_t pd_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/*
 * The partition in [0, npartitions) that a hash falls into. The high bits decide, so partitions
 * ascend with the hash; no division is needed.
 */
static inline int pd_hash_range(uint64_t hash, int npartitions)
{
    return (int)((unsigned __int128)hash * (unsigned)npartitions >> 64);
}

/*
 * The k-th draw from a start, which is any hash of a seed: a number in [0, n), each about as
 * likely. Consecutive draws are made from distant numbers, 2^64 / golden ratio apart.
 */
static inline uint64_t pd_draw(uint64_t start, uint64_t k, uint64_t n)
{
    return (uint64_t)((unsigned __int128)pd_mix(start + k * 0x9E3779B97F4A7C15u) * n >> 64);
}

/* The 64-bit XXH3 of n bytes. */
uint64_t pd_hash_bytes(const void *bytes, size_t n);

#endif

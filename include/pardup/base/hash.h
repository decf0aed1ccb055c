/* base/hash.h - mixing 64-bit words. Strings are hashed with XXH3 where they are read. */
#ifndef PARDUP_BASE_HASH_H
#define PARDUP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* A bijection in which every input bit moves every output bit (splitmix64's finaliser, Steele,
 * Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014). */
static inline uint64_t pd_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* The part of [0, npartitions) that a hash falls into: high bits decide, no division. */
static inline int pd_hash_range(uint64_t hash, int npartitions)
{
    return (int)((unsigned __int128)hash * (unsigned)npartitions >> 64);
}

uint64_t pd_hash_bytes(const void *bytes, size_t n); /* XXH3, 64 bits */

#endif

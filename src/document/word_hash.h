/*
 * word_hash.h - XXH3 (64-bit, no seed) of a short string that is in registers.
 *
 * Private to document/. The same values as XXH3_64bits(), which reads the bytes back from memory
 * just written and tells three kinds of lengths apart: words are too short for that to pay.
 * Source: Y. Collet, "xxHash fast digest algorithm", specification of XXH3, inputs of 1 to 16 bytes.
 */
#ifndef PARDUP_DOCUMENT_WORD_HASH_H
#define PARDUP_DOCUMENT_WORD_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { PD_SHORT_WORD = 16 }; /* bytes */

/* The specification's primes, and words of its secret combined as it does for each length. */
#define PD_XXH_PRIME64_2 0xC2B2AE3D27D4EB4Fu
#define PD_XXH_PRIME64_3 0x165667B19E3779F9u
#define PD_XXH_PRIME_MX1 0x165667919E3779F9u
#define PD_XXH_PRIME_MX2 0x9FB21C651E98DF25u
#define PD_XXH_FLIP_1_3  0x87275A9Bu
#define PD_XXH_FLIP_4_8  0xC73AB174C5ECD5A2u
#define PD_XXH_FLIP_LOW  0x6782737BEA4239B9u
#define PD_XXH_FLIP_HIGH 0xAF56BC3B0996523Au

static inline uint64_t pd_rotate_left(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

static inline uint64_t pd_hash_1_3(uint64_t low, size_t n)
{
    const uint64_t first = low & 0xFF, middle = low >> 8 * (n / 2) & 0xFF;
    const uint64_t last = low >> 8 * (n - 1) & 0xFF;
    uint64_t h = (first << 16 | middle << 24 | last | n << 8) ^ PD_XXH_FLIP_1_3;
    h = (h ^ h >> 33) * PD_XXH_PRIME64_2;
    h = (h ^ h >> 29) * PD_XXH_PRIME64_3;
    return h ^ h >> 32;
}

static inline uint64_t pd_hash_4_8(uint64_t low, size_t n)
{
    const uint64_t last = low >> 8 * (n - 4) & UINT32_MAX;
    uint64_t h = (last + (low << 32)) ^ PD_XXH_FLIP_4_8;
    h = (h ^ pd_rotate_left(h, 49) ^ pd_rotate_left(h, 24)) * PD_XXH_PRIME_MX2;
    h = (h ^ ((h >> 35) + n)) * PD_XXH_PRIME_MX2;
    return h ^ h >> 28;
}

static inline uint64_t pd_hash_9_16(uint64_t low, uint64_t high, size_t n)
{
    const unsigned __int128 both = (unsigned __int128)high << 64 | low;
    const uint64_t a = low ^ PD_XXH_FLIP_LOW;
    const uint64_t b = (uint64_t)(both >> 8 * (n - 8)) ^ PD_XXH_FLIP_HIGH;
    const unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t h = n + __builtin_bswap64(a) + b + ((uint64_t)product ^ (uint64_t)(product >> 64));
    h = (h ^ h >> 37) * PD_XXH_PRIME_MX1;
    return h ^ h >> 32;
}

/* `low` and `high` hold the string's 1 to 16 bytes in little-endian order; what is behind counts not. */
static inline uint64_t pd_hash_short(uint64_t low, uint64_t high, size_t n)
{
    if (n > 8)
        return pd_hash_9_16(low, high, n);
    return n > 3 ? pd_hash_4_8(low, n) : pd_hash_1_3(low, n);
}

#endif

/*
 * word_hash.h - XXH3 (64-bit, no seed) of a short string, one function for each kind of length.
 *
 * Private to document/. The values equal XXH3_64bits(), which branches on the length. The lengths
 * of words are irregular, so a processor cannot predict the branches. Therefore word.c first sorts
 * words by length and then calls the function for each kind of length.
 * Source: Y. Collet, "xxHash fast digest algorithm", specification of XXH3, inputs of 1 to 16
 * bytes.
 */
#ifndef PARDUP_DOCUMENT_WORD_HASH_H
#define PARDUP_DOCUMENT_WORD_HASH_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The specification's primes, and u64s of its secret as it combines them for each length. */
#define PD_XXH_PRIME64_2 0xC2B2AE3D27D4EB4Fu
#define PD_XXH_PRIME64_3 0x165667B19E3779F9u
#define PD_XXH_PRIME_MX1 0x165667919E3779F9u
#define PD_XXH_PRIME_MX2 0x9FB21C651E98DF25u
#define PD_XXH_FLIP_1_3  0x87275A9Bu
#define PD_XXH_FLIP_4_8  0xC73AB174C5ECD5A2u
#define PD_XXH_FLIP_LOW  0x6782737BEA4239B9u
#define PD_XXH_FLIP_HIGH 0xAF56BC3B0996523Au

static inline uint64_t pd_rotate_left(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

/* Four or eight bytes, little-endian. */
static inline uint64_t pd_load4(const unsigned char *s)
{
    uint32_t x;
    memcpy(&x, s, sizeof x);
    return le32toh(x);
}

static inline uint64_t pd_load8(const unsigned char *s)
{
    uint64_t x;
    memcpy(&x, s, sizeof x);
    return le64toh(x);
}

/* The hash of n bytes, for n = 1 to 3, n = 4 to 8 and n = 9 to 16. */
static inline uint64_t pd_hash_1_3(const unsigned char *s, size_t n)
{
    const uint64_t first = s[0], middle = s[n / 2], last = s[n - 1];
    uint64_t h = (first << 16 | middle << 24 | last | n << 8) ^ PD_XXH_FLIP_1_3;
    h = (h ^ h >> 33) * PD_XXH_PRIME64_2;
    h = (h ^ h >> 29) * PD_XXH_PRIME64_3;
    return h ^ h >> 32;
}

static inline uint64_t pd_hash_4_8(const unsigned char *s, size_t n)
{
    uint64_t h = (pd_load4(s + n - 4) + (pd_load4(s) << 32)) ^ PD_XXH_FLIP_4_8;
    h = (h ^ pd_rotate_left(h, 49) ^ pd_rotate_left(h, 24)) * PD_XXH_PRIME_MX2;
    h = (h ^ ((h >> 35) + n)) * PD_XXH_PRIME_MX2;
    return h ^ h >> 28;
}

static inline uint64_t pd_hash_9_16(const unsigned char *s, size_t n)
{
    const uint64_t a = pd_load8(s) ^ PD_XXH_FLIP_LOW, b = pd_load8(s + n - 8) ^ PD_XXH_FLIP_HIGH;
    const unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t h = n + __builtin_bswap64(a) + b + ((uint64_t)product ^ (uint64_t)(product >> 64));
    h = (h ^ h >> 37) * PD_XXH_PRIME_MX1;
    return h ^ h >> 32;
}

#endif

/*
 * base/search.h - binary search in sorted records.
 *
 * A record has a u64 as its key, at the same offset in each record; keys ascend and may repeat.
 * pd_search_first_u32() takes a u32. For an array of u64s the stride is 8 and the offset is 0. With
 * a constant stride and offset the functions are as fast as a search written out by hand.
 */
#ifndef PARDUP_BASE_SEARCH_H
#define PARDUP_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Move `lo` and `hi` to the first number of [lo, hi) for which `before` is false, or to hi: it is
 * true for the numbers before and false for all behind. `mid` is the name that `before` has for the
 * number.
 */
#define PD_BISECT(lo, hi, mid, before)                                                             \
    do {                                                                                           \
        while ((lo) < (hi)) {                                                                      \
            const size_t mid = (lo) + ((hi) - (lo)) / 2;                                           \
            if (before)                                                                            \
                (lo) = mid + 1;                                                                    \
            else                                                                                   \
                (hi) = mid;                                                                        \
        }                                                                                          \
    } while (0)

/* The key of record k. */
static inline uint64_t pd_search_key(const void *recs, size_t k, size_t stride, size_t offset)
{
    uint64_t key;
    memcpy(&key, (const unsigned char *)recs + k * stride + offset, sizeof key);
    return key;
}

/*
 * The index of the first record whose key is not below `key`; n if all keys are below it.
 *   n        records; recs may be NULL if it is 0
 *   stride   bytes from a record to the next one
 *   offset   bytes from the start of a record to its key
 */
static inline size_t pd_search_first(const void *recs, size_t n, size_t stride, size_t offset,
                                     uint64_t key)
{
    size_t lo = 0, hi = n;
    PD_BISECT(lo, hi, mid, pd_search_key(recs, mid, stride, offset) < key);
    return lo;
}

/*
 * pd_search_first() where keys are u32s. What is searched for may be one above the highest u32: the
 * first record whose key is above x is the first whose key is not below x + 1.
 */
static inline size_t pd_search_first_u32(const void *recs, size_t n, size_t stride, size_t offset,
                                         uint64_t key)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        uint32_t found;
        memcpy(&found, (const unsigned char *)recs + mid * stride + offset, sizeof found);
        if (found < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*
 * The index of the last record whose key is not above `key`; 0 if all keys are above it or n is 0.
 * The parameters are as for pd_search_first().
 */
static inline size_t pd_search_last(const void *recs, size_t n, size_t stride, size_t offset,
                                    uint64_t key)
{
    size_t lo = 0, hi = n;
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        if (pd_search_key(recs, mid, stride, offset) <= key)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* True: n ascending u64s contain `key`. */
static inline bool pd_search_has(const uint64_t *v, size_t n, uint64_t key)
{
    const size_t k = pd_search_first(v, n, sizeof *v, 0, key);
    return k < n && v[k] == key;
}

#endif

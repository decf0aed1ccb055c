/* base/sort.c - see include/pardup/base/sort.h */
#include "pardup/base/sort.h"

#include <stdint.h>
#include <string.h>

#include "pardup/base/error.h"

enum {
    SMALL = 24,        /* most records for which insertion sort is faster than a radix pass */
    MOST_BITS = 12,    /* bits of the longest digit with scratch: its counters fit into L1 */
    BITS_IN_PLACE = 8, /* bits of a digit in place: it writes to 2^8 places in turn */
    AHEAD = 4          /* how many records ahead a record is prefetched */
};

/* Static, not allocated: pages that no call needs are never touched. */
static _Alignas(64) uint64_t scratch[PD_SORT_SCRATCH / sizeof(uint64_t)];

/*
 * The functions below are compiled once for every record size, so that a record moves as a few
 * plain loads and stores. With a size known only at run time, sorting took three times as long.
 */
#define FOR_EACH_SIZE static inline __attribute__((always_inline))

/* The part of a key that still decides the order: u64s [first, end) of a record. */
struct rest {
    unsigned first, end;
};

/* Bits [shift, shift + bits) of u64 `index` of a record. Higher bits are equal in all records. */
struct digit {
    unsigned index, shift, bits;
};

FOR_EACH_SIZE int less(const uint64_t *x, const uint64_t *y, struct rest key)
{
    for (unsigned k = key.first; k < key.end; k++)
        if (x[k] != y[k])
            return x[k] < y[k];
    return 0;
}

FOR_EACH_SIZE size_t value(const uint64_t *rec, struct digit d)
{
    return rec[d.index] >> d.shift & (((size_t)1 << d.bits) - 1);
}

/* Sort the n records at v into `to`, which may be v. */
FOR_EACH_SIZE void insertion_sort(const uint64_t *v, uint64_t *to, size_t n, unsigned width,
                                  struct rest key)
{
    const size_t bytes = width * sizeof *v;
    uint64_t hold[PD_SORT_MOST_U64S];
    for (size_t k = 0; k < n; k++) {
        size_t at = k;
        memcpy(hold, v + k * width, bytes);
        for (; at > 0 && less(hold, to + (at - 1) * width, key); at--)
            memcpy(to + at * width, to + (at - 1) * width, bytes);
        memcpy(to + at * width, hold, bytes);
    }
}

/*
 * True: the records are in order. Often they are, at least by the rest of a key. When they are not,
 * the first few records mostly show it, so the check is cheap.
 */
FOR_EACH_SIZE int ascending(const uint64_t *v, size_t n, unsigned width, struct rest key)
{
    size_t k = 1;
    while (k < n && !less(v + k * width, v + (k - 1) * width, key))
        k++;
    return k == n;
}

/*
 * Find the digit of at most `bits` bits that begins with the first bit in which the records differ.
 * Returns 0 when all keys are equal.
 */
FOR_EACH_SIZE int find_digit(const uint64_t *v, size_t n, unsigned width, struct rest key,
                             unsigned bits, struct digit *d)
{
    for (unsigned w = key.first; w < key.end; w++) {
        uint64_t diff = 0;
        for (size_t k = 1; k < n; k++)
            diff |= v[k * width + w] ^ v[w];
        if (diff) {
            const unsigned differ = 64 - (unsigned)__builtin_clzll(diff);
            d->index = w;
            d->shift = differ > bits ? differ - bits : 0;
            d->bits = differ - d->shift;
            return 1;
        }
    }
    return 0;
}

/* Copy the records of v to `to` in order of a digit. Returns the count of its commonest value. */
FOR_EACH_SIZE size_t scatter(const uint64_t *v, uint64_t *to, size_t n, unsigned width,
                             struct digit d)
{
    const size_t values = (size_t)1 << d.bits;
    uint32_t next[1 << MOST_BITS], sum = 0, commonest = 0;
    memset(next, 0, values * sizeof *next);
    for (size_t k = 0; k < n; k++)
        next[value(v + k * width, d)]++;
    for (size_t b = 0; b < values; b++) {
        const uint32_t count = next[b];
        next[b] = sum;
        sum += count;
        commonest = count > commonest ? count : commonest;
    }
    for (size_t k = 0; k < n; k++)
        memcpy(to + (size_t)next[value(v + k * width, d)]++ * width, v + k * width,
               width * sizeof *v);
    return commonest;
}

/* Order the records by a digit in place. end[b] becomes the end of the records with value b. */
FOR_EACH_SIZE void permute(uint64_t *v, size_t n, unsigned width, struct digit d, size_t *end)
{
    enum { VALUES = 1 << BITS_IN_PLACE };
    const size_t bytes = width * sizeof *v;
    size_t next[VALUES], count[VALUES] = {0}, sum = 0;
    for (size_t k = 0; k < n; k++)
        count[value(v + k * width, d)]++;
    for (unsigned b = 0; b < VALUES; b++) {
        next[b] = sum;
        sum += count[b];
        end[b] = sum;
    }
    for (unsigned b = 0; b < VALUES; b++)
        while (next[b] < end[b]) { /* follow the cycle that starts here until it closes */
            uint64_t hold[PD_SORT_MOST_U64S], swap[PD_SORT_MOST_U64S];
            uint64_t *hole = v + next[b] * width;
            memcpy(hold, hole, bytes);
            for (size_t to; (to = value(hold, d)) != b;) {
                uint64_t *home = v + next[to]++ * width;
                __builtin_prefetch(home + AHEAD * width, 1);
                memcpy(swap, home, bytes);
                memcpy(home, hold, bytes);
                memcpy(hold, swap, bytes);
            }
            memcpy(hole, hold, bytes);
            next[b]++;
        }
}

/* Bits of a digit for n records: more values than records, so that few records share a value. */
static unsigned bits_for(size_t n)
{
    const unsigned bits = 64 - (unsigned)__builtin_clzll(n);
    return bits < MOST_BITS ? bits : MOST_BITS;
}

/*
 * Per record size: scatter_N() is scatter() as a function of its own. with_scratch_N() sorts the n
 * records at v; `other` has room for n records and is overwritten, and receives the result if
 * into_other. sort_N() sorts records in place until they fit into the scratch.
 *
 * with_scratch_N() recurses only into values with more than SMALL records. Consecutive values with
 * fewer records share one insertion sort: it moves no record past a record of another value.
 */
#define SORT_OF(width)                                                                             \
    /* not inlined: its counters would take stack at every level of recursion */                   \
    static __attribute__((noinline))                                                               \
    size_t scatter_##width(const uint64_t *v, uint64_t *to, size_t n, struct digit d)              \
    {                                                                                              \
        return scatter(v, to, n, width, d);                                                        \
    }                                                                                              \
    static void with_scratch_##width(uint64_t *v, uint64_t *other, size_t n, struct rest key,      \
                                     int into_other)                                               \
    {                                                                                              \
        uint64_t *to = into_other ? other : v;                                                     \
        struct digit d;                                                                            \
        size_t done = 0, k = 0;                                                                    \
        if (n > SMALL && ascending(v, n, width, key)) {                                            \
            if (into_other)                                                                        \
                memcpy(other, v, n *(width) * sizeof *v);                                          \
            return;                                                                                \
        }                                                                                          \
        if (n <= SMALL || !find_digit(v, n, width, key, bits_for(n), &d)) {                        \
            insertion_sort(v, to, n, width, key);                                                  \
            return;                                                                                \
        }                                                                                          \
        key.first = d.index;                                                                       \
        const size_t commonest = scatter_##width(v, other, n, d);                                  \
        while (commonest > SMALL && k + SMALL < n) {                                               \
            const size_t b = value(other + k * width, d);                                          \
            if (value(other + (k + SMALL) * width, d) != b) {                                      \
                k++;                                                                               \
                continue;                                                                          \
            }                                                                                      \
            size_t end = k + SMALL + 1; /* more than SMALL records of one value begin at k */      \
            while (end < n && value(other + end * width, d) == b)                                  \
                end++;                                                                             \
            insertion_sort(other + done * width, to + done * width, k - done, width, key);         \
            with_scratch_##width(other + k * width, v + k * width, end - k, key, !into_other);     \
            k = done = end;                                                                        \
        }                                                                                          \
        insertion_sort(other + done * width, to + done * width, n - done, width, key);             \
    }                                                                                              \
    static void sort_##width(uint64_t *v, size_t n, struct rest key)                               \
    {                                                                                              \
        struct digit d;                                                                            \
        size_t end[1 << BITS_IN_PLACE], from = 0;                                                  \
        if (n <= sizeof scratch / ((width) * sizeof *v)) {                                         \
            with_scratch_##width(v, scratch, n, key, 0);                                           \
            return;                                                                                \
        }                                                                                          \
        if (!find_digit(v, n, width, key, BITS_IN_PLACE, &d))                                      \
            return;                                                                                \
        key.first = d.index;                                                                       \
        permute(v, n, width, d, end);                                                              \
        for (unsigned b = 0; b < 1 << BITS_IN_PLACE; from = end[b++])                              \
            if (end[b] - from > 1)                                                                 \
                sort_##width(v + from * width, end[b] - from, key);                                \
    }
SORT_OF(1)
SORT_OF(2)
SORT_OF(3)
SORT_OF(4)
SORT_OF(5)
SORT_OF(6)
SORT_OF(7)
SORT_OF(8)
SORT_OF(9)
SORT_OF(10)
SORT_OF(11)
SORT_OF(12)
SORT_OF(13)

void pd_sort_records(void *recs, size_t n, unsigned width, unsigned keys)
{
    static void (*const sorts[])(uint64_t *, size_t, struct rest) = {
        sort_1, sort_2, sort_3,  sort_4,  sort_5,  sort_6, sort_7,
        sort_8, sort_9, sort_10, sort_11, sort_12, sort_13};
    _Static_assert(sizeof sorts / sizeof *sorts == PD_SORT_MOST_U64S, "a size is missing");
    PD_CHECK(width >= 1 && width <= PD_SORT_MOST_U64S && keys >= 1 && keys <= width);
    sorts[width - 1](recs, n, (struct rest){0, keys});
}

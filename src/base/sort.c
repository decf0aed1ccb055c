/* base/sort.c - see include/pardup/base/sort.h */
#include "pardup/base/sort.h"

#include <stdint.h>
#include <string.h>

#include "pardup/base/error.h"

enum { SMALL = 24, RADIX = 256 }; /* below SMALL records insertion sort wins */

/*
 * The helpers are compiled once for every record size, so that a record moves as a few plain loads
 * and stores: with a size known only at run time sorting took three times as long.
 */
#define FOR_EACH_SIZE static inline __attribute__((always_inline))

FOR_EACH_SIZE int less(const uint64_t *x, const uint64_t *y, unsigned keys)
{
    for (unsigned k = 0; k < keys; k++)
        if (x[k] != y[k])
            return x[k] < y[k];
    return 0;
}

FOR_EACH_SIZE void insertion_sort(uint64_t *v, size_t n, unsigned words, unsigned keys)
{
    const size_t bytes = words * sizeof *v;
    uint64_t hold[PD_SORT_MOST_WORDS];
    for (size_t k = 1; k < n; k++) {
        size_t at = k;
        if (!less(v + k * words, v + (k - 1) * words, keys))
            continue;
        memcpy(hold, v + k * words, bytes);
        do {
            memcpy(v + at * words, v + (at - 1) * words, bytes);
            at--;
        } while (at > 0 && less(hold, v + (at - 1) * words, keys));
        memcpy(v + at * words, hold, bytes);
    }
}

/* The most significant byte in which the records differ: its word and shift; 0 when none does. */
FOR_EACH_SIZE int first_difference(const uint64_t *v, size_t n, unsigned words, unsigned keys,
                                   unsigned *word, unsigned *shift)
{
    for (unsigned w = 0; w < keys; w++) {
        uint64_t diff = 0;
        for (size_t k = 1; k < n; k++)
            diff |= v[k * words + w] ^ v[w];
        if (diff) {
            *word = w;
            *shift = (unsigned)(63 - __builtin_clzll(diff)) / 8 * 8;
            return 1;
        }
    }
    return 0;
}

/* Permute the records into the order of one byte; end[b] becomes the end of bucket b. */
FOR_EACH_SIZE void distribute(uint64_t *v, size_t n, unsigned words, unsigned word, unsigned shift,
                              size_t *end)
{
    const size_t bytes = words * sizeof *v;
    size_t next[RADIX], count[RADIX] = {0}, sum = 0;
    for (size_t k = 0; k < n; k++)
        count[v[k * words + word] >> shift & (RADIX - 1)]++;
    for (unsigned b = 0; b < RADIX; b++) {
        next[b] = sum;
        sum += count[b];
        end[b] = sum;
    }
    for (unsigned b = 0; b < RADIX; b++)
        while (next[b] < end[b]) { /* follow the cycle that starts here until it closes */
            uint64_t hold[PD_SORT_MOST_WORDS], swap[PD_SORT_MOST_WORDS];
            uint64_t *hole = v + next[b] * words;
            memcpy(hold, hole, bytes);
            for (unsigned to; (to = hold[word] >> shift & (RADIX - 1)) != b;) {
                uint64_t *home = v + next[to]++ * words;
                memcpy(swap, home, bytes);
                memcpy(home, hold, bytes);
                memcpy(hold, swap, bytes);
            }
            memcpy(hole, hold, bytes);
            next[b]++;
        }
}

#define SORT_OF(words)                                                                             \
    static void sort_##words(uint64_t *v, size_t n, unsigned keys)                                 \
    {                                                                                              \
        unsigned word, shift;                                                                      \
        size_t end[RADIX], from = 0;                                                               \
        if (n <= SMALL) {                                                                          \
            insertion_sort(v, n, words, keys);                                                     \
            return;                                                                                \
        }                                                                                          \
        if (!first_difference(v, n, words, keys, &word, &shift))                                   \
            return;                                                                                \
        distribute(v, n, words, word, shift, end);                                                 \
        for (unsigned b = 0; b < RADIX; from = end[b++])                                           \
            if (end[b] - from > 1)                                                                 \
                sort_##words(v + from * words, end[b] - from, keys);                               \
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

void pd_sort_records(void *recs, size_t n, unsigned words, unsigned keys)
{
    static void (*const sorts[])(uint64_t *, size_t, unsigned) = {
        sort_1, sort_2, sort_3, sort_4, sort_5, sort_6, sort_7, sort_8, sort_9};
    _Static_assert(sizeof sorts / sizeof *sorts == PD_SORT_MOST_WORDS, "a size is missing");
    PD_CHECK(words >= 1 && words <= PD_SORT_MOST_WORDS && keys >= 1 && keys <= words);
    sorts[words - 1](recs, n, keys);
}

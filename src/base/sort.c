/* base/sort.c - see include/pardup/base/sort.h */
#include "pardup/base/sort.h"

#include <stdint.h>
#include <string.h>

#include "pardup/base/error.h"

enum { SMALL = 24, RADIX = 256 }; /* below SMALL records insertion sort wins */

static int less(const uint64_t *x, const uint64_t *y, unsigned keys)
{
    for (unsigned k = 0; k < keys; k++)
        if (x[k] != y[k])
            return x[k] < y[k];
    return 0;
}

static void insertion_sort(uint64_t *v, size_t n, unsigned words, unsigned keys)
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
static int first_difference(const uint64_t *v, size_t n, unsigned words, unsigned keys,
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
static void distribute(uint64_t *v, size_t n, unsigned words, unsigned word, unsigned shift,
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

static void sort(uint64_t *v, size_t n, unsigned words, unsigned keys)
{
    unsigned word, shift;
    size_t end[RADIX], from = 0;
    if (n <= SMALL) {
        insertion_sort(v, n, words, keys);
        return;
    }
    if (!first_difference(v, n, words, keys, &word, &shift))
        return;
    distribute(v, n, words, word, shift, end);
    for (unsigned b = 0; b < RADIX; from = end[b++])
        if (end[b] - from > 1)
            sort(v + from * words, end[b] - from, words, keys);
}

void pd_sort_records(void *recs, size_t n, unsigned words, unsigned keys)
{
    PD_CHECK(words >= 1 && words <= PD_SORT_MOST_WORDS && keys >= 1 && keys <= words);
    sort(recs, n, words, keys);
}

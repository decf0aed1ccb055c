/*
 * corpus/parquet/parquet_values.h - streams of numbers in the pages of Parquet files, one after the
 * other.
 *
 * Source: Apache Parquet, Encodings.md of parquet-format 2.11: "Run Length Encoding / Bit-Packing
 * Hybrid" (RLE = 3) and "Delta Encoding" (DELTA_BINARY_PACKED = 5).
 *
 * Nothing is allocated: a few bytes can stand for any number of values, which come as they are
 * asked for.
 */
#ifndef PARDUP_CORPUS_PARQUET_VALUES_H
#define PARDUP_CORPUS_PARQUET_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs of equal numbers, and of numbers of `width` bits. */
struct pd_hybrid {
    const unsigned char *p, *end; /* the runs that follow */
    const unsigned char *bits;    /* the numbers of the run, packed; NULL: they are all `value` */
    size_t bit;                   /* first bit of the next number */
    uint64_t left;                /* numbers left of the run */
    uint32_t value;
    unsigned width; /* at most 32 */
};

/* Begin to read s[0, n), which is borrowed. */
struct pd_hybrid pd_hybrid_open(const unsigned char *s, size_t n, unsigned width);

/* The next number. Returns false when there is none. */
bool pd_hybrid_next(struct pd_hybrid *h, uint32_t *value);

/* Blocks of differences of 64-bit numbers. */
struct pd_delta {
    const unsigned char *p, *end; /* what follows the miniblock at hand */
    const unsigned char *widths;  /* bits of a difference, per miniblock of the block */
    const unsigned char *bits;    /* the differences of the miniblock */
    size_t bit;                   /* first bit of the next difference */
    uint64_t left;                /* numbers left */
    uint64_t in_mini;             /* differences left of the miniblock */
    uint64_t per_mini, minis;     /* differences of a miniblock; miniblocks of a block */
    uint64_t mini;                /* miniblocks of the block that have begun */
    uint64_t value, least;        /* the last number; the least difference of the block */
    unsigned width;               /* bits of a difference of the miniblock */
    bool first;                   /* `value` is the next number */
};

/* Returns false when s does not begin with the head of such blocks. */
bool pd_delta_open(struct pd_delta *d, const unsigned char *s, size_t n);

/* The next number. Returns false when there is none. */
bool pd_delta_next(struct pd_delta *d, int64_t *value);

/*
 * The first byte behind all numbers of a fresh `d`; NULL when they are damaged, or more than
 * `most`. O(numbers).
 */
const unsigned char *pd_delta_end(struct pd_delta d, uint64_t most);

#endif

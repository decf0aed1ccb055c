/*
 * base/parquet.h - the numbers of the Parquet format, and what its writers share.
 *
 * Source: Apache Parquet, parquet.thrift, Encodings.md and Compression.md of parquet-format 2.11.
 * Pages are written as data pages of version 1 with values PLAIN.
 */
#ifndef PARDUP_BASE_PARQUET_H
#define PARDUP_BASE_PARQUET_H

#include <stdint.h>

#include "pardup/base/bytes.h"

#define PD_PARQUET_MAGIC "PAR1"

/* Physical types, as the format numbers them. */
enum pd_parquet_type {
    PD_PARQUET_BOOLEAN,
    PD_PARQUET_INT32,
    PD_PARQUET_INT64,
    PD_PARQUET_INT96,
    PD_PARQUET_FLOAT,
    PD_PARQUET_DOUBLE,
    PD_PARQUET_BYTE_ARRAY,
    PD_PARQUET_FIXED
};

/* Compressions, as the format numbers them. */
enum pd_parquet_codec {
    PD_PARQUET_UNCOMPRESSED,
    PD_PARQUET_SNAPPY,
    PD_PARQUET_GZIP,
    PD_PARQUET_LZO,
    PD_PARQUET_BROTLI,
    PD_PARQUET_LZ4,
    PD_PARQUET_ZSTD,
    PD_PARQUET_LZ4_RAW,
    PD_PARQUET_CODECS
};

/* Kinds of pages, as the format numbers them. */
enum pd_parquet_kind {
    PD_PARQUET_DATA,
    PD_PARQUET_INDEX,
    PD_PARQUET_DICTIONARY,
    PD_PARQUET_DATA_2
};

/* Encodings of values, as the format numbers them. */
enum pd_parquet_encoding {
    PD_PARQUET_PLAIN = 0,
    PD_PARQUET_OLD_DICTIONARY = 2,
    PD_PARQUET_RLE = 3,
    PD_PARQUET_DELTA = 5,
    PD_PARQUET_DELTA_LENGTH = 6,
    PD_PARQUET_DELTA_STRINGS = 7,
    PD_PARQUET_INDICES = 8
};

/* Append a length of bytes, which is less than 2^32. */
void pd_parquet_put_length(struct pd_bytes *to, size_t n);

/* Definition or repetition levels of a page, as runs of equal ones. A zeroed struct is ready. */
struct pd_parquet_runs {
    struct pd_bytes v; /* runs that have ended */
    uint32_t level;    /* of the last run, which is not in `v` */
    uint64_t n;        /* values of the last run */
};

/* Add a level, which is less than 256. */
void pd_parquet_runs_add(struct pd_parquet_runs *r, uint32_t level);

/* Append the levels of a page, with their length in front. No levels are left in `r`. */
void pd_parquet_runs_put(struct pd_parquet_runs *r, struct pd_bytes *to);

/*
 * Append the header of a page.
 *   values  nulls counted
 *   bytes   of the page before it is compressed
 *   stored  bytes behind the header
 */
void pd_parquet_put_header(struct pd_bytes *to, uint64_t values, size_t bytes, size_t stored);

#endif

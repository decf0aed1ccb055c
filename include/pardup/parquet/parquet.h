/*
 * parquet/parquet.h - the numbers of the Parquet format, and what its writers share.
 *
 * Source: Apache Parquet, parquet.thrift, Encodings.md and Compression.md of parquet-format 2.11.
 * Pages are written as data pages of version 1 with values PLAIN.
 */
#ifndef PARDUP_PARQUET_PARQUET_H
#define PARDUP_PARQUET_PARQUET_H

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

/* Fields of metadata and page headers, by their numbers in parquet.thrift. */
enum pd_parquet_in_file {
    PD_IN_FILE_VERSION = 1,
    PD_IN_FILE_SCHEMA = 2,
    PD_IN_FILE_ROWS = 3,
    PD_IN_FILE_GROUPS = 4,
    PD_IN_FILE_CREATED_BY = 6,
    PD_IN_FILE_ENCRYPTION = 8,
    PD_IN_FILE_SIGNING_KEY = 9
};
enum pd_parquet_in_element {
    PD_IN_ELEMENT_TYPE = 1,
    PD_IN_ELEMENT_LENGTH = 2,
    PD_IN_ELEMENT_REPETITION = 3,
    PD_IN_ELEMENT_NAME = 4,
    PD_IN_ELEMENT_CHILDREN = 5,
    PD_IN_ELEMENT_CONVERTED = 6,
    PD_IN_ELEMENT_SCALE = 7,
    PD_IN_ELEMENT_LOGICAL = 10
};
enum pd_parquet_in_group {
    PD_IN_GROUP_COLUMNS = 1,
    PD_IN_GROUP_BYTES = 2, /* of its pages before they are compressed */
    PD_IN_GROUP_ROWS = 3,
    PD_IN_GROUP_OFFSET = 5,
    PD_IN_GROUP_STORED = 6, /* the same compressed */
    PD_IN_GROUP_ORDINAL = 7 /* its number */
};
enum pd_parquet_in_chunk {
    PD_IN_CHUNK_FILE = 1, /* another file that has the chunk */
    PD_IN_CHUNK_OFFSET = 2,
    PD_IN_CHUNK_META = 3,
    PD_IN_CHUNK_CRYPTO = 8
};
enum pd_parquet_in_column {
    PD_IN_COLUMN_TYPE = 1,
    PD_IN_COLUMN_ENCODINGS = 2,
    PD_IN_COLUMN_PATH = 3,
    PD_IN_COLUMN_CODEC = 4,
    PD_IN_COLUMN_VALUES = 5,
    PD_IN_COLUMN_BYTES = 6,          /* of its pages before they are compressed */
    PD_IN_COLUMN_STORED = 7,         /* the same compressed */
    PD_IN_COLUMN_KEYS = 8,           /* metadata of keys and values */
    PD_IN_COLUMN_DATA_AT = 9,        /* offset of the first data page */
    PD_IN_COLUMN_INDEX_AT = 10,      /* offset of an index page */
    PD_IN_COLUMN_DICTIONARY_AT = 11, /* offset of the dictionary */
    PD_IN_COLUMN_BLOOM_AT = 14,      /* offset of a Bloom filter */
    PD_IN_COLUMN_BLOOM_BYTES = 15
};
enum pd_parquet_in_page {
    PD_IN_PAGE_KIND = 1,
    PD_IN_PAGE_BYTES = 2, /* before it is compressed */
    PD_IN_PAGE_STORED = 3,
    PD_IN_PAGE_CRC = 4,
    PD_IN_PAGE_DATA = 5,
    PD_IN_PAGE_DICTIONARY = 7,
    PD_IN_PAGE_DATA_2 = 8
};
enum pd_parquet_in_data {
    PD_IN_DATA_VALUES = 1,
    PD_IN_DATA_ENCODING = 2,
    PD_IN_DATA_LEVELS = 3,
    PD_IN_DATA_REPEATS = 4
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

/*
 * corpus/parquet/parquet_page.h - the header of a page of a Parquet file, and its compression.
 *
 * Source: Apache Parquet, parquet.thrift and Compression.md of parquet-format 2.11.
 */
#ifndef PARDUP_CORPUS_PARQUET_PAGE_H
#define PARDUP_CORPUS_PARQUET_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/parquet/parquet.h"

struct pd_parquet_page {
    int64_t kind;            /* enum pd_parquet_kind */
    int64_t stored;          /* bytes of the page behind its header */
    int64_t bytes;           /* the same when they are decoded */
    int64_t values;          /* values, nulls counted; entries of a dictionary */
    int64_t encoding;        /* of the values: enum pd_parquet_encoding */
    int64_t level_encoding;  /* of definition levels, in PD_PARQUET_DATA */
    int64_t repeat_encoding; /* of repetition levels, in PD_PARQUET_DATA */
    int64_t levels;          /* PD_PARQUET_DATA_2: bytes of definition levels, never compressed */
    int64_t repeats;         /* PD_PARQUET_DATA_2: bytes of repetition levels, which come first */
    bool packed;             /* the values are compressed */
    bool checked;            /* `crc` is known */
    uint32_t crc;            /* of the stored bytes */
};

/*
 * Read the page header at s[0, n). Returns its bytes; 0 when it is damaged, or does not end in s.
 * No number of it has been judged.
 */
size_t pd_parquet_page_read(const unsigned char *s, size_t n, struct pd_parquet_page *page);

/* The decoders for pages; zero is a valid start. */
struct pd_parquet_decoders {
    void *zstd;
    void *gzip;
};
void pd_parquet_decoders_free(struct pd_parquet_decoders *d);

/* The name of a compression that is not supported; NULL: it is. */
const char *pd_parquet_foreign_codec(int codec);

/*
 * Can n bytes of this compression become `bytes`? To be asked before memory is taken. A page that
 * grows more than PD_PARQUET_EXPANDS times and beyond 64 MB is a bomb.
 */
bool pd_parquet_may_become(int codec, size_t n, uint64_t bytes);

/*
 * Decode s[0, n) into out[0, bytes). Returns true when it decodes to exactly `bytes`. The codec is
 * not PD_PARQUET_UNCOMPRESSED, and supported.
 */
bool pd_parquet_unpack(struct pd_parquet_decoders *d, int codec, const unsigned char *s, size_t n,
                       unsigned char *out, size_t bytes);

/* Is `crc` the checksum of s[0, n)? */
bool pd_parquet_crc_fits(uint32_t crc, const unsigned char *s, size_t n);

#endif

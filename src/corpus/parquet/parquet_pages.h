/*
 * corpus/parquet/parquet_pages.h - the values of a column that are written as pages of a Parquet
 * file.
 *
 * Data pages of version 1, values PLAIN, with levels. No dictionary: each page is
 * compressed, and begins with a row. Memory is a page, which has 1 MB or a row, and its compressed
 * bytes.
 *
 * Source: Apache Parquet, parquet.thrift and Encodings.md of parquet-format 2.11.
 */
#ifndef PARDUP_CORPUS_PARQUET_PAGES_H
#define PARDUP_CORPUS_PARQUET_PAGES_H

#include <stdio.h>

#include "parquet_column.h"
#include "parquet_meta.h"

/* A zeroed struct with `to`, `at` and `path` set is ready for use. */
struct pd_parquet_pages {
    FILE *to;         /* borrowed */
    const char *path; /* the file that is copied, for messages, borrowed */
    uint64_t at;      /* bytes of the file so far */

    struct pd_parquet_leaf leaf;
    struct pd_parquet_made made;            /* of the chunk so far */
    struct pd_bytes values;                 /* of the page so far */
    unsigned bit;                           /* truth values: bits of the last byte that are taken */
    struct pd_parquet_runs repeats, levels; /* of the values of the page */
    uint64_t n;                             /* values of the page, nulls counted */

    struct pd_bytes page, packed, header; /* buffers */
    void *zstd, *gzip;                    /* compressors; NULL until needed */
};

/* The codec in which a chunk of `codec` is written again: zstd in place of Snappy. */
int pd_parquet_codec_made(int codec);

/* Begin a chunk, with a codec that the function above gives. */
void pd_parquet_pages_begin(struct pd_parquet_pages *p, const struct pd_parquet_leaf *leaf,
                            int codec);

/*
 * Put a value, which is null when its definition level is less than leaf->levels. PD_OK, PD_EIO, or
 * PD_EFORMAT (a row of more than 2 GB).
 */
int pd_parquet_pages_put(struct pd_parquet_pages *p, const struct pd_parquet_cell *cell);

/* End the chunk, which is p->made. PD_OK, PD_EIO or PD_EFORMAT. */
int pd_parquet_pages_end(struct pd_parquet_pages *p);

/* Write bytes as they are. PD_OK or PD_EIO. */
int pd_parquet_pages_raw(struct pd_parquet_pages *p, const void *v, size_t n);

void pd_parquet_pages_release(struct pd_parquet_pages *p);

#endif

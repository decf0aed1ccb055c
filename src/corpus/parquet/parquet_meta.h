/*
 * corpus/parquet/parquet_meta.h - the metadata of a Parquet file, for a copy in which row groups
 * moved or were written again.
 *
 * Everything stays as it is but: offsets; numbers of rows, values and bytes; codecs and encodings
 * of chunks that were written again. Those lose their statistics, and their row group its sort
 * order. Page indexes and Bloom filters, which hold offsets of their own, are left out everywhere.
 */
#ifndef PARDUP_CORPUS_PARQUET_META_H
#define PARDUP_CORPUS_PARQUET_META_H

#include "parquet_footer.h"

/* A chunk that was written again. */
struct pd_parquet_made {
    uint64_t start;  /* offset of its first page */
    uint64_t stored; /* bytes with the page headers */
    uint64_t bytes;  /* the same if pages were not compressed */
    uint64_t values; /* nulls counted */
    int codec;
};

/* The row groups of the copy so far. A zeroed struct is ready for use. */
struct pd_parquet_meta {
    struct pd_bytes groups;
    uint64_t n, rows;
    bool bad; /* some metadata broke a rule */
};

/*
 * Add a row group that begins at `start` in the copy and has `rows` rows.
 *   made  per column: the chunk that was written again; NULL: the group was copied as it is
 */
void pd_parquet_meta_add(struct pd_parquet_meta *m, const struct pd_parquet_footer *f,
                         const struct pd_parquet_group *group, uint64_t start, uint64_t rows,
                         const struct pd_parquet_made *made);

/* Append the metadata, its length and the magic to `to`. False: the metadata is too
 * long, or some of it was damaged. */
bool pd_parquet_meta_end(const struct pd_parquet_meta *m, const struct pd_parquet_footer *f,
                         struct pd_bytes *to);

void pd_parquet_meta_release(struct pd_parquet_meta *m);

#endif

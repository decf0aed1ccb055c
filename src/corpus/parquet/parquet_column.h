/*
 * corpus/parquet/parquet_column.h - the values of one column of a row group, one after the other.
 *
 * A page is decoded at a time. Memory is a page as stored and decoded, and the column's dictionary;
 * both are at most `most` bytes, and are reserved when the file has shown that it can fill them.
 *
 * Source: Apache Parquet, parquet.thrift and Encodings.md of parquet-format 2.11. Values of all
 * types, nested ones too; of INT96 and FIXED_LEN_BYTE_ARRAY as they are stored. Encodings PLAIN, PLAIN_DICTIONARY,
 * RLE_DICTIONARY, DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY, and RLE for
 * BOOLEAN.
 */
#ifndef PARDUP_CORPUS_PARQUET_COLUMN_H
#define PARDUP_CORPUS_PARQUET_COLUMN_H

#include "parquet_footer.h"
#include "parquet_number.h"
#include "parquet_page.h"
#include "parquet_values.h"

#define PD_PARQUET_PAD 64 /* readable bytes behind a value */

PD_VEC(pd_parquet_places, uint32_t);

struct pd_parquet_column {
    int fd;                               /* the open file, borrowed */
    const char *path;                     /* its path for messages, borrowed */
    struct pd_parquet_decoders *decoders; /* borrowed, shared by the columns of a file */
    uint64_t most;                        /* largest page, bytes */
    uint64_t planned;                     /* largest page that there is memory for; 0: any */
    uint64_t page_n;                      /* after PD_EFULL: bytes of the page */
    struct pd_parquet_leaf leaf;
    struct pd_parquet_chunk chunk;
    char why[PD_PARQUET_WHY]; /* after PD_EFORMAT: what is wrong, in words */

    uint64_t behind;        /* values of the chunk behind the page at hand */
    uint64_t next;          /* offset in the file of the next page header */
    struct pd_bytes stored; /* bytes of the file from offset stored_at on */
    uint64_t stored_at;
    struct pd_bytes page; /* the values of the page, if they were compressed */

    struct pd_bytes dictionary;       /* values, as if they were PLAIN */
    struct pd_parquet_places entries; /* strings: where each begins in it, and the end */
    uint64_t nentries;

    int encoding;                 /* of the page at hand */
    uint64_t left;                /* values left of the page at hand */
    const unsigned char *p, *end; /* the values that follow, when they stand there as they are */
    unsigned bit;                 /* BOOLEAN: bits of *p that have been passed */
    struct pd_hybrid repeats, levels, indices;
    struct pd_delta prefixes, lengths;
    struct pd_bytes string;          /* the last value of DELTA_BYTE_ARRAY */
    char number[PD_PARQUET_PRINTED]; /* the last value, if it is printed */
};

/*
 * A zeroed struct with fd, path, decoders and most set: go to the beginning of a chunk of `n`
 * values, nulls counted.
 */
void pd_parquet_column_begin(struct pd_parquet_column *c, const struct pd_parquet_leaf *leaf,
                             const struct pd_parquet_chunk *chunk, uint64_t n);

/*
 * The next value of a column that is not nested: *v, *n are its bytes, or what is printed (parquet_number.h). They are valid until the next
 * call, with PD_PARQUET_PAD readable bytes behind them.
 * Returns PD_OK; PD_END when it is null; PD_EFORMAT with c->why when it cannot be had; PD_EIO.
 */
int pd_parquet_column_next(struct pd_parquet_column *c, const unsigned char **v, size_t *n);

/* A value with its place in lists and groups, or a null. */
struct pd_parquet_cell {
    uint32_t repeat;        /* repetition level; 0: the first value of a row */
    uint32_t level;         /* definition level */
    const unsigned char *v; /* v[0, n): as its type stores it; a truth value is a byte 0 or 1 */
    size_t n;
};

/* The same for a column of any kind; also PD_EFULL: a page is larger than `planned`. */
int pd_parquet_column_stored(struct pd_parquet_column *c, struct pd_parquet_cell *cell);

/*
 * Pass `rows` values. Pages that are passed whole are not decoded. Returns as the function above.
 */
int pd_parquet_column_skip(struct pd_parquet_column *c, uint64_t rows);

void pd_parquet_column_release(struct pd_parquet_column *c);

#endif

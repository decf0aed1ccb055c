/*
 * corpus/parquet_copier.h - a copy of a Parquet file in which rows are left out or get another
 * text.
 *
 * Row groups in which nothing changes are copied byte for byte; the others are written again, a
 * column after the other. Schema, key-value metadata and all other values stay as they are. A row
 * group that loses all rows goes.
 *
 * Memory: a page of a column as stored and decoded, its dictionary, and a page that is written,
 * which has 1 MB or one row; besides the metadata, as read and as it will be.
 */
#ifndef PARDUP_CORPUS_PARQUET_COPIER_H
#define PARDUP_CORPUS_PARQUET_COPIER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pardup/base/bytes.h"
#include "pardup/corpus/reader.h"

struct pd_parquet_copier;

/* The memory of a copy. */
struct pd_parquet_plan {
    uint64_t bytes; /* for pages, and for metadata */
    uint64_t share; /* a copy may take 1/share of --memory; named in messages */
};

struct pd_row_change {
    uint64_t row;  /* its number in the row group, as `skip` of struct pd_raw */
    uint64_t item; /* a number of the caller */
    bool gone;     /* the row is left out */
};
PD_VEC(pd_row_changes, struct pd_row_change);

/*
 * Begin to copy the file `path`, borrowed, to `to`, which the caller closes. NULL: nothing is to be
 * written, but it is to be found out whether it can be. `r` says which column has the text and how
 * large a document may be; it is borrowed. PD_OK; PD_EIO; PD_EFORMAT with a message, when a column
 * cannot be written again; or PD_EFULL, when the plan has no room for the metadata. *c is to be
 * closed in any case.
 */
int pd_parquet_copier_open(struct pd_parquet_copier **c, const struct pd_reader *r,
                           const char *path, FILE *to, struct pd_parquet_plan plan);

/* Makes the new text of a row in `to` from the old one, text[0, n). Returns PD_OK or a failure. */
typedef int (*pd_row_text)(void *context, const struct pd_row_change *change,
                           const unsigned char *text, size_t n, struct pd_bytes *to);

/*
 * Write the row group at `offset` with changes v[0, n), which ascend by row. Row groups come in the
 * order of the file. PD_OK, PD_EIO, PD_EFORMAT (damaged, or no such row group), PD_EFULL (a page
 * for which the plan has no room), or what text() returned.
 */
int pd_parquet_copier_change(struct pd_parquet_copier *c, uint64_t offset,
                             const struct pd_row_change *v, size_t n, pd_row_text text,
                             void *context);

/* Copy what is left, and write the metadata. PD_OK, PD_EIO or PD_EFORMAT. */
int pd_parquet_copier_finish(struct pd_parquet_copier *c);

void pd_parquet_copier_close(struct pd_parquet_copier *c); /* NULL: does nothing */

#endif

/*
 * result/chunks.h - bring the rows of a chunk from several ranks together on one rank.
 *
 * A chunk is packed by the rank that has most consecutive rows of it. The other ranks send their
 * rows to this rank, column by column.
 */
#ifndef PARDUP_RESULT_CHUNKS_H
#define PARDUP_RESULT_CHUNKS_H

#include "pardup/comm/comm.h"
#include "pardup/result/columns.h"

/* Rows [at, at + n) of a table, which `rank` holds and which belong to one chunk. */
struct pd_row_range {
    uint64_t at;   /* the number of the first row in the table */
    uint64_t n;    /* rows, at least 1 */
    uint64_t rank; /* the rank that holds them */
};
PD_VEC(pd_row_ranges, struct pd_row_range);

/* A chunk whose rows lie on one or more ranks. */
struct pd_chunk {
    uint64_t number;   /* rows [number * PD_CHUNK_ROWS, + PD_CHUNK_ROWS) of the table */
    uint64_t rank;     /* the rank that packs it */
    size_t begin, end; /* its rows are held.v[begin, end) */
};
PD_VEC(pd_chunk_list, struct pd_chunk);

/* The chunks that are being written. A zeroed struct has none. */
struct pd_chunks {
    const struct pd_comm *comm;    /* borrowed from pd_chunks_begin() to pd_chunks_end() */
    const struct pd_columns *cols; /* this rank's rows, borrowed for the same time */
    struct pd_row_ranges held;     /* the rows that any rank holds, ascending */
    struct pd_chunk_list list;     /* the chunks that `held` belong to, ascending */
    struct pd_transfers sends, receipts;
};

/*
 * COLLECTIVE. List the chunks of the rows below `to` that any rank holds. Begin to send the rows
 * that other ranks pack.
 *   m     zeroed, or as pd_chunks_end left it
 *   cols  this rank's rows, which must not change until pd_chunks_end. All ranks together hold the
 *         rows in [cols->placed, to), except rows of packed chunks
 *   to    the end of a chunk, or of the table
 */
void pd_chunks_begin(struct pd_chunks *m, const struct pd_comm *c, const struct pd_columns *cols,
                     uint64_t to);

/*
 * Not collective. Write column k of the n rows of a chunk that this rank packs to `values`. Call
 * this for the chunks in ascending order, and for each chunk for its columns in ascending order:
 * the other ranks send in this order.
 */
void pd_chunks_values(struct pd_chunks *m, const struct pd_chunk *chunk, size_t k, uint64_t n,
                      unsigned char *values);

/* Not collective. Wait until the other ranks have received all rows from this rank. */
void pd_chunks_end(struct pd_chunks *m);

void pd_chunks_release(struct pd_chunks *m);

#endif

/*
 * result/chunks.h - chunks of a table whose rows lie with several ranks, each brought together on one of them.
 *
 * A chunk is packed once, by the rank that has the longest piece of it; it is sent the others, column by column, from
 * where they lie to where they are packed.
 */
#ifndef PARDUP_RESULT_CHUNKS_H
#define PARDUP_RESULT_CHUNKS_H

#include "pardup/comm/comm.h"
#include "pardup/result/columns.h"

/* Rows [at, at + n) of a table, all of one chunk, that lie in the lot of `rank`. */
struct pd_piece_of_rows {
    uint64_t at;
    uint64_t n;
    uint64_t rank;
};
PD_VEC(pd_pieces_of_rows, struct pd_piece_of_rows);

/* A chunk: pieces [begin, end), and the rank that packs it. */
struct pd_chunk {
    uint64_t number;
    uint64_t rank;
    size_t begin, end;
};
PD_VEC(pd_chunk_list, struct pd_chunk);

PD_VEC(pd_requests, MPI_Request);

struct pd_chunks {
    struct pd_pieces_of_rows pieces; /* of all ranks, ascending */
    struct pd_chunk_list list;       /* likewise: chunks that have rows in a lot */
    struct pd_requests sends, receipts;
};

/*
 * COLLECTIVE. Find the chunks with rows in the ranks' lots below `to`, which ends a chunk, and begin to send what others
 * pack; the lot stays as it is until pd_chunks_part. *m begins as zeros, or what an earlier call left. All rows below
 * `to` and not below lot->placed are in the lots, but for those of chunks packed before.
 */
void pd_chunks_meet(struct pd_chunks *m, const struct pd_comm *c, const struct pd_columns *lot,
                    uint64_t to);

/*
 * Not collective. Column k of the first n rows of a chunk that this rank packs. To be called for each of these in
 * ascending order, and for each in order of columns: so they are sent.
 */
void pd_chunks_values(struct pd_chunks *m, const struct pd_comm *c, const struct pd_columns *lot,
                      const struct pd_chunk *chunk, size_t k, uint64_t n, unsigned char *values);

/* Not collective. Until the other ranks have what they were to be sent. */
void pd_chunks_part(struct pd_chunks *m);

void pd_chunks_release(struct pd_chunks *m);

#endif

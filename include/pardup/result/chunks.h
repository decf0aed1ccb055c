/*
 * result/chunks.h - chunks of a table whose rows lie with several ranks, each brought together on one of them.
 *
 * A chunk is packed once, by the rank that has its first row; it is sent the others.
 */
#ifndef PARDUP_RESULT_CHUNKS_H
#define PARDUP_RESULT_CHUNKS_H

#include "pardup/comm/comm.h"
#include "pardup/result/lot.h"

/* Rows [at, at + n) of another rank: their values, column by column, are got.v[place] and on. */
struct pd_patch {
    uint64_t at, n, place;
};
PD_VEC(pd_patches, struct pd_patch);

PD_VEC(pd_owners, uint64_t);

struct pd_chunks {
    uint64_t first; /* number of the first chunk at hand ... */
    struct pd_owners
        owners; /* ... and of it and the next ones: 1 + the rank that has the first row, 0: packed before */
    struct pd_patches patches; /* ascending */
    struct pd_bytes got;
};

/*
 * COLLECTIVE. Of the rows in the ranks' lots, below `to`, all that others are the owners of travel to these; *m begins
 * as zeros, or what an earlier call left. All rows below `to` and not below lot->placed are there, but for
 * those of chunks packed before; `to` ends a chunk.
 * PD_OK or PD_ESTOP, agreed.
 */
int pd_chunks_meet(struct pd_chunks *m, const struct pd_comm *c, const struct pd_lot *lot,
                   uint64_t to);

/* Not collective. Column k of rows [from, to) of a chunk of this rank's. */
void pd_chunks_values(const struct pd_chunks *m, const struct pd_lot *lot, size_t k, uint64_t from,
                      uint64_t to, unsigned char *values);

void pd_chunks_release(struct pd_chunks *m);

#endif

/*
 * comm/exchange.h - send every record to the rank that owns its key.
 *
 * The only all-to-all in pardup: postings travel by signature, fans to the holder of their first document,
 * passages to the ranks that hold the text. Records are pulled from a source and pushed into a sink, round by
 * round, so nothing is held but one round: memory is bounded however much travels and however
 * skewed the keys are, and MPI's int counts cannot overflow.
 */
#ifndef PARDUP_COMM_EXCHANGE_H
#define PARDUP_COMM_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/comm/comm.h"

#define PD_EXCHANGE_PEER   ((size_t)128 << 10) /* bytes a round per peer: still cache-hot ... */
#define PD_EXCHANGE_LEAST  ((size_t)1 << 20)   /* ... but a round is at least this ... */
#define PD_EXCHANGE_MOST   ((size_t)16 << 20)  /* ... and at most this */
#define PD_EXCHANGE_RECORD ((size_t)256 << 10) /* the largest record of varying size */

/* Where records come from, where they go and what becomes of them. Each function gets a context of its own. */
struct pd_route {
    size_t size; /* bytes of a record; 0: each begins with its own size, a uint32_t, 8 | size */
    /*
     * Write whole records into to[0, cap), cap >= PD_EXCHANGE_LEAST, and set *n to their bytes.
     * PD_OK: ask again. PD_END: these were the last. Negative: failed.
     */
    int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n);
    int (*owner)(const void *rec, int nranks, void *ctx);   /* a rank in [0, nranks) */
    int (*sink)(const void *recs, size_t bytes, void *ctx); /* PD_OK, or an error */
    void *fill_ctx, *owner_ctx, *sink_ctx;
};

/* What a rank has sent to others, and in how many rounds. */
struct pd_traffic {
    uint64_t bytes;
    uint64_t rounds;
};

/*
 * COLLECTIVE. Pull from every rank's source until all have ended, feeding what arrives to the
 * sinks. Arrival order is unspecified: sort afterwards. When a source or sink fails on one rank,
 * all ranks stop in the same round and return the agreed status. *moved, if not NULL, grows. A
 * rank that is asked to stop (pd_comm_ask_to_stop) stops all: PD_ESTOP.
 */
int pd_exchange(const struct pd_comm *c, const struct pd_route *route, struct pd_traffic *moved);

/* Not collective. Bytes that a rank sends in a round, at most. */
size_t pd_exchange_round(const struct pd_comm *c);

/* A source for records that already lie in memory: set .fill = pd_fill_from and .fill_ctx to one of these. */
struct pd_source {
    const void *recs;
    size_t n; /* records, bytes of one, records taken so far */
    size_t size;
    size_t done;
};
int pd_fill_from(void *ctx, unsigned char *to, size_t cap, size_t *n);

#endif

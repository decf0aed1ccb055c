/*
 * comm/exchange.h - send every record to the rank that it is for.
 *
 * This is the only all-to-all in pardup. Postings travel to the owners of their signatures, fans to
 * the holders of their first documents, requests to the holders of the second documents. Records
 * are pulled from a source and pushed into a sink, round by round, and only one round is in memory.
 * So memory is bounded for any number of records and any skew of keys, and MPI's int counts cannot
 * overflow.
 */
#ifndef PARDUP_COMM_EXCHANGE_H
#define PARDUP_COMM_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "pardup/comm/comm.h"

#define PD_EXCHANGE_PEER   ((size_t)128 << 10) /* bytes of a round per rank: still in the cache */
#define PD_EXCHANGE_LEAST  ((size_t)1 << 20)   /* bytes of the smallest round */
#define PD_EXCHANGE_MOST   ((size_t)16 << 20)  /* bytes of the largest round */
#define PD_EXCHANGE_RECORD ((size_t)256 << 10) /* bytes of the largest record with its own size */

/* What an exchange does with records. Each function gets a context of its own. */
struct pd_route {
    /* bytes of each record; 0: a record begins with its size, a uint32_t that is a multiple of 8 */
    size_t size;
    /*
     * The source. Writes whole records into to[0, cap), cap >= PD_EXCHANGE_LEAST, and sets *n to
     * their bytes. Returns PD_OK if it is to be called again, PD_END if there are no more records,
     * or a failure (< 0).
     */
    int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n);
    int (*owner)(const void *rec, int nranks, void *ctx); /* the rank a record is for, < nranks */
    /* The sink. Takes whole records, borrowed for the call. Returns PD_OK or a failure (< 0). */
    int (*sink)(const void *recs, size_t bytes, void *ctx);
    void *fill_ctx, *owner_ctx, *sink_ctx; /* the contexts of the three functions */
};

/* What a rank has sent to other ranks. */
struct pd_traffic {
    uint64_t bytes;  /* bytes of records */
    uint64_t rounds; /* rounds of exchanges */
};

/*
 * COLLECTIVE. Pull records from the sources of all ranks until all sources have ended, and push the
 * records that arrive into the sinks. The order of arrival is undefined: sort afterwards. When a
 * source or sink fails on one rank, all ranks stop in the same round and return the agreed status.
 * When a rank is asked to stop (pd_comm_ask_to_stop), all ranks return PD_ESTOP.
 *   moved   if not NULL: grows by what this rank sends
 */
int pd_exchange(const struct pd_comm *c, const struct pd_route *route, struct pd_traffic *moved);

/* Not collective. The most bytes of records that a rank sends in a round. */
size_t pd_exchange_round(const struct pd_comm *c);

/* A source for records in memory: set .fill to pd_fill_from and .fill_ctx to a struct pd_source. */
struct pd_source {
    const void *recs; /* borrowed */
    size_t n;         /* records */
    size_t size;      /* bytes of a record */
    size_t done;      /* records taken so far; begin with 0 */
};
int pd_fill_from(void *ctx, unsigned char *to, size_t cap, size_t *n);

#endif

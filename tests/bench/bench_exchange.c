/*
 * Postings to the owners of their signatures; with mpirun. MB are those of all ranks, CPU time is
 * that of rank 0: its own part of the work, and its waiting.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pardup/base/hash.h"
#include "pardup/base/record.h"
#include "pardup/comm/exchange.h"
#include "pd_random.h"

enum { POSTINGS = 2000000 }; /* of each rank */

struct sending {
    struct pd_source source; /* first: pd_fill_from wants it there */
    const struct pd_comm *comm;
    uint64_t arrived;
};

static int owner_of(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_hash_range(((const struct pd_posting *)rec)->sig, nranks);
}

static int take(const void *recs, size_t bytes, void *ctx)
{
    (void)recs;
    ((struct sending *)ctx)->arrived += bytes;
    return 0;
}

static uint64_t send(void *ctx, double *pause)
{
    struct sending *s = ctx;
    const struct pd_route route = {
        sizeof(struct pd_posting), pd_fill_from, owner_of, take, s, s, s};
    (void)pause;
    s->source.done = s->arrived = 0;
    (void)!pd_exchange(s->comm, &route, NULL);
    return s->arrived;
}

int main(int argc, char **argv)
{
    struct pd_comm comm;
    struct pd_postings made = {0};
    pd_comm_start(&argc, &argv, &comm);
    uint64_t seed = (uint64_t)comm.rank;
    for (uint32_t k = 0; k < POSTINGS; k++)
        pd_postings_push(&made, pd_posting_of(pd_random(&seed), pd_mix(k), k, k, 0));
    struct sending s = {{made.v, made.n, sizeof *made.v, 0}, &comm, 0};
    if (comm.rank != 0)
        (void)!freopen("/dev/null", "w", stdout);
    char name[32];
    snprintf(name, sizeof name, "exchange, np %d", comm.size);
    bench_repeat(name, "MB/s a rank", (double)POSTINGS * sizeof *made.v, send, &s);
    pd_postings_release(&made);
    pd_comm_stop(&comm);
    return 0;
}

/*
 * pipeline.c - the communication of `pardup detect` without its work: the real comm/ layer (work
 * queue, exchange in rounds), records of the real sizes with made-up keys, and computation that
 * only takes (simulated) time. It runs under SimGrid's SMPI, on platforms that are not there.
 *
 *   pipeline PROFILE DOCUMENTS     documents a rank; prints a line a stage
 *
 * PROFILE, lines of words (# begins a comment); all are per document of a collection:
 *   read NS BYTES                              ns to read a document; bytes of a batch's record
 *   NAME RECORDS BYTES MAKE TAKE [BATCH]       an exchange: records, bytes of each, ns to make one
 *                                              and ns to take one; exchanges with BATCH are repeated
 *                                              together, BATCH records a rank at a time at most
 * Built without -DSIMULATED (by Open MPI) computation takes no time at all.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/comm/exchange.h"
#include "pardup/comm/queue.h"

enum {
    FLOWS_MOST = 16,
    PIECES = 16, /* pieces of work that the queue gives to a rank */
    STEPS = 8    /* steps of a piece between two looks at the queue */
};

struct flow {
    char name[16];
    double records, make, take;
    size_t bytes;
    double batch; /* 0: not in batches */

    uint64_t left; /* exchange under way: records still to send */
    uint64_t key;  /* exchange under way: the key of the last record */
    struct pd_traffic moved;
    double seconds;  /* in all */
    double computed; /* computation's part of `seconds` */
};

struct profile {
    double read_ns;
    size_t segment_bytes;
    struct flow flows[FLOWS_MOST];
    int nflows;
};

static void compute(struct flow *flow, double ns)
{
#ifdef SIMULATED
    smpi_execute(ns * 1e-9);
    flow->computed += ns * 1e-9;
#else
    (void)flow, (void)ns;
#endif
}

static int load(struct profile *p, const char *path)
{
    char line[256];
    FILE *f = fopen(path, "r");
    if (!f)
        return pd_fail(PD_EIO, "%s: cannot be read", path);
    while (fgets(line, sizeof line, f)) {
        struct flow *flow = &p->flows[p->nflows];
        line[strcspn(line, "#\n")] = '\0';
        *flow = (struct flow){.batch = 0};
        if (sscanf(line, "read %lf %zu", &p->read_ns, &p->segment_bytes) == 2)
            continue;
        const int n = sscanf(line, "%15s %lf %zu %lf %lf %lf", flow->name, &flow->records,
                             &flow->bytes, &flow->make, &flow->take, &flow->batch);
        if (n >= 5 && p->nflows < FLOWS_MOST - 1)
            p->nflows++;
    }
    fclose(f);
    return p->nflows ? PD_OK : pd_fail(PD_EFORMAT, "%s: no exchanges in it", path);
}

static int fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct flow *flow = ctx;
    const size_t fit = cap / flow->bytes, take = flow->left < fit ? flow->left : fit;
    for (size_t k = 0; k < take; k++) {
        flow->key = pd_mix(flow->key + 1);
        memcpy(to + k * flow->bytes, &flow->key, sizeof flow->key);
    }
    compute(flow, (double)take * flow->make);
    flow->left -= take;
    *n = take * flow->bytes;
    return flow->left ? PD_OK : PD_END;
}

static int owner(const void *rec, int nranks, void *ctx)
{
    uint64_t key;
    (void)ctx;
    memcpy(&key, rec, sizeof key);
    return pd_hash_range(key, nranks);
}

static int sink(const void *recs, size_t bytes, void *ctx)
{
    struct flow *flow = ctx;
    (void)recs;
    compute(flow, (double)(bytes / flow->bytes) * flow->take);
    return PD_OK;
}

/* Send this many records from every rank to all others. */
static int send(const struct pd_comm *c, struct flow *flow, uint64_t records)
{
    const struct pd_route route = {.size = flow->bytes,
                                   .fill = fill,
                                   .owner = owner,
                                   .sink = sink,
                                   .fill_ctx = flow,
                                   .sink_ctx = flow};
    const double began = MPI_Wtime();
    flow->left = records;
    flow->key = pd_mix((uint64_t)c->rank + 1);
    const int status = pd_exchange(c, &route, &flow->moved);
    flow->seconds += MPI_Wtime() - began;
    return status;
}

/* Every exchange once; neighbours that go in batches take turns, a batch each. */
static int send_all(const struct pd_comm *c, struct profile *p, double documents)
{
    for (int k = 0, end; k < p->nflows; k = end) {
        const struct flow *first = &p->flows[k];
        const double batch = first->batch > 0 ? first->batch : first->records * documents;
        for (end = k + 1; end < p->nflows && first->batch > 0 && p->flows[end].batch > 0;)
            end++;
        const double batches = batch > 0 ? ceil(first->records * documents / batch) : 1;
        for (double b = 0; b < batches; b++)
            for (int i = k; i < end; i++)
                PD_TRY(send(c, &p->flows[i],
                            (uint64_t)(p->flows[i].records * documents / batches + 0.5)));
    }
    return PD_OK;
}

static void read_all(const struct pd_comm *c, const struct profile *p, double documents,
                     struct flow *read)
{
    const double began = MPI_Wtime(), piece_ns = documents * p->read_ns / PIECES;
    struct pd_queue queue;
    struct pd_bytes mine = {0}, all = {0};
    pd_queue_open(c, &queue, (uint64_t)c->size * PIECES);
    while (pd_queue_take(&queue) != PD_NO_TASK) {
        for (int k = 0; k < STEPS; k++) {
            compute(read, piece_ns / STEPS);
            pd_queue_poll(&queue);
        }
        pd_bytes_reserve(&mine, mine.n + p->segment_bytes);
        memset(mine.v + mine.n, 0, p->segment_bytes);
        mine.n += p->segment_bytes;
    }
    pd_queue_close(&queue);
    pd_comm_gather(c, mine.v, mine.n, &all); /* all ranks know all segments */
    pd_bytes_release(&mine);
    pd_bytes_release(&all);
    read->seconds = MPI_Wtime() - began;
}

static void report(const struct pd_comm *c, const struct flow *f)
{
    double most[2] = {f->seconds, f->computed};
    uint64_t bytes = f->moved.bytes;
    pd_comm_max_double(c, most, 2);
    pd_comm_sum(c, &bytes, 1);
    if (c->rank == 0)
        printf("%-10s %12.6f %12.6f %14.0f %8llu\n", f->name, most[0], most[1],
               (double)bytes / c->size, (unsigned long long)f->moved.rounds);
}

int main(int argc, char **argv)
{
    struct pd_comm c;
    struct profile profile = {0};
    struct flow read = {.name = "read"};
    pd_comm_start(&argc, &argv, &c);
    int status = argc == 3 ? load(&profile, argv[1])
                           : pd_fail(PD_EFORMAT, "usage: pipeline PROFILE DOCUMENTS");
    if (status >= 0) {
        read_all(&c, &profile, atof(argv[2]), &read);
        status = send_all(&c, &profile, atof(argv[2]));
    }
    if (status >= 0) {
        if (c.rank == 0)
            printf("# %d ranks: exchange, seconds, of these computation, bytes sent by a rank, "
                   "rounds\n",
                   c.size);
        report(&c, &read);
        for (int k = 0; k < profile.nflows; k++)
            report(&c, &profile.flows[k]);
    } else if (c.rank == 0) {
        fprintf(stderr, "pipeline: %s\n", pd_error_text());
    }
    pd_comm_stop(&c);
    return status < 0;
}

/*
 * comm/exchange.c - see include/pardup/comm/exchange.h
 *
 * Rounds: deal a bite of what the source gave, tell everyone how much is coming and how one fares, swap the bytes.
 * No rank sends another more than its share of what that one has room for, so nobody has to be asked.
 * What stays on its rank is dealt like the rest, as nobody can foretell which records do; it is fed while the
 * others are still at work.
 * A rank whose source has ended keeps taking part with empty hands until all have.
 */
#include "pardup/comm/exchange.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

/* What each rank tells each other one before a bite. */
struct word {
    int bytes;
    enum { ENDED = 0, GOES_ON = 1, FAILED = 2 } state;
};
enum { WORD_INTS = sizeof(struct word) / sizeof(int), ALIGNED = 16 /* bytes: places in buffers */ };

struct round {
    unsigned char *pending; /* filled by the source ... */
    size_t have, done;      /* ... of which `done` bytes have been dealt */
    struct word *said, *heard;
    size_t *share;   /* bytes of a bite for each rank, if it is not a single record */
    size_t own;      /* bytes of it that stay */
    int *nout, *nin; /* bytes to and from each other rank ... */
    int *pout, *pin; /* ... and where each rank's bytes start */
    unsigned char *out, *in;
    size_t in_cap;
};

_Static_assert(PD_EXCHANGE_RANKS *PD_EXCHANGE_RECORD + PD_EXCHANGE_MOST <= INT_MAX,
               "places in a buffer are ints");

int pd_exchange_check(const struct pd_comm *c)
{
    return c->size <= PD_EXCHANGE_RANKS
               ? PD_OK
               : pd_fail(PD_EUSAGE, "%d ranks: start at most %d", c->size, PD_EXCHANGE_RANKS);
}

size_t pd_exchange_round(const struct pd_comm *c)
{
    const size_t n = PD_EXCHANGE_PEER * (size_t)c->size;
    return n < PD_EXCHANGE_LEAST ? PD_EXCHANGE_LEAST : n > PD_EXCHANGE_MOST ? PD_EXCHANGE_MOST : n;
}

static size_t size_of(const struct pd_route *route, const unsigned char *rec)
{
    if (route->size)
        return route->size;
    uint32_t n;
    memcpy(&n, rec, sizeof n);
    PD_CHECK(n >= 8 && n % 8 == 0 && n <= PD_EXCHANGE_RECORD);
    return n;
}

static uint64_t prefix_sums(const int *count, int *start, int nranks)
{
    uint64_t sum = 0;
    for (int p = 0; p < nranks; p++) {
        start[p] = (int)sum;
        sum += (uint64_t)count[p];
    }
    return sum;
}

/* Deal the next records to their owners, as far as nobody gets too much. Returns the bytes of all. */
static size_t deal_bite(const struct pd_comm *c, const struct pd_route *route, struct round *r)
{
    size_t at = r->done;
    memset(r->nout, 0, (size_t)c->size * sizeof *r->nout);
    while (at < r->have) {
        const unsigned char *rec = r->pending + at;
        const size_t n = size_of(route, rec);
        const int p = route->owner(rec, c->size, route->ctx);
        PD_CHECK(0 <= p && p < c->size);
        if ((size_t)r->nout[p] + n > r->share[p] && r->nout[p])
            break;
        memcpy(r->out + r->pout[p] + r->nout[p], rec, n);
        r->nout[p] += (int)n;
        at += n;
    }
    r->own = (size_t)r->nout[c->rank];
    r->nout[c->rank] = 0;
    return at - r->done;
}

static int feed_own(const struct pd_comm *c, const struct pd_route *route, const struct round *r)
{
    return r->own ? route->sink(r->out + r->pout[c->rank], r->own, route->ctx) : PD_OK;
}

static void swap_bite(const struct pd_comm *c, const struct round *r)
{
    MPI_Alltoallv(r->out, r->nout, r->pout, MPI_BYTE, r->in, r->nin, r->pin, MPI_BYTE, c->mpi);
}

/* Where each rank's bytes start, with room for all of its own, and a share or the largest record of others'. */
static size_t lay_out(const struct pd_comm *c, struct round *r, size_t bytes)
{
    const size_t share = 2 * bytes / (size_t)c->size / ALIGNED * ALIGNED;
    const size_t room = share < PD_EXCHANGE_RECORD ? PD_EXCHANGE_RECORD : share;
    size_t at = 0;
    for (int p = 0; p < c->size; p++) {
        r->pout[p] = (int)at;
        r->share[p] = p == c->rank ? bytes : share;
        at += p == c->rank ? bytes : room;
    }
    PD_CHECK(at <= INT_MAX); /* up to PD_EXCHANGE_RANKS */
    return at;
}

static void round_new(struct round *r, const struct pd_comm *c, size_t bytes)
{
    const size_t n = (size_t)c->size;
    *r = (struct round){.in_cap = 2 * bytes};
    r->pending = pd_realloc(NULL, bytes, 1);
    r->in = pd_realloc(NULL, r->in_cap, 1);
    r->said = pd_realloc(NULL, 2 * n, sizeof *r->said);
    r->heard = r->said + n;
    r->share = pd_realloc(NULL, n, sizeof *r->share);
    r->nout = pd_realloc(NULL, 4 * n, sizeof *r->nout);
    r->nin = r->nout + n;
    r->pout = r->nin + n;
    r->pin = r->pout + n;
    r->out = pd_realloc(NULL, lay_out(c, r, bytes), 1);
}

static void round_free(struct round *r)
{
    free(r->pending);
    free(r->out);
    free(r->in);
    free(r->said);
    free(r->share);
    free(r->nout);
}

static int stopped(void) { return pd_fail(PD_ESTOP, "stopped by signal %d", pd_comm_stopping()); }

/* Alone there is nobody to send to: what the source fills goes to the sink as it is. */
static int feed_oneself(const struct pd_route *route, size_t bytes)
{
    unsigned char *recs = pd_realloc(NULL, bytes, 1);
    int status = PD_OK, source = PD_OK;
    while (status >= 0 && source == PD_OK) {
        size_t n = 0;
        source = pd_comm_stopping() ? stopped() : route->fill(route->ctx, recs, bytes, &n);
        status = source < 0 ? source : n ? route->sink(recs, n, route->ctx) : PD_OK;
    }
    free(recs);
    return status;
}

/* The next bite, for which the source is asked when it is time. */
static size_t bite(const struct pd_comm *c, const struct pd_route *route, struct round *r,
                   int *source, int *status)
{
    if (*status >= 0 && pd_comm_stopping())
        *status = stopped();
    if (r->done == r->have && *source == PD_OK && *status >= 0) {
        r->done = r->have = 0;
        *source = route->fill(route->ctx, r->pending, pd_exchange_round(c), &r->have);
        if (*source < 0) {
            *status = *source;
            r->have = 0;
        }
    }
    return deal_bite(c, route, r);
}

static void say(const struct pd_comm *c, struct round *r, int state, MPI_Request *said)
{
    for (int p = 0; p < c->size; p++)
        r->said[p] = (struct word){r->nout[p], state};
    MPI_Ialltoall(r->said, WORD_INTS, MPI_INT, r->heard, WORD_INTS, MPI_INT, c->mpi, said);
}

/* How all ranks fare: GOES_ON, if any does, and FAILED. */
static int hear(const struct pd_comm *c, struct round *r, MPI_Request *said)
{
    int state = 0;
    pd_comm_wait(said);
    for (int p = 0; p < c->size; p++) {
        r->nin[p] = r->heard[p].bytes;
        state |= r->heard[p].state;
    }
    return state;
}

static void count(const struct pd_comm *c, const struct round *r, struct pd_traffic *moved)
{
    for (int p = 0; moved && p < c->size; p++)
        moved->bytes += (uint64_t)r->nout[p];
    if (moved)
        moved->rounds++;
}

int pd_exchange(const struct pd_comm *c, const struct pd_route *route, struct pd_traffic *moved)
{
    const size_t bytes = pd_exchange_round(c);
    int status = PD_OK, source = PD_OK, all;
    struct round r;
    if (c->size == 1)
        return feed_oneself(route, bytes);
    round_new(&r, c, bytes);

    for (;;) {
        MPI_Request said;
        const size_t take = bite(c, route, &r, &source, &status);
        say(c, &r, status < 0 ? FAILED : take || source == PD_OK ? GOES_ON : ENDED, &said);
        if (status >= 0)
            status = feed_own(c, route, &r);
        all = hear(c, &r, &said);
        if (all != GOES_ON) /* someone failed, or all sources have ended */
            break;
        const uint64_t incoming = prefix_sums(r.nin, r.pin, c->size);
        PD_CHECK(incoming <= INT_MAX);
        if (incoming > r.in_cap)
            r.in = pd_realloc(r.in, r.in_cap = incoming, 1);
        swap_bite(c, &r);
        count(c, &r, moved);
        if (status >= 0 && incoming > 0)
            status = route->sink(r.in, incoming, route->ctx);
        r.done += take;
    }
    round_free(&r);
    return all & FAILED ? pd_comm_agree(c, status) : PD_OK;
}

int pd_fill_from(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_source *s = ctx;
    const size_t fit = cap / s->size, left = s->n - s->done, take = left < fit ? left : fit;
    if (take) /* no records may mean no array at all */
        memcpy(to, (const unsigned char *)s->recs + s->done * s->size, take * s->size);
    s->done += take;
    *n = take * s->size;
    return s->done == s->n ? PD_END : PD_OK;
}

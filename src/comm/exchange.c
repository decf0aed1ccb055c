/*
 * comm/exchange.c - see include/pardup/comm/exchange.h
 *
 * Rounds: deal a bite of what the source gave, send each rank its part and how one fares, take in what the others
 * send. Nobody waits for all at once: who has sent goes on with what stays, and with what has come; a rank
 * is at most a round ahead of another one.
 * No rank sends another more than its share of what that one has room for, so nobody has to be asked.
 * What stays on its rank is dealt like the rest, as nobody can foretell which records do.
 * A rank whose source has ended keeps taking part with empty hands until all have.
 */
#include "pardup/comm/exchange.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pardup/base/error.h"

/* How a rank fares, at the head of each of its messages; all ranks' together by OR. ENDED: these are its last. */
enum { ENDED = 0, GOES_ON = 1, FAILED = 2 };
enum {
    TAG = 3,     /* and 4; others: comm/queue.c */
    HEAD = 16,   /* bytes of a message before its records: a state, and padding, so that ... */
    ALIGNED = 16 /* ... records begin at multiples of this */
};

/* A message in `in`, and the bytes of records in it. */
struct arriving {
    unsigned char *message;
    size_t bytes;
};

struct round {
    unsigned char *pending; /* filled by the source ... */
    size_t have;
    size_t done;   /* ... of which `done` bytes have been dealt */
    size_t *share; /* bytes of a bite for each rank, if it is not a single record */
    size_t *at;    /* where the message to each rank starts in `out` ... */
    size_t *nout;  /* ... and the bytes of records in it */
    unsigned char *out;
    unsigned char *in;
    unsigned char bare[HEAD]; /* a message without records: memory of `out` is not touched for it */
    size_t in_cap;
    int tag;   /* of its messages: those of the next round may come before the last of this one */
    int peers; /* other ranks */
    int narriving;
    struct arriving *arriving;
    MPI_Request *sends;
    MPI_Request *receipts; /* of peers, of those arriving */
};

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

/* Deal the next records to their owners, as far as nobody gets too much. */
static void deal_bite(const struct pd_comm *c, const struct pd_route *route, struct round *r)
{
    memset(r->nout, 0, (size_t)c->size * sizeof *r->nout);
    while (r->done < r->have) {
        const unsigned char *rec = r->pending + r->done;
        const size_t n = size_of(route, rec);
        const int p = route->owner(rec, c->size, route->owner_ctx);
        PD_CHECK(0 <= p && p < c->size);
        if (r->nout[p] + n > r->share[p] && r->nout[p])
            break;
        memcpy(r->out + r->at[p] + HEAD + r->nout[p], rec, n);
        r->nout[p] += n;
        r->done += n;
    }
}

static int feed(const struct pd_route *route, const unsigned char *message, size_t n)
{
    return n ? route->sink(message + HEAD, n, route->sink_ctx) : PD_OK;
}

/* With room for all of a rank's own records, and for a share or the largest record of others'. */
static void round_new(struct round *r, const struct pd_comm *c, size_t bytes)
{
    const size_t n = (size_t)c->size, share = 2 * bytes / n / ALIGNED * ALIGNED;
    *r = (struct round){.peers = c->size - 1};
    const size_t room = HEAD + (share < PD_EXCHANGE_RECORD ? PD_EXCHANGE_RECORD : share);
    r->pending = pd_realloc(NULL, bytes, 1);
    r->share = pd_realloc(NULL, 3 * n, sizeof *r->share);
    r->at = r->share + n;
    r->nout = r->at + n;
    size_t at = 0;
    for (int p = 0; p < c->size; p++) {
        r->at[p] = at;
        r->share[p] = p == c->rank ? bytes : share;
        at += p == c->rank ? HEAD + bytes : room;
    }
    r->out = pd_realloc(NULL, at, 1);
    r->in_cap = HEAD + bytes; /* of which the largest share is a part, or all */
    r->in = pd_realloc(NULL, r->in_cap, 1);
    r->sends = pd_realloc(NULL, 2 * n, sizeof *r->sends);
    r->receipts = r->sends + n;
    r->arriving = pd_realloc(NULL, n, sizeof *r->arriving);
    for (int k = 0; k < r->peers; k++)
        r->sends[k] = MPI_REQUEST_NULL;
}

static void round_free(struct round *r)
{
    free(r->pending);
    free(r->share);
    free(r->out);
    free(r->in);
    free(r->sends);
    free(r->arriving);
}

/* To the next rank first: not all begin with the same. */
static void send_all(const struct pd_comm *c, struct round *r, int state)
{
    memcpy(r->bare, &state, sizeof state);
    for (int k = 0; k < r->peers; k++) {
        const int p = (c->rank + k + 1) % c->size;
        unsigned char *message = r->bare;
        if (r->nout[p])
            message = memcpy(r->out + r->at[p], r->bare, HEAD);
        MPI_Isend(message, (int)(HEAD + r->nout[p]), MPI_BYTE, p, r->tag, c->mpi, &r->sends[k]);
    }
}

/* Feed the messages that were begun to be received. Returns how those who sent them fare. */
static int take_in(const struct pd_route *route, struct round *r, int *status)
{
    int all = ENDED;
    pd_comm_wait_all(r->narriving, r->receipts);
    for (int k = 0; k < r->narriving; k++) {
        const struct arriving *m = &r->arriving[k];
        int state;
        memcpy(&state, m->message, sizeof state);
        all |= state;
        if (*status >= 0)
            *status = feed(route, m->message, m->bytes);
    }
    r->narriving = 0;
    return all;
}

/* Receive what the others send, as it comes: all of it at once, where there is room. */
static int receive_all(const struct pd_comm *c, const struct pd_route *route, struct round *r,
                       int *status)
{
    int all = ENDED;
    size_t at = 0;
    for (int left = r->peers; left > 0; left--) {
        int from;
        const size_t bytes = pd_comm_await(c, r->tag, &from);
        if (at + bytes > r->in_cap) {
            all |= take_in(route, r, status);
            at = 0;
        }
        const int k = r->narriving++;
        r->arriving[k] = (struct arriving){r->in + at, bytes - HEAD};
        MPI_Irecv(r->in + at, (int)bytes, MPI_BYTE, from, r->tag, c->mpi, &r->receipts[k]);
        at += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    return all | take_in(route, r, status);
}

static int stopped(void) { return pd_fail(PD_ESTOP, "stopped by signal %d", pd_comm_stopping()); }

/* Alone there is nobody to send to: what the source fills goes to the sink as it is. */
static int feed_oneself(const struct pd_route *route, size_t bytes)
{
    unsigned char *recs = pd_realloc(NULL, bytes, 1);
    int status = PD_OK, source = PD_OK;
    while (status >= 0 && source == PD_OK) {
        size_t n = 0;
        source = pd_comm_stopping() ? stopped() : route->fill(route->fill_ctx, recs, bytes, &n);
        status = source < 0 ? source : n ? route->sink(recs, n, route->sink_ctx) : PD_OK;
    }
    free(recs);
    return status;
}

/* The next bite, for which the source is asked when it is time. */
static void bite(const struct pd_comm *c, const struct pd_route *route, struct round *r,
                 int *source, int *status)
{
    if (*status >= 0 && pd_comm_stopping())
        *status = stopped();
    if (r->done == r->have && *source == PD_OK && *status >= 0) {
        r->done = r->have = 0;
        *source = route->fill(route->fill_ctx, r->pending, pd_exchange_round(c), &r->have);
        if (*source < 0) {
            *status = *source;
            r->have = 0;
        }
    }
    pd_comm_wait_all(r->peers, r->sends); /* of the round before */
    deal_bite(c, route, r);
}

static void count(const struct pd_comm *c, const struct round *r, struct pd_traffic *moved)
{
    for (int p = 0; moved && p < c->size; p++)
        moved->bytes += p == c->rank ? 0 : r->nout[p];
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
    do {
        r.tag = TAG + (r.tag == TAG);
        bite(c, route, &r, &source, &status);
        const bool more = source == PD_OK || r.done < r.have;
        const int state = status < 0 ? FAILED : more ? GOES_ON : ENDED;
        send_all(c, &r, state);
        if (status >= 0)
            status = feed(route, r.out + r.at[c->rank], r.nout[c->rank]);
        all = state | receive_all(c, route, &r, &status);
        count(c, &r, moved);
    } while (all == GOES_ON); /* nobody failed, and not all have sent their last */
    pd_comm_wait_all(r.peers, r.sends);
    round_free(&r);
    return pd_comm_agree(c, status); /* what the last ones met is not known yet */
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

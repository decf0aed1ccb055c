/*
 * comm/exchange.c - see include/pardup/comm/exchange.h
 *
 * A round of a rank has four steps. Deal the next records of the source, a bite, to their ranks.
 * Send each other rank its message: the state of the sender, then records. Feed the records that
 * stay on this rank to the sink. Receive a message from each other rank and feed its records to the
 * sink.
 *
 * A rank does not wait for all others at once: after it has sent its messages it goes on with the
 * records it has. It is at most one round ahead of another rank.
 * A rank sends another rank at most a share of the memory that the other has for messages, so it
 * need not ask how much it may send.
 * Records that stay on their rank are dealt like the others, because their rank is only known when
 * they are dealt.
 * A rank whose source has ended sends messages without records until all sources have ended.
 */
#include "pardup/comm/exchange.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"
#include "pardup/base/error.h"
#include "pardup/base/minmax.h"

/* The state of a rank, at the head of its messages. The states of all ranks are combined by OR. */
enum {
    ENDED = 0,   /* the rank sends its last records */
    GOES_ON = 1, /* the rank will send more records */
    FAILED = 2   /* the rank has failed */
};
enum {
    HEAD = 16,   /* bytes of a message before its records: the state, then padding */
    ALIGNED = 16 /* messages begin at multiples of this, bytes */
};

/* A message that is being received. */
struct arriving {
    unsigned char *message; /* where it lies in `in` of the round */
    size_t bytes;           /* bytes of records in it */
};

struct round {
    unsigned char *pending;   /* records from the source */
    size_t have;              /* bytes of records in `pending` */
    size_t done;              /* bytes of `pending` that have been dealt */
    size_t *share;            /* per rank: most bytes of a bite, unless it is a single record */
    size_t *at;               /* per rank: where its message starts in `out` */
    size_t *nout;             /* per rank: bytes of records in its message */
    unsigned char *out;       /* messages to send, with room for the largest to each rank */
    unsigned char *in;        /* messages received */
    unsigned char bare[HEAD]; /* the message without records: for it, `out` is not touched */
    size_t in_cap;            /* bytes of `in` */
    int tag;                  /* tag of this round's messages: the next round's may overtake them */
    int peers;                /* how many other ranks there are */
    int narriving;            /* messages that are being received */
    struct arriving *arriving; /* messages that are being received */
    MPI_Request *sends;        /* per other rank: the sending of its message */
    MPI_Request *receipts;     /* per message in `arriving`: its receipt */
};

size_t pd_exchange_round(const struct pd_comm *c)
{
    const size_t n = PD_EXCHANGE_PEER * (size_t)c->size;
    return pd_min_size(pd_max_size(n, PD_EXCHANGE_LEAST), PD_EXCHANGE_MOST);
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

/* Deal the next bite: records until the next one would exceed the share of its rank. */
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

/*
 * A round that takes `bytes` of records from the source. It has room for all of them to stay on
 * this rank, and for a share, or for the largest record, to go to each other rank.
 */
static void round_new(struct round *r, const struct pd_comm *c, size_t bytes)
{
    const size_t n = (size_t)c->size, share = 2 * bytes / n / ALIGNED * ALIGNED;
    *r = (struct round){.peers = c->size - 1};
    const size_t room = HEAD + pd_max_size(share, PD_EXCHANGE_RECORD);
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
    r->in_cap = HEAD + bytes; /* a message is never longer than this */
    r->in = pd_realloc(NULL, r->in_cap, 1);
    r->sends = pd_realloc(NULL, 2 * n, sizeof *r->sends);
    r->receipts = r->sends + n;
    r->arriving = pd_realloc(NULL, n, sizeof *r->arriving);
    for (int k = 0; k < r->peers; k++)
        r->sends[k] = MPI_REQUEST_NULL;
}

static void round_free(struct round *r)
{
    PD_FREE(r->pending, r->share, r->out, r->in, r->sends, r->arriving);
}

/* Send to the next rank first, so that not all ranks send to the same rank at once. */
static void send_all(const struct pd_comm *c, struct round *r, int state)
{
    memcpy(r->bare, &state, sizeof state);
    for (int k = 0; k < r->peers; k++) {
        const int p = (c->rank + k + 1) % c->size;
        unsigned char *message = r->bare;
        if (r->nout[p])
            message = memcpy(r->out + r->at[p], r->bare, HEAD);
        MPI_Isend(message, (int)(HEAD + r->nout[p]), MPI_BYTE, p, r->tag, c->handle->mpi,
                  &r->sends[k]);
    }
}

/*
 * Wait for the messages that are being received and feed their records to the sink, unless *status
 * is a failure. Returns the states of their senders.
 */
static int feed_arrived(const struct pd_route *route, struct round *r, int *status)
{
    int states = ENDED;
    pd_comm_wait_all(r->narriving, r->receipts);
    for (int k = 0; k < r->narriving; k++) {
        const struct arriving *m = &r->arriving[k];
        int state;
        memcpy(&state, m->message, sizeof state);
        states |= state;
        if (*status >= 0)
            *status = feed(route, m->message, m->bytes);
    }
    r->narriving = 0;
    return states;
}

/*
 * Receive a message from each other rank in the order of arrival: all at once if `in` has room for
 * all, else in turns. Returns the states of all other ranks.
 */
static int receive_all(const struct pd_comm *c, const struct pd_route *route, struct round *r,
                       int *status)
{
    int states = ENDED;
    size_t at = 0;
    for (int left = r->peers; left > 0; left--) {
        int from;
        const size_t bytes = pd_comm_await(c, r->tag, &from);
        if (at + bytes > r->in_cap) {
            states |= feed_arrived(route, r, status);
            at = 0;
        }
        const int k = r->narriving++;
        r->arriving[k] = (struct arriving){r->in + at, bytes - HEAD};
        MPI_Irecv(r->in + at, (int)bytes, MPI_BYTE, from, r->tag, c->handle->mpi, &r->receipts[k]);
        at += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    return states | feed_arrived(route, r, status);
}

/* The exchange of a job with one rank: the sink gets what the source fills. */
static int feed_alone(const struct pd_route *route, size_t bytes)
{
    unsigned char *recs = pd_realloc(NULL, bytes, 1);
    int status = PD_OK, source = PD_OK;
    while (status >= 0 && source == PD_OK) {
        size_t n = 0;
        source = pd_comm_check_stop();
        PD_THEN(source, route->fill(route->fill_ctx, recs, bytes, &n));
        status = source < 0 ? source : n ? route->sink(recs, n, route->sink_ctx) : PD_OK;
    }
    free(recs);
    return status;
}

/* Deal the next bite; before it, fill `pending` from the source if all of it has been dealt. */
static void deal_next(const struct pd_comm *c, const struct pd_route *route, struct round *r,
                      int *source, int *status)
{
    if (*status >= 0 && pd_comm_stopping())
        *status = pd_comm_check_stop();
    if (r->done == r->have && *source == PD_OK && *status >= 0) {
        r->done = r->have = 0;
        *source = route->fill(route->fill_ctx, r->pending, pd_exchange_round(c), &r->have);
        if (*source < 0) {
            *status = *source;
            r->have = 0;
        }
    }
    pd_comm_wait_all(r->peers, r->sends); /* the sends of the round before */
    deal_bite(c, route, r);
}

static void count_traffic(const struct pd_comm *c, const struct round *r, struct pd_traffic *moved)
{
    for (int p = 0; moved && p < c->size; p++)
        moved->bytes += p == c->rank ? 0 : r->nout[p];
    if (moved)
        moved->rounds++;
}

int pd_exchange(const struct pd_comm *c, const struct pd_route *route, struct pd_traffic *moved)
{
    const size_t bytes = pd_exchange_round(c);
    int status = PD_OK, source = PD_OK, states;
    struct round r;
    if (c->size == 1)
        return feed_alone(route, bytes);
    round_new(&r, c, bytes);
    do {
        r.tag = TAG_ROUND + (r.tag == TAG_ROUND);
        deal_next(c, route, &r, &source, &status);
        const bool more = source == PD_OK || r.done < r.have;
        const int state = status < 0 ? FAILED : more ? GOES_ON : ENDED;
        send_all(c, &r, state);
        PD_THEN(status, feed(route, r.out + r.at[c->rank], r.nout[c->rank]));
        states = state | receive_all(c, route, &r, &status);
        count_traffic(c, &r, moved);
    } while (states == GOES_ON); /* no rank has failed, and some will send more */
    pd_comm_wait_all(r.peers, r.sends);
    round_free(&r);
    return pd_comm_agree(c, status); /* the last sinks may have failed */
}

int pd_fill_from(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_source *s = ctx;
    const size_t fit = cap / s->size, left = s->n - s->done, take = pd_min_size(left, fit);
    if (take) /* no records may mean no array at all */
        memcpy(to, (const unsigned char *)s->recs + s->done * s->size, take * s->size);
    s->done += take;
    *n = take * s->size;
    return s->done == s->n ? PD_END : PD_OK;
}

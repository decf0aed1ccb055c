/*
 * run/shuffle.h - records that travel to the ranks that own them and come back sorted.
 *
 * Everything a job sends between ranks goes through here: a stage says what its records are (struct pd_flow),
 * fills them in, and reads those that arrive in order of their key. Arrival order is never seen. What does not
 * fit its budget spills to scratch. With one rank nothing of MPI is called, so a stage can be tested alone.
 *
 *     pd_shuffle_open(&s, transport, &flow, ctx);
 *     PD_TRY(pd_shuffle_send(&s, fill, fill_ctx));              COLLECTIVE
 *     PD_TRY(pd_shuffle_sort(&s));                              COLLECTIVE
 *     while ((status = pd_shuffle_look(&s, &rec)) == PD_OK)
 *         pd_shuffle_pass(&s, bytes of rec);
 *     pd_shuffle_close(&s);
 */
#ifndef PARDUP_RUN_SHUFFLE_H
#define PARDUP_RUN_SHUFFLE_H

#include "pardup/comm/exchange.h"
#include "pardup/store/sorter.h"
#include "run/budget.h"
#include "run/scratch/scratch.h"

/* What all shuffles of a job share. Borrowed by each of them. */
struct pd_transport {
    const struct pd_comm *comm;
    struct pd_scratch *scratch;
    uint64_t memory;          /* bytes each rank may use in all: the same on all ranks */
    struct pd_traffic *moved; /* grows by what is sent */
};

/* What travels: a kind of record, where it goes, and the order in which it is read. */
struct pd_flow {
    const char *name; /* of its scratch file */
    enum pd_budget budget;
    size_t size; /* bytes of a record; 0: each begins with its own size, a uint32_t, 8 | size */
    unsigned key_at, keys; /* the key: u64s [key_at, key_at + keys) of a record */
    bool lone_useless; /* records whose first key u64 no other has may be lost (store/sorter.h) */
    int (*owner)(const void *rec, int nranks, void *ctx); /* a rank in [0, nranks) */
    /* Optional: a partition in [0, npartitions) that never decreases with the key. Only speed depends on it. */
    uint32_t (*partition)(const void *rec, uint32_t npartitions, void *ctx);
    /* Optional: called once for each record that arrives, in any order. False: the record is dropped. */
    bool (*arrive)(const void *rec, void *ctx);
};

/* Zeroed is closed. */
struct pd_shuffle {
    struct pd_flow flow;
    const struct pd_transport *transport;
    void *ctx; /* of the flow's functions */
    struct pd_sorter *sorter;
    struct pd_ordered ordered; /* records that are read */
};

/*
 * Not collective. Ready for records. `flow` is copied, ctx borrowed until the shuffle is closed. spare: optional,
 * memory that shuffles lend each other, borrowed until all of them are closed.
 */
void pd_shuffle_open(struct pd_shuffle *s, const struct pd_transport *transport,
                     const struct pd_flow *flow, void *ctx, struct pd_spare *spare);

/* Not collective: free its memory and its scratch file. Closing a closed one does nothing. */
void pd_shuffle_close(struct pd_shuffle *s);

/* Not collective. Whole records, `bytes` in all, that stay on this rank. PD_OK or PD_EIO. */
static inline int pd_shuffle_push(struct pd_shuffle *s, const void *recs, size_t bytes)
{
    return pd_sorter_push(s->sorter, recs, bytes);
}

/*
 * COLLECTIVE. Send what `fill` writes (struct pd_route in comm/exchange.h) to the owners. May be called several
 * times before pd_shuffle_sort. Agreed: PD_OK, or the failure of some rank.
 */
int pd_shuffle_send(struct pd_shuffle *s,
                    int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n),
                    void *fill_ctx);

/* No more records come; they can be read. Agreed by all ranks, and for this rank alone. PD_OK or PD_EIO. */
int pd_shuffle_sort(struct pd_shuffle *s); /* COLLECTIVE */
int pd_shuffle_sort_own(struct pd_shuffle *s);

/*
 * The next record in order, which stays the next one until it is passed. Borrowed until then. PD_OK; PD_END
 * (*rec is NULL); PD_EIO, PD_EFORMAT: the scratch file cannot be read back.
 */
static inline int pd_shuffle_look(struct pd_shuffle *s, const void **rec)
{
    return pd_ordered_look(&s->ordered, rec);
}

/* Move on behind the record at hand, which has `bytes` bytes. */
static inline void pd_shuffle_pass(struct pd_shuffle *s, size_t bytes) { s->ordered.at += bytes; }

/*
 * Append the next records that have the same first `keys` u64s of their key to `group`, which is emptied first, and move
 * on behind them. PD_OK; PD_END: there is no more record; PD_EIO, PD_EFORMAT as above.
 */
int pd_shuffle_group(struct pd_shuffle *s, unsigned keys, struct pd_bytes *group);

/*
 * Sources (struct pd_route): all records of a sorted shuffle of records of one size, ctx a struct pd_shuffle.
 */
int pd_shuffle_fill(void *ctx, unsigned char *to, size_t cap, size_t *n);

/*
 * COLLECTIVE. Send records that need no order: what arrives is appended to `got`, in any order. `owner` as in
 * struct pd_flow. Agreed: PD_OK, or the failure of some rank.
 */
int pd_shuffle_collect(const struct pd_transport *transport, size_t size,
                       int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n),
                       void *fill_ctx, int (*owner)(const void *rec, int nranks, void *ctx),
                       void *owner_ctx, struct pd_bytes *got);

/* Not collective. The bytes of a budget on this rank. */
static inline uint64_t pd_transport_budget(const struct pd_transport *t, enum pd_budget what)
{
    return pd_budget_bytes(t->memory, what);
}

#endif

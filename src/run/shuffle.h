/*
 * run/shuffle.h - records that travel to the ranks that own them and come back sorted.
 *
 * All records that a stage sends to other ranks go through here. The stage says what its records
 * are (struct pd_flow), fills them in, and reads the records that have arrived in order of their
 * key. It never sees the order of arrival. Records that do not fit in their budget spill to
 * scratch. With one rank MPI is not called, so a stage can be tested alone.
 *
 *     pd_shuffle_open(&s, transport, &flow, ctx, spare);
 *     PD_TRY(pd_shuffle_gather(&s, fill, fill_ctx));            COLLECTIVE
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

/* What all shuffles of a job share. Each shuffle borrows it. */
struct pd_transport {
    const struct pd_comm *comm;
    struct pd_scratch *scratch;
    uint64_t memory;          /* bytes that each rank may use in all: the same on all ranks */
    struct pd_traffic *moved; /* grows by what this rank sends */
};

/* Where a record goes. */
enum pd_goes {
    PD_AS_OWNER_SAYS, /* to the rank that owner() of the flow says */
    PD_BY_HASH,       /* the first u64 of its key is a hash: each rank owns a range of hashes */
    PD_BY_MIX,        /* the same for pd_mix() of the first u64 of its key */
    PD_TO_RANK,       /* u64 `rank_at` of the record says the rank */
    PD_TO_FIRST       /* rank 0 */
};

/* What travels: a kind of record, where it goes, and the order in which it is read. */
struct pd_flow {
    const char *name;      /* beginning of the name of its scratch file */
    enum pd_budget budget; /* its share of --memory on each rank */
    uint64_t less;         /* bytes of the budget that something else takes */
    size_t
        size; /* bytes of a record; 0: a record begins with its size, a uint32_t, a multiple of 8 */
    unsigned key_at, keys; /* the key: u64s [key_at, key_at + keys) of a record */
    bool lone_useless; /* a record whose first key u64 no other record has may be lost (sorter.h) */
    enum pd_goes goes;
    unsigned rank_at; /* for PD_TO_RANK */
    bool spread;      /* the first u64 of the key is a hash: in place of `partition` */
    /*
     * The rank that a record goes to, in [0, nranks). Records that are only pushed need no owner.
     */
    int (*owner)(const void *rec, int nranks, void *ctx);
    /*
     * Optional: a partition in [0, npartitions) that never decreases with the key. Only speed
     * depends on it.
     */
    uint32_t (*partition)(const void *rec, uint32_t npartitions, void *ctx);
    /*
     * Optional: called once for each record that arrives, in any order. False: the record is
     * dropped.
     */
    bool (*arrive)(const void *rec, void *ctx);
};

/* A shuffle on this rank. A zeroed struct is a closed shuffle. */
struct pd_shuffle {
    struct pd_flow flow;
    const struct pd_transport *transport;
    void *ctx;                 /* context of the flow's functions */
    struct pd_sorter *sorter;  /* the records that have arrived or were pushed */
    struct pd_ordered ordered; /* reads the sorted records */
};

/*
 * Not collective. Open a shuffle without records.
 *   transport, ctx  borrowed until the shuffle is closed
 *   flow            copied
 *   spare           memory that several shuffles share, borrowed until all of them are closed;
 *                   NULL: none
 */
void pd_shuffle_open(struct pd_shuffle *s, const struct pd_transport *transport,
                     const struct pd_flow *flow, void *ctx, struct pd_spare *spare);

/* Not collective. Free the memory and delete the scratch file. A closed shuffle stays closed. */
void pd_shuffle_close(struct pd_shuffle *s);

/* Not collective. Add whole records, `bytes` in all, that stay on this rank. PD_OK or PD_EIO. */
static inline int pd_shuffle_push(struct pd_shuffle *s, const void *recs, size_t bytes)
{
    return pd_sorter_push(s->sorter, recs, bytes);
}

/*
 * COLLECTIVE. Send the records that `fill` writes (struct pd_route in comm/exchange.h) to their
 * owners. May be called several times before pd_shuffle_sort. Agreed: PD_OK, or the failure of some
 * rank.
 */
int pd_shuffle_send(struct pd_shuffle *s,
                    int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n),
                    void *fill_ctx);

/* A source of records of one size: PD_OK (*rec is the next one), PD_END, or a failure. */
struct pd_making {
    int (*next)(void *ctx, void *rec);
    void *ctx;
    size_t size;
};

/* A source for an exchange: records that are made one by one. ctx is a struct pd_making. */
int pd_making_fill(void *ctx, unsigned char *to, size_t cap, size_t *n);

/* COLLECTIVE. Send records that `next` makes one by one (struct pd_making). Agreed. */
int pd_shuffle_send_made(struct pd_shuffle *s, int (*next)(void *ctx, void *rec), void *ctx);

/* COLLECTIVE. Send records, as pd_shuffle_send() does, and sort them: no others come. */
int pd_shuffle_gather(struct pd_shuffle *s,
                      int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n),
                      void *fill_ctx);

/* COLLECTIVE. The same for records that `next` makes one by one. */
int pd_shuffle_make(struct pd_shuffle *s, int (*next)(void *ctx, void *rec), void *ctx);

/*
 * COLLECTIVE. Ask, and get answers: make the questions, sort them where they go, make the answers
 * from them, which are read in order, sort the answers where they go, and close `asked`. Both
 * shuffles are open. Agreed: PD_OK, or the failure of some rank.
 */
int pd_ask(struct pd_shuffle *asked, int (*question)(void *ctx, void *rec), void *question_ctx,
           struct pd_shuffle *told, int (*answer)(void *ctx, void *rec), void *answer_ctx);

/*
 * COLLECTIVE. Sort the records: no more records come, and they can be read. Agreed: PD_OK or
 * PD_EIO.
 */
int pd_shuffle_sort(struct pd_shuffle *s);

/* Not collective. The same for this rank alone. PD_OK or PD_EIO. */
int pd_shuffle_sort_own(struct pd_shuffle *s);

/*
 * Look at the next record in order of the key. It stays the next record, and is borrowed, until it
 * is passed. PD_OK; PD_END (*rec is NULL: no more records); PD_EIO or PD_EFORMAT (the scratch file
 * cannot be read back).
 */
static inline int pd_shuffle_look(struct pd_shuffle *s, const void **rec)
{
    return pd_ordered_look(&s->ordered, rec);
}

/* Go on to the next record. The record that was looked at has `bytes` bytes. */
static inline void pd_shuffle_pass(struct pd_shuffle *s, size_t bytes) { s->ordered.at += bytes; }

/* Look at the next record and pass it, if the flow says its size. Borrowed until the next call. */
static inline int pd_shuffle_next(struct pd_shuffle *s, const void **rec)
{
    const int status = pd_ordered_look(&s->ordered, rec);
    s->ordered.at += status == PD_OK ? s->flow.size : 0;
    return status;
}

/*
 * Look at the first record whose key begins with `key` or more, and pass the records before it.
 * Keys are asked for in ascending order. *rec is NULL if there is none, or the shuffle is closed.
 * PD_OK; PD_EIO or PD_EFORMAT.
 */
int pd_shuffle_seek(struct pd_shuffle *s, uint64_t key, const void **rec);

/*
 * Replace the contents of `group` by the next records that agree in the first `keys` u64s of their
 * key, and go on behind them. PD_OK; PD_END (no more records); PD_EIO or PD_EFORMAT (the scratch
 * file cannot be read back).
 */
int pd_shuffle_group(struct pd_shuffle *s, unsigned keys, struct pd_bytes *group);

/*
 * A source for an exchange (struct pd_route): all records of a sorted shuffle whose flow gives a
 * size. ctx is the struct pd_shuffle.
 */
int pd_shuffle_fill(void *ctx, unsigned char *to, size_t cap, size_t *n);

/*
 * COLLECTIVE. Send records that need no order: records that arrive are appended to `got`, in any
 * order.
 *   route  source and owner, with their contexts; the sink is set here
 * Agreed: PD_OK, or the failure of some rank.
 */
int pd_shuffle_collect(const struct pd_transport *transport, struct pd_route route,
                       struct pd_bytes *got);

/* Not collective. The bytes of a budget on this rank. */
static inline uint64_t pd_transport_budget(const struct pd_transport *t, enum pd_budget what)
{
    return pd_budget_bytes(t->memory, what);
}

#endif

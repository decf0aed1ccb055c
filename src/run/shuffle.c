/* run/shuffle.c - see src/run/shuffle.h */
#include "run/shuffle.h"

#include <string.h>

#include "pardup/base/error.h"
#include "pardup/base/hash.h"

/*
 * What a sorter spreads the keys by (struct pd_sorting). The hashes of one owner begin with the
 * same bits, which the product drops.
 */
static uint64_t spread_of(const struct pd_flow *flow, const struct pd_transport *transport)
{
    const bool one_range = flow->goes == PD_BY_HASH;
    return !flow->spread ? 0 : one_range ? (uint64_t)transport->comm->size : 1;
}

void pd_shuffle_open(struct pd_shuffle *s, const struct pd_transport *transport,
                     const struct pd_flow *flow, void *ctx, struct pd_spare *spare)
{
    *s = (struct pd_shuffle){.flow = *flow, .transport = transport, .ctx = ctx};
    const struct pd_sorting how = {.size = flow->size,
                                   .key_at = flow->key_at,
                                   .keys = flow->keys,
                                   .memory =
                                       pd_transport_budget(transport, flow->budget) - flow->less,
                                   .path = pd_scratch_path(transport->scratch, flow->name),
                                   .partition = flow->partition,
                                   .ctx = ctx,
                                   .spread = spread_of(flow, transport),
                                   .lone_useless = flow->lone_useless,
                                   .spare = spare};
    s->sorter = pd_sorter_new(&how);
}

void pd_shuffle_close(struct pd_shuffle *s)
{
    pd_sorter_free(s->sorter);
    *s = (struct pd_shuffle){0};
}

/* Bytes of a record. */
static size_t size_of(const struct pd_flow *flow, const unsigned char *rec)
{
    uint32_t size;
    if (flow->size)
        return flow->size;
    memcpy(&size, rec, sizeof size);
    return size;
}

/*
 * Push the records that `arrive` keeps. Records between two dropped ones are pushed in one call.
 * Some records are asked for before the first one is pushed: if `arrive` waits for memory, the
 * processor waits for all of them at once.
 */
static int push_kept(struct pd_shuffle *s, const unsigned char *recs, size_t bytes)
{
    enum { AT_ONCE = 64 }; /* records that are asked for at a time */
    for (size_t at = 0; at < bytes;) {
        size_t ends[AT_ONCE]; /* where each record ends */
        bool kept[AT_ONCE];
        size_t n = 0, begin = at; /* records from `begin` on are kept and not pushed yet */
        for (; n < AT_ONCE && at < bytes; n++) {
            kept[n] = s->flow.arrive(recs + at, s->ctx);
            ends[n] = at += size_of(&s->flow, recs + at);
        }
        for (size_t k = 0; k < n; k++)
            if (!kept[k]) {
                const size_t end = k ? ends[k - 1] : begin;
                if (end > begin)
                    PD_TRY(pd_sorter_push(s->sorter, recs + begin, end - begin));
                begin = ends[k];
            }
        if (at > begin)
            PD_TRY(pd_sorter_push(s->sorter, recs + begin, at - begin));
    }
    return PD_OK;
}

static int take(const void *recs, size_t bytes, void *ctx)
{
    struct pd_shuffle *s = ctx;
    return s->flow.arrive ? push_kept(s, recs, bytes) : pd_sorter_push(s->sorter, recs, bytes);
}

static int owner_by_hash(const void *rec, int nranks, void *ctx)
{
    const struct pd_shuffle *s = ctx;
    return pd_hash_range(((const uint64_t *)rec)[s->flow.key_at], nranks);
}

static int owner_by_mix(const void *rec, int nranks, void *ctx)
{
    const struct pd_shuffle *s = ctx;
    return pd_hash_range(pd_mix(((const uint64_t *)rec)[s->flow.key_at]), nranks);
}

static int owner_by_rank(const void *rec, int nranks, void *ctx)
{
    const struct pd_shuffle *s = ctx;
    (void)nranks;
    return (int)((const uint64_t *)rec)[s->flow.rank_at];
}

static int first_rank(const void *rec, int nranks, void *ctx)
{
    (void)rec, (void)nranks, (void)ctx;
    return 0;
}

int pd_shuffle_send(struct pd_shuffle *s,
                    int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n),
                    void *fill_ctx)
{
    static int (*const owners[])(const void *rec, int nranks,
                                 void *ctx) = {[PD_BY_HASH] = owner_by_hash,
                                               [PD_BY_MIX] = owner_by_mix,
                                               [PD_TO_RANK] = owner_by_rank,
                                               [PD_TO_FIRST] = first_rank};
    const bool own = s->flow.goes == PD_AS_OWNER_SAYS;
    const struct pd_route route = {.size = s->flow.size,
                                   .fill = fill,
                                   .owner = own ? s->flow.owner : owners[s->flow.goes],
                                   .sink = take,
                                   .fill_ctx = fill_ctx,
                                   .owner_ctx = own ? s->ctx : s,
                                   .sink_ctx = s};
    return pd_exchange(s->transport->comm, &route, s->transport->moved);
}

int pd_shuffle_sort_own(struct pd_shuffle *s)
{
    s->ordered = (struct pd_ordered){.from = s->sorter};
    return pd_sorter_finish(s->sorter);
}

int pd_shuffle_sort(struct pd_shuffle *s)
{
    return pd_comm_agree(s->transport->comm, pd_shuffle_sort_own(s));
}

int pd_shuffle_gather(struct pd_shuffle *s,
                      int (*fill)(void *ctx, unsigned char *to, size_t cap, size_t *n),
                      void *fill_ctx)
{
    PD_TRY(pd_shuffle_send(s, fill, fill_ctx));
    return pd_shuffle_sort(s);
}

int pd_shuffle_seek(struct pd_shuffle *s, uint64_t key, const void **rec)
{
    int status = PD_END;
    *rec = NULL;
    while (s->sorter && (status = pd_shuffle_look(s, rec)) == PD_OK &&
           ((const uint64_t *)*rec)[s->flow.key_at] < key)
        pd_shuffle_pass(s, s->flow.size);
    return status < 0 ? status : PD_OK;
}

int pd_shuffle_group(struct pd_shuffle *s, unsigned keys, struct pd_bytes *group)
{
    const size_t key_at = s->flow.key_at * sizeof(uint64_t), key_bytes = keys * sizeof(uint64_t);
    const void *rec;
    group->n = 0;
    for (;;) {
        PD_TRY(pd_shuffle_look(s, &rec));
        if (!rec || (group->n && memcmp((const char *)rec + key_at, group->v + key_at, key_bytes)))
            return group->n ? PD_OK : PD_END;
        const size_t size = size_of(&s->flow, rec);
        pd_bytes_append(group, rec, size);
        pd_shuffle_pass(s, size);
    }
}

int pd_making_fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    const struct pd_making *from = ctx;
    for (*n = 0; *n + from->size <= cap; *n += from->size)
        PD_PASS(from->next(from->ctx, to + *n));
    return PD_OK;
}

int pd_shuffle_send_made(struct pd_shuffle *s, int (*next)(void *ctx, void *rec), void *ctx)
{
    struct pd_making making = {next, ctx, s->flow.size};
    return pd_shuffle_send(s, pd_making_fill, &making);
}

int pd_shuffle_make(struct pd_shuffle *s, int (*next)(void *ctx, void *rec), void *ctx)
{
    PD_TRY(pd_shuffle_send_made(s, next, ctx));
    return pd_shuffle_sort(s);
}

int pd_ask(struct pd_shuffle *asked, int (*question)(void *ctx, void *rec), void *question_ctx,
           struct pd_shuffle *told, int (*answer)(void *ctx, void *rec), void *answer_ctx)
{
    int status = pd_shuffle_make(asked, question, question_ctx);
    PD_THEN(status, pd_shuffle_make(told, answer, answer_ctx));
    pd_shuffle_close(asked);
    return status;
}

int pd_shuffle_fill(void *ctx, unsigned char *to, size_t cap, size_t *n)
{
    struct pd_shuffle *s = ctx;
    const size_t size = s->flow.size;
    for (*n = 0; *n + size <= cap;) {
        const void *rec;
        PD_PASS(pd_shuffle_look(s, &rec));
        const size_t room = (cap - *n) / size * size, left = s->ordered.n - s->ordered.at;
        const size_t bytes = left < room ? left : room;
        memcpy(to + *n, rec, bytes);
        pd_shuffle_pass(s, bytes);
        *n += bytes;
    }
    return PD_OK;
}

static int append(const void *recs, size_t bytes, void *ctx)
{
    pd_bytes_append(ctx, recs, bytes);
    return PD_OK;
}

int pd_shuffle_collect(const struct pd_transport *transport, struct pd_route route,
                       struct pd_bytes *got)
{
    route.sink = append;
    route.sink_ctx = got;
    return pd_exchange(transport->comm, &route, transport->moved);
}

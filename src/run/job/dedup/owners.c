/* run/job/dedup/owners.c - see run/job/dedup/owners.h */
#include "run/job/dedup/owners.h"

#include "pardup/base/search.h"

int pd_place_owner(const struct pd_dedup *d, uint64_t place)
{
    return (int)pd_search_first(d->firsts + 1, (size_t)d->comm->size - 1, sizeof *d->firsts, 0,
                                place + 1);
}

int pd_owner_of_place(const void *rec, int nranks, void *d)
{
    (void)nranks;
    return pd_place_owner(d, *(const uint64_t *)rec);
}

int pd_owner_of_doc(const void *rec, int nranks, void *d)
{
    return pd_row_owner(*(const uint64_t *)rec, ((const struct pd_dedup *)d)->ndocs, nranks);
}

int pd_dedup_send(struct pd_dedup *d, struct pd_shuffle *to, const struct pd_flow *flow,
                  int (*next)(void *ctx, void *rec), void *ctx)
{
    pd_shuffle_open(to, &d->transport, flow, d, &d->spare);
    return pd_shuffle_make(to, next, ctx);
}

int pd_dedup_exchange(struct pd_dedup *d, struct pd_making from,
                      int (*owner)(const void *rec, int nranks, void *d),
                      int (*sink)(const void *recs, size_t bytes, void *ctx), void *sink_ctx)
{
    const struct pd_route route = {.size = from.size,
                                   .fill = pd_making_fill,
                                   .owner = owner,
                                   .sink = sink,
                                   .fill_ctx = &from,
                                   .owner_ctx = d,
                                   .sink_ctx = sink_ctx};
    return pd_exchange(d->comm, &route, d->transport.moved);
}

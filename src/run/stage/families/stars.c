/* run/stage/families/stars.c - see src/run/stage/families/stars.h */
#include "stars.h"

#include "pardup/base/error.h"
#include "pardup/base/hash.h"
#include "pardup/base/minmax.h"

int pd_node_owner(uint64_t node, int nranks)
{
    return (int)((unsigned __int128)pd_mix(node) * (unsigned)nranks >> 64);
}

int pd_to_owner_of_node(const void *rec, int nranks, void *ctx)
{
    (void)ctx;
    return pd_node_owner(*(const uint64_t *)rec, nranks);
}

static uint32_t partition_of(const void *rec, uint32_t npartitions, void *ctx)
{
    return pd_node_partition(((const struct pd_link *)rec)->u, *(const uint64_t *)ctx, npartitions);
}

static const struct pd_flow links_flow = {.name = "links",
                                          .budget = PD_BUDGET_LINKS,
                                          .size = sizeof(struct pd_link),
                                          .keys = 2,
                                          .owner = pd_to_owner_of_node,
                                          .partition = partition_of};
static const struct pd_flow smaller_flow = {.name = "smaller",
                                            .budget = PD_BUDGET_SMALLER,
                                            .size = sizeof(struct pd_link),
                                            .keys = 2,
                                            .owner = pd_to_owner_of_node,
                                            .partition = partition_of};

/* A source that gives each link of another source in both directions. */
struct doubling {
    int (*next)(void *ctx, void *link);
    void *ctx;
    struct pd_link link; /* that was given last */
    bool back;           /* it is still to be given in the other direction */
};

static int next_both(void *ctx, void *out)
{
    struct doubling *d = ctx;
    if (!d->back)
        PD_PASS(d->next(d->ctx, &d->link));
    *(struct pd_link *)out = d->back ? (struct pd_link){d->link.v, d->link.u} : d->link;
    d->back = !d->back;
    return PD_OK;
}

static int next_of_spool(void *ctx, void *link)
{
    const void *rec;
    PD_PASS(pd_spool_next(ctx, &rec));
    *(struct pd_link *)link = *(const struct pd_link *)rec;
    return PD_OK;
}

/* A source that goes through sorted links, node by node. */
struct starring {
    struct pd_shuffle *from; /* links of each node, the smallest neighbour first */
    bool large;              /* large-star; else small-star */
    uint64_t node, centre;   /* the node at hand, and the smallest of it and its neighbours */
    uint64_t last;           /* the neighbour that was seen last */
    bool begun;              /* a node is at hand */
    uint64_t changed;        /* links that have moved to another node */
};

/* What becomes of the next link. False: nothing. */
static bool next_link(struct starring *s, const struct pd_link *link, struct pd_link *out)
{
    const bool first = !s->begun || s->node != link->u;
    if (!first && s->last == link->v) /* the same link once more */
        return false;
    if (first) {
        s->begun = true;
        s->node = link->u;
        s->centre = pd_min_u64(link->u, link->v);
    }
    s->last = link->v;
    if (s->large) { /* larger neighbours go to the centre */
        *out = (struct pd_link){link->v, s->centre};
        s->changed += link->v > link->u && s->centre != link->u;
        return link->v > link->u;
    }
    /* small-star: all neighbours are smaller, and go with the node to the smallest */
    *out = (struct pd_link){first ? link->u : link->v, s->centre};
    s->changed += !first;
    return true;
}

static int next_star(void *ctx, void *link)
{
    struct starring *s = ctx;
    const void *rec;
    do
        PD_PASS(pd_shuffle_next(s->from, &rec));
    while (!next_link(s, rec, link));
    return PD_OK;
}

/* COLLECTIVE. Open `to` with what a source gives, sorted. `nodes` is borrowed while it is open. */
static int receive(const struct pd_transport *t, const uint64_t *nodes, struct pd_shuffle *to,
                   const struct pd_flow *flow, int (*next)(void *ctx, void *link), void *ctx)
{
    pd_shuffle_open(to, t, flow, (void *)nodes, NULL);
    return pd_shuffle_make(to, next, ctx);
}

/* COLLECTIVE. One round: `all` has the links in both directions, before and after. */
static int one_round(const struct pd_transport *t, const uint64_t *nodes, struct pd_shuffle *all,
                     uint64_t *changed)
{
    struct pd_shuffle smaller = {0}; /* links to smaller neighbours */
    struct starring large = {.from = all, .large = true}, small = {.from = &smaller};
    struct doubling both = {.next = next_star, .ctx = &small};
    int status = receive(t, nodes, &smaller, &smaller_flow, next_star, &large);
    pd_shuffle_close(all);
    PD_THEN(status, receive(t, nodes, all, &links_flow, next_both, &both));
    pd_shuffle_close(&smaller);
    *changed = large.changed + small.changed;
    pd_comm_sum(t->comm, changed, 1);
    return status;
}

int pd_stars_find(const struct pd_transport *t, const uint64_t *nodes, struct pd_spool *links,
                  struct pd_shuffle *stars)
{
    struct doubling both = {.next = next_of_spool, .ctx = links};
    uint64_t changed = 1;
    int status = receive(t, nodes, stars, &links_flow, next_both, &both);
    while (status >= 0 && changed > 0)
        status = one_round(t, nodes, stars, &changed);
    return status;
}

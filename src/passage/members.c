/* passage/members.c - see include/pardup/passage/members.h */
#include "pardup/passage/members.h"

#include <stdbool.h>
#include <stdlib.h>

#include "pardup/base/minmax.h"
#include "pardup/base/search.h"

/* A byte at which reaches begin or end. */
struct bound {
    uint64_t at;           /* byte */
    uint64_t begun, ended; /* passages that begin, that end there */
    bool edge, gap;        /* an end of a run; no copied text follows */
    bool point;            /* see the header */
    size_t nearest;        /* index of the nearest point */
};
PD_VEC(bounds, struct bound);

static int by_byte(const void *x, const void *y)
{
    const struct bound *a = x, *b = y;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Most passages first, then the first byte. */
static int by_passages(const void *x, const void *y)
{
    const struct bound *a = *(const struct bound *const *)x, *b = *(const struct bound *const *)y;
    const uint64_t na = a->begun + a->ended, nb = b->begun + b->ended;
    return na != nb ? (na > nb ? -1 : 1) : by_byte(a, b);
}

/* Find all bytes where reaches begin or end, in order, and which are ends of runs. */
static void find_bounds(const struct pd_reaches *reaches, struct bounds *all)
{
    uint64_t open = 0;
    size_t n = 0;
    for (size_t k = 0; k < reaches->n; k++) {
        const struct pd_reach *r = &reaches->v[k];
        bounds_push(all, (struct bound){.at = r->begin, .begun = r->passages});
        bounds_push(all, (struct bound){.at = r->end, .ended = r->passages});
    }
    qsort(all->v, all->n, sizeof *all->v, by_byte);
    for (size_t k = 0; k < all->n; k++) {
        const struct bound p = all->v[k];
        if (n > 0 && all->v[n - 1].at == p.at) {
            all->v[n - 1].begun += p.begun;
            all->v[n - 1].ended += p.ended;
        } else {
            all->v[n++] = p;
        }
    }
    all->n = n;
    for (size_t k = 0; k < n; k++) {
        struct bound *p = &all->v[k];
        const bool first = open == 0;
        open += p->begun - p->ended;
        p->gap = open == 0;
        p->edge = p->point = first || p->gap;
    }
}

/* Is a point less than PD_MEMBER_APART bytes away from byte k? */
static bool is_near_point(const struct bounds *all, size_t k)
{
    const uint64_t at = all->v[k].at;
    for (size_t i = k; i-- > 0 && at - all->v[i].at < PD_MEMBER_APART;)
        if (all->v[i].point)
            return true;
    for (size_t i = k + 1; i < all->n && all->v[i].at - at < PD_MEMBER_APART; i++)
        if (all->v[i].point)
            return true;
    return false;
}

static void choose_points(struct bounds *all)
{
    struct bound **order = pd_realloc(NULL, all->n, sizeof(struct bound *));
    size_t before = 0, after = all->n - 1;
    for (size_t k = 0; k < all->n; k++)
        order[k] = &all->v[k];
    qsort(order, all->n, sizeof(struct bound *), by_passages);
    for (size_t k = 0; k < all->n; k++)
        order[k]->point = order[k]->edge || !is_near_point(all, (size_t)(order[k] - all->v));
    free(order);
    for (size_t k = all->n; k-- > 0;) { /* the first and the last one are points */
        after = all->v[k].point ? k : after;
        all->v[k].nearest = after;
    }
    for (size_t k = 0; k < all->n; k++) {
        struct bound *p = &all->v[k];
        before = p->point ? k : before;
        if (p->at - all->v[before].at <= all->v[p->nearest].at - p->at)
            p->nearest = before;
    }
}

/* The point at which an end of a reach counts. */
static struct bound *point_of(const struct bounds *all, uint64_t at)
{
    const size_t k =
        pd_search_first(all->v, all->n, sizeof *all->v, offsetof(struct bound, at), at);
    return &all->v[all->v[k].nearest];
}

/* Let the ends of reaches count at points. */
static void move_ends(const struct pd_reaches *reaches, struct bounds *all)
{
    for (size_t k = 0; k < all->n; k++)
        all->v[k].begun = all->v[k].ended = 0;
    for (size_t k = 0; k < reaches->n; k++) {
        const struct pd_reach *r = &reaches->v[k];
        struct bound *begin = point_of(all, r->begin), *end = point_of(all, r->end);
        begin->begun += begin == end ? 0 : r->passages;
        end->ended += begin == end ? 0 : r->passages;
    }
}

void pd_members_cut(const struct pd_reaches *reaches, struct pd_members *members)
{
    struct bounds all = {0};
    uint64_t open = 0, begin = 0; /* passages at hand; where the member at hand begins */
    bool inside = false;
    members->n = 0;
    if (reaches->n == 0)
        return;
    find_bounds(reaches, &all);
    choose_points(&all);
    move_ends(reaches, &all);
    for (size_t k = 0; k < all.n; k++) {
        const struct bound *p = &all.v[k];
        open -= p->ended;
        if (p->point && (p->edge || p->begun + p->ended >= open)) {
            if (inside)
                pd_members_push(members, (struct pd_member){begin, p->at});
            begin = p->at;
            inside = !p->gap;
        }
        open += p->begun;
    }
    bounds_release(&all);
}

size_t pd_portion_chief(const struct pd_portion *v, size_t n)
{
    size_t chief = 0;
    for (size_t k = 1; k < n; k++)
        chief = v[k].end - v[k].begin > v[chief].end - v[chief].begin ? k : chief;
    return chief;
}

void pd_members_cover(const struct pd_members *members, uint64_t begin, uint64_t end,
                      struct pd_portions *portions)
{
    size_t n = 0;
    portions->n = 0;
    for (size_t k = pd_search_last(members->v, members->n, sizeof *members->v,
                                   offsetof(struct pd_member, begin), begin);
         k < members->n && members->v[k].begin < end; k++)
        pd_portions_push(portions, (struct pd_portion){k, pd_max_u64(begin, members->v[k].begin),
                                                       pd_min_u64(end, members->v[k].end)});
    const size_t chief = pd_portion_chief(portions->v, portions->n);
    for (size_t k = 0; k < portions->n; k++)
        if (k == chief || portions->v[k].end - portions->v[k].begin >= PD_MEMBER_APART)
            portions->v[n++] = portions->v[k];
    portions->n = n;
}

/* passage/region.c - see include/pardup/passage/region.h */
#include "pardup/passage/region.h"

#include <stdlib.h>

#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"

static uint32_t i_of(uint64_t dot) { return (uint32_t)(dot >> 32); }
static uint32_t j_of(uint64_t dot) { return (uint32_t)dot; }

static bool are_close(uint64_t dot, uint64_t later, uint32_t gap)
{
    const uint32_t j = j_of(dot), l = j_of(later);
    return (j < l ? l - j : j - l) <= gap;
}

/* The root of the component of dot k. Paths to it are halved on the way. */
static uint64_t root_of(uint64_t *roots, uint64_t k)
{
    while (roots[k] != k)
        k = roots[k] = roots[roots[k]];
    return k;
}

/*
 * Join the components of close dots. A root is the first dot of its component.
 *
 * Units of b are cut into cells of gap + 1. Dots of one cell are close if their units of a are, so
 * of each cell all dots that are near enough in a are in one component: one close dot will do.
 */
static void join_close(struct pd_regions *r, uint32_t gap)
{
    const uint64_t *dots = r->dots.v, side = (uint64_t)gap + 1;
    uint64_t *roots = r->roots.v, *last = r->last.v, *before = r->before.v;
    for (size_t k = 0; k < r->dots.n; k++) {
        const uint64_t cell = j_of(dots[k]) / side;
        roots[k] = k;
        for (uint64_t c = cell ? cell - 1 : 0; c <= cell + 1; c++)
            for (uint64_t m = last[c]; m && i_of(dots[k]) - i_of(dots[m - 1]) <= gap;
                 m = before[m - 1]) {
                const uint64_t x = root_of(roots, k), y = root_of(roots, m - 1);
                if (x != y && !are_close(dots[k], dots[m - 1], gap))
                    continue;
                roots[x < y ? y : x] = x < y ? x : y;
                break;
            }
        before[k] = last[cell];
        last[cell] = k + 1;
    }
    for (size_t k = 0; k < r->dots.n; k++)
        last[j_of(dots[k]) / side] = 0;
}

/* Make room for n dots, and for the cells of their units of b. */
static void make_room(struct pd_regions *r, size_t n, uint32_t gap)
{
    uint32_t most = 0;
    for (size_t k = 0; k < n; k++)
        most = pd_max_u32(most, j_of(r->dots.v[k]));
    pd_u64s_reserve(&r->roots, n);
    pd_u64s_reserve(&r->before, n);
    for (uint64_t cells = most / ((uint64_t)gap + 1) + 2; r->last.n < cells;)
        pd_u64s_push(&r->last, 0);
}

/* Extend a region by a dot that comes later. */
static void extend(struct pd_passage *p, uint64_t dot)
{
    const uint32_t i = i_of(dot), j = j_of(dot);
    if (j < p->start_b) {
        p->length_b += p->start_b - j;
        p->start_b = j;
    }
    if (i - p->start_a >= p->length_a) { /* dots ascend: it is another unit of a */
        p->length_a = i - p->start_a + 1;
        p->matched++;
    }
    if (j - p->start_b >= p->length_b)
        p->length_b = j - p->start_b + 1;
}

static int by_place(const void *x, const void *y)
{
    const struct pd_passage *p = x, *q = y;
    if (p->start_a != q->start_a)
        return p->start_a < q->start_a ? -1 : 1;
    if (p->start_b != q->start_b)
        return p->start_b < q->start_b ? -1 : 1;
    if (p->length_a != q->length_a)
        return p->length_a < q->length_a ? -1 : 1;
    return (p->length_b > q->length_b) - (p->length_b < q->length_b);
}

/*
 * Collect the components of r->dots, and append each that has more than gamma matched units of a.
 */
static void collect(struct pd_regions *r, pd_doc a, pd_doc b, uint32_t gamma, uint32_t gap,
                    struct pd_passages *out)
{
    const size_t n = r->dots.n, before = out->n;
    make_room(r, n, gap);
    join_close(r, gap);
    for (size_t k = 0; k < n; k++) {
        const uint64_t dot = r->dots.v[k], root = root_of(r->roots.v, k);
        if (root == k) {
            r->places.v[k] = out->n;
            pd_passages_push(out, (struct pd_passage){a, b, i_of(dot), j_of(dot), 1, 1, 1, 0, 1});
        } else {
            extend(&out->v[r->places.v[root]], dot);
        }
    }
    size_t kept = before;
    for (size_t k = before; k < out->n; k++)
        if (out->v[k].matched > gamma)
            out->v[kept++] = out->v[k];
    out->n = kept;
    qsort(out->v + before, kept - before, sizeof *out->v, by_place);
}

/* List the dots of n blocks in r->listed, ascending. */
static void list_dots(struct pd_regions *r, const struct pd_block *const *blocks, size_t n)
{
    r->listed.n = 0;
    for (size_t k = 0; k < n; k++) {
        const struct pd_block *block = blocks[k];
        for (uint32_t i = 0; i < block->ni; i++)
            for (uint32_t j = 0; j < block->nj; j++)
                pd_u64s_push(&r->listed, pd_ij(block->units[i], block->units[block->ni + j]));
    }
    pd_sort_records(r->listed.v, r->listed.n, 1, 1);
}

void pd_regions_find(struct pd_regions *r, const struct pd_pair_dots *pair, uint32_t gamma,
                     uint32_t gap, struct pd_passages *out)
{
    const uint64_t *dots = pair->dots;
    size_t n = pair->n;
    if (!dots) {
        list_dots(r, pair->blocks, pair->n);
        dots = r->listed.v;
        n = r->listed.n;
    }
    r->dots.n = 0;
    for (size_t k = 0; k < n; k++)
        if (k == 0 || dots[k] != dots[k - 1])
            pd_u64s_push(&r->dots, dots[k]);
    pd_u64s_reserve(&r->places, r->dots.n);
    collect(r, pair->a, pair->b, gamma, gap, out);
}

void pd_regions_release(struct pd_regions *r)
{
    PD_RELEASE(pd_u64s, &r->dots, &r->listed, &r->roots, &r->last, &r->before, &r->places);
}

/* passage/diagonal.c - see include/pardup/passage/diagonal.h */
#include "pardup/passage/diagonal.h"

#include <stdlib.h>

/* What is known of one dot while links are followed. */
struct pd_chain {
    size_t parent;    /* towards the root of its component (union-find) */
    uint32_t longest; /* dots on the longest chain that ends here */
    /* of a root: the component's bounds (inclusive) and longest chain */
    uint32_t first_i, first_j, last_i, last_j, matched;
};

static int by_place(const void *pa, const void *pb)
{
    const struct pd_passage *a = pa, *b = pb;
    const uint64_t sa = pd_ij(a->start_a, a->start_b), sb = pd_ij(b->start_a, b->start_b);
    const uint64_t la = pd_ij(a->length_a, a->length_b), lb = pd_ij(b->length_a, b->length_b);
    return sa != sb ? (sa > sb) - (sa < sb) : (la > lb) - (la < lb);
}

static struct pd_chain *room(struct pd_diagonals *d, size_t n)
{
    if (d->cap < n) {
        d->cap = n + n / 2;
        d->chains = pd_realloc(d->chains, d->cap, sizeof *d->chains);
    }
    return d->chains;
}

static size_t row_end(const struct pd_dot *dots, size_t n, size_t k)
{
    const uint32_t i = pd_dot_i(dots[k]);
    while (k < n && pd_dot_i(dots[k]) == i)
        k++;
    return k;
}

/* Lengthen the runs that reach the row before by the dots [from, to) of this row. */
static void extend_runs(struct pd_chain *v, const struct pd_dot *dots, size_t prev, size_t from,
                        size_t to)
{
    for (size_t k = from, p = prev; k < to; k++) {
        const uint32_t j = pd_dot_j(dots[k]);
        while (p < from && pd_dot_j(dots[p]) + 1 < j)
            p++;
        if (p < from && pd_dot_j(dots[p]) + 1 == j) {
            v[k].longest = v[p].longest + 1;
            v[p].longest = 0; /* goes on: not an end */
        }
    }
}

/* Gap 0: a dot goes on from the dot one row up and one column left, so two rows are merged. */
static void diagonal_runs(struct pd_diagonals *d, const struct pd_dot *dots, size_t n,
                          uint32_t gamma, struct pd_passages *out)
{
    struct pd_chain *v = room(d, n);
    for (size_t k = 0; k < n; k++)
        v[k].longest = 1;
    for (size_t from = 0, prev = 0, to; from < n; prev = from, from = to) {
        to = row_end(dots, n, from);
        if (pd_dot_i(dots[prev]) + 1 == pd_dot_i(dots[from]))
            extend_runs(v, dots, prev, from, to);
    }
    for (size_t k = 0; k < n; k++) {
        const uint32_t len = v[k].longest;
        if (len > gamma)
            pd_passages_push(out, (struct pd_passage){.a = dots[k].a,
                                                      .b = dots[k].b,
                                                      .start_a = pd_dot_i(dots[k]) + 1 - len,
                                                      .start_b = pd_dot_j(dots[k]) + 1 - len,
                                                      .length_a = len,
                                                      .length_b = len,
                                                      .matched = len,
                                                      .similarity = 1});
    }
}

static size_t root_of(struct pd_chain *v, size_t k)
{
    while (v[k].parent != k) {
        v[k].parent = v[v[k].parent].parent; /* path halving */
        k = v[k].parent;
    }
    return k;
}

static uint32_t min(uint32_t x, uint32_t y) { return x < y ? x : y; }
static uint32_t max(uint32_t x, uint32_t y) { return x > y ? x : y; }

static void unite(struct pd_chain *v, size_t x, size_t y)
{
    x = root_of(v, x);
    y = root_of(v, y);
    if (x == y)
        return;
    struct pd_chain *into = &v[x < y ? x : y], *from = &v[x < y ? y : x];
    from->parent = x < y ? x : y;
    into->first_i = min(into->first_i, from->first_i);
    into->first_j = min(into->first_j, from->first_j);
    into->last_i = max(into->last_i, from->last_i);
    into->last_j = max(into->last_j, from->last_j);
    into->matched = max(into->matched, from->matched);
}

/* Link the dots [from, to) of one row with those [prev, prev_end) of an earlier row. */
static void link_rows(struct pd_chain *v, const struct pd_dot *dots, size_t prev, size_t prev_end,
                      size_t from, size_t to, uint32_t reach)
{
    for (size_t k = from; k < to; k++) {
        const uint32_t j = pd_dot_j(dots[k]);
        while (prev < prev_end && (uint64_t)pd_dot_j(dots[prev]) + reach < j)
            prev++;
        for (size_t p = prev; p < prev_end && pd_dot_j(dots[p]) < j; p++) {
            v[k].longest = max(v[k].longest, v[p].longest + 1);
            unite(v, k, p);
        }
    }
}

static void follow_links(struct pd_chain *v, const struct pd_dot *dots, size_t n, uint32_t reach)
{
    size_t window = 0; /* first dot of the first row within reach */
    for (size_t from = 0, to; from < n; from = to) {
        to = row_end(dots, n, from);
        while ((uint64_t)pd_dot_i(dots[window]) + reach < pd_dot_i(dots[from]))
            window++;
        for (size_t prev = window, end; prev < from; prev = end) {
            end = row_end(dots, n, prev);
            link_rows(v, dots, prev, end, from, to, reach);
        }
        for (size_t k = from; k < to; k++) {
            struct pd_chain *root = &v[root_of(v, k)];
            root->matched = max(root->matched, v[k].longest);
        }
    }
}

static void components(struct pd_diagonals *d, const struct pd_dot *dots, size_t n, uint32_t gamma,
                       uint32_t gap, struct pd_passages *out)
{
    struct pd_chain *v = room(d, n);
    for (size_t k = 0; k < n; k++) {
        const uint32_t i = pd_dot_i(dots[k]), j = pd_dot_j(dots[k]);
        v[k] = (struct pd_chain){k, 1, i, j, i, j, 1};
    }
    follow_links(v, dots, n, gap + 1);
    for (size_t k = 0; k < n; k++) {
        const struct pd_chain *c = &v[k];
        if (c->parent == k && c->matched > gamma)
            pd_passages_push(out, (struct pd_passage){.a = dots->a,
                                                      .b = dots->b,
                                                      .start_a = c->first_i,
                                                      .start_b = c->first_j,
                                                      .length_a = c->last_i - c->first_i + 1,
                                                      .length_b = c->last_j - c->first_j + 1,
                                                      .matched = c->matched,
                                                      .similarity = 1});
    }
}

void pd_diagonals_find(struct pd_diagonals *d, const struct pd_dot *dots, size_t n, uint32_t gamma,
                       uint32_t gap, struct pd_passages *out)
{
    const size_t before = out->n;
    if (gap == 0)
        diagonal_runs(d, dots, n, gamma, out);
    else
        components(d, dots, n, gamma, gap, out);
    if (out->n > before)
        qsort(out->v + before, out->n - before, sizeof *out->v, by_place);
}

void pd_diagonals_release(struct pd_diagonals *d)
{
    free(d->chains);
    *d = (struct pd_diagonals){0};
}

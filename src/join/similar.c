/* join/similar.c - see include/pardup/join/similar.h */
#include "pardup/join/similar.h"

#include <stdbool.h>
#include <stdlib.h>

#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"
#include "pardup/join/minhash.h"

enum {
    SPLIT_LEAST = 256, /* lists of fewer sets are not split but compared pair by pair */
    SIFT_MOST = 1024,  /* notices of fewer sets are compared pair by pair */
    SPLIT_GAIN = 2,    /* a split must leave fewer pairs by this factor */
    FOUND_MOST = 4096  /* pairs collected for one call of `keep`; a meeting can make any number */
};

/* A probe in a list of probes that have a key in common. Order: meeting, nset_rest. */
struct listed_probe {
    uint64_t meeting;   /* the last key that all probes of the list have in common */
    uint64_t nset_rest; /* signatures in the set (high half), its keys behind the meeting (low) */
    const struct pd_probe *probe;
};
PD_VEC(pd_probe_list, struct listed_probe);
enum { LISTED_U64S = 3 };
_Static_assert(sizeof(struct listed_probe) == 8 * LISTED_U64S, "a listed set has padding");

static uint32_t nset_of(const struct listed_probe *m) { return (uint32_t)(m->nset_rest >> 32); }
static uint32_t rest_of(const struct listed_probe *m) { return (uint32_t)m->nset_rest; }

/* Give the pairs found so far to `keep`. */
static void hand_over(struct pd_comparison *c)
{
    if (c->status >= 0 && c->found.n)
        c->status = c->keep(c->ctx, c->found.v, c->found.n);
    c->found.n = 0;
}

/* Keep a similar pair, unless one of its classes has too many partners. */
static void keep_pair(struct pd_comparison *c, const struct pd_probe *p, const struct pd_probe *q,
                      uint32_t common)
{
    const uint64_t x = pd_min_u64(p->number, q->number);
    const uint64_t y = pd_max_u64(p->number, q->number);
    if (c->max_partners) {
        const uint64_t of_x = ++*pd_hash_table_at(&c->partners, x);
        const uint64_t of_y = ++*pd_hash_table_at(&c->partners, y);
        if (of_x > c->max_partners || of_y > c->max_partners)
            return;
    }
    pd_similars_push(&c->found,
                     (struct pd_similar){x, y, pd_similarity(c->kind, common, p->nset, q->nset)});
    if (c->found.n == FOUND_MOST)
        hand_over(c);
}

/*
 * Count the keys that p and q have in common.
 *   meeting  a key of both sets
 *   depth    the number of their common keys up to and including `meeting`, as known from the list;
 *            if there are more, the pair is judged at another meeting
 *   least    common keys that the pair must have to be similar
 * Returns the number, or 0 if the pair is judged elsewhere or has fewer than `least`.
 */
static uint32_t count_common(struct pd_comparison *c, const struct pd_probe *p,
                             const struct pd_probe *q, pd_key meeting, uint32_t depth,
                             uint32_t least)
{
    const pd_key *x = p->keys, *x_end = x + p->nkeys, *y = q->keys, *y_end = y + q->nkeys;
    uint32_t common = 0;
    while (*x <= meeting && *y <= meeting) {
        const bool same = *x == *y, ahead = *x <= *y, behind = *y <= *x;
        common += same;
        x += ahead;
        y += behind;
        if (common > depth)
            return 0;
        if (x == x_end || y == y_end)
            break;
    }
    c->verified++;
    while (x < x_end && y < y_end) {
        const bool same = *x == *y, ahead = *x <= *y, behind = *y <= *x;
        common += same;
        x += ahead;
        y += behind;
        if (common + pd_min_u32((uint32_t)(x_end - x), (uint32_t)(y_end - y)) < least)
            return 0;
    }
    return common >= least ? common : 0;
}

/* Are `common` keys enough for sets of that size? See know_least(). */
static bool is_enough(const struct pd_comparison *c, uint32_t common, uint32_t size)
{
    return c->kind == PD_JOIN_JACCARD ? pd_similarity(c->kind, common, size, 0) >= c->tau
                                      : pd_similarity(c->kind, common, size, size) >= c->tau;
}

/*
 * Have c->least answer, for two sets of up to `nset` signatures each, how many common keys make a
 * pair similar: by the sum of both sizes for Jaccard, by the larger size for the overlap.
 */
static void know_least(struct pd_comparison *c, uint32_t nset)
{
    struct pd_u32s *least = &c->least;
    const uint32_t end = 2 * nset + 1;
    pd_u32s_reserve(least, end);
    while (least->n < end) {
        const uint32_t size = (uint32_t)least->n;
        uint32_t common = size ? least->v[size - 1] : 0; /* never decreases with the size */
        while (common < size && !is_enough(c, common, size))
            common++;
        pd_u32s_push(least, common);
    }
}

static struct pd_bitmap bitmap_of(const struct listed_probe *m)
{
    const struct pd_probe *p = m->probe;
    return pd_bitmap_of(p->keys + p->nkeys - rest_of(m), rest_of(m), p->nset);
}

/* Begin a list of n sets of at most `nset` signatures, whose bitmaps the caller pushes. */
static void begin_list(struct pd_comparison *c, size_t n, uint32_t nset)
{
    know_least(c, nset);
    pd_u32s_reserve(&c->kept, n);
    c->bitmaps.n = 0;
}

/* The list that was begun, for questions about a set of `nset` signatures. */
static struct pd_bitmap_list list_of(const struct pd_comparison *c, uint32_t nset, uint32_t depth)
{
    return (struct pd_bitmap_list){.v = c->bitmaps.v,
                                   .depth = depth,
                                   .least = c->least.v + nset,
                                   .step = c->kind == PD_JOIN_JACCARD};
}

/* Compare all pairs of a list, which is in order of set size. */
static void compare_pairs(struct pd_comparison *c, const struct listed_probe *v, size_t n,
                          pd_key meeting, uint32_t depth)
{
    size_t from = 0;
    begin_list(c, n, nset_of(&v[n - 1]));
    for (size_t k = 0; k < n; k++)
        pd_bitmaps_push(&c->bitmaps, bitmap_of(&v[k]));
    for (size_t k = 1; k < n; k++) {
        const uint32_t smallest = pd_similarity_smallest(c->tau, nset_of(&v[k]));
        const struct pd_bitmap_list list = list_of(c, nset_of(&v[k]), depth);
        while (from < k && nset_of(&v[from]) < smallest)
            from++;
        const size_t nkept = pd_bitmaps_pass(&list, from, k, c->kept.v, &c->candidates);
        for (size_t at = 0; at < nkept; at++) {
            const size_t i = c->kept.v[at];
            const uint32_t least = list.least[nset_of(&v[i]) * list.step];
            const uint32_t common = count_common(c, v[k].probe, v[i].probe, meeting, depth, least);
            if (common)
                keep_pair(c, v[k].probe, v[i].probe, common);
        }
    }
}

/*
 * Compare the pairs of a list that are similar with `depth` common keys already, and keep the pairs
 * without a common key behind `meeting`. All other pairs meet again in the lists of the split.
 */
static void compare_done(struct pd_comparison *c, const struct listed_probe *v, size_t n,
                         pd_key meeting, uint32_t depth)
{
    for (size_t k = 1; k < n && pd_similarity_smallest(c->tau, nset_of(&v[k])) <= depth; k++)
        for (size_t i = 0; i < k; i++) {
            if (pd_similarity_least(c->kind, c->tau, nset_of(&v[k]), nset_of(&v[i])) > depth)
                continue;
            c->candidates++;
            if (count_common(c, v[k].probe, v[i].probe, meeting, depth, depth) == depth)
                keep_pair(c, v[k].probe, v[i].probe, depth);
        }
}

static uint64_t pairs_of(uint64_t n) { return n * (n - 1) / 2; }

/*
 * Split a list: enter each set under each of its keys behind the meeting that can be the next
 * common key of a similar pair. Sets with the same key are a new list.
 *   next  set to all new lists, in order of (key, set size)
 * Returns the number of pairs in the new lists.
 */
static uint64_t list_next(const struct pd_comparison *c, const struct listed_probe *v, size_t n,
                          uint32_t depth, struct pd_probe_list *next)
{
    uint64_t pairs = 0;
    next->n = 0;
    for (size_t k = 0; k < n; k++) {
        const struct pd_probe *p = v[k].probe;
        const uint32_t smallest = pd_similarity_smallest(c->tau, p->nset), rest = rest_of(&v[k]);
        const uint32_t need = smallest > depth ? smallest - depth : 1;
        for (uint32_t left = rest; left >= need; left--)
            pd_probe_list_push(
                next, (struct listed_probe){p->keys[p->nkeys - left], pd_ij(p->nset, left - 1), p});
    }
    pd_sort_records(next->v, next->n, LISTED_U64S, 2);
    for (size_t begin = 0, end; begin < next->n; begin = end) {
        for (end = begin; end < next->n && next->v[end].meeting == next->v[begin].meeting;)
            end++;
        pairs += pairs_of(end - begin);
    }
    return pairs;
}

/* The scratch list that holds the splits of lists at `depth`. */
static struct pd_probe_list *level(struct pd_comparison *c, uint32_t depth)
{
    if (c->nlevels <= depth) {
        c->levels = pd_realloc(c->levels, depth + 1, sizeof *c->levels);
        while (c->nlevels <= depth)
            c->levels[c->nlevels++] = (struct pd_probe_list){0};
    }
    return &c->levels[depth];
}

/* Find the pairs of a list whose sets have `meeting` as the common key number `depth`. */
static void compare_list(struct pd_comparison *c, const struct listed_probe *v, size_t n,
                         pd_key meeting, uint32_t depth)
{
    if (n < SPLIT_LEAST || list_next(c, v, n, depth, level(c, depth)) > pairs_of(n) / SPLIT_GAIN) {
        compare_pairs(c, v, n, meeting, depth);
        return;
    }
    compare_done(c, v, n, meeting, depth);
    const size_t nnext = c->levels[depth].n;
    for (size_t begin = 0, end; begin < nnext; begin = end) {
        const struct listed_probe *next =
            c->levels[depth].v; /* the call below may move c->levels */
        for (end = begin; end < nnext && next[end].meeting == next[begin].meeting;)
            end++;
        if (end - begin > 1)
            compare_list(c, next + begin, end - begin, next[begin].meeting, depth + 1);
    }
}

/* Bit sampling: true if an earlier table puts p and q into one bucket. */
static bool share_bits_before(const struct pd_comparison *c, const struct pd_probe *p,
                              const struct pd_probe *q)
{
    const uint64_t differ = p->superimposed ^ q->superimposed;
    for (uint32_t t = 0; t < p->table; t++)
        if (!(differ & c->masks[t]))
            return true;
    return false;
}

/*
 * Min-wise hashing: true if an earlier table puts p and q into one bucket. The buckets have to be
 * computed again, so ask this only about similar pairs.
 */
static bool share_least_before(const struct pd_comparison *c, const struct pd_probe *p,
                               const struct pd_probe *q)
{
    for (uint32_t t = 0; t < p->table; t++)
        if (pd_minhash_bucket(p->keys, p->nkeys, t, c->rows) ==
            pd_minhash_bucket(q->keys, q->nkeys, t, c->rows))
            return true;
    return false;
}

/* Compare all pairs of an LSH bucket, which is in order of set size. */
static void compare_bucket(struct pd_comparison *c, const struct listed_probe *v, size_t n)
{
    size_t from = 0;
    for (size_t k = 1; k < n; k++) {
        const struct pd_probe *p = v[k].probe;
        const uint32_t smallest = pd_similarity_smallest(c->tau, p->nset);
        while (from < k && nset_of(&v[from]) < smallest)
            from++;
        for (size_t i = from; i < k; i++) {
            const struct pd_probe *q = v[i].probe;
            if (c->masks && share_bits_before(c, p, q))
                continue;
            c->candidates++;
            const uint32_t least = pd_similarity_least(c->kind, c->tau, p->nset, q->nset);
            const uint32_t common = p->nkeys && q->nkeys ? count_common(c, p, q, 0, 0, least) : 0;
            if (common && (c->masks || !share_least_before(c, p, q)))
                keep_pair(c, p, q, common);
        }
    }
}

/* The number of keys of a probe behind its meeting. */
static uint32_t rest_behind(const struct pd_probe *p)
{
    uint32_t k = 0;
    while (p->keys[k] != p->meeting)
        k++;
    return p->nkeys - k - 1;
}

int pd_comparison_find(struct pd_comparison *c, const struct pd_probe **probes, size_t n)
{
    const bool lsh = c->kind == PD_JOIN_LSH, counted = c->sifted && n < SIFT_MOST;
    const uint64_t candidates = c->candidates;
    struct pd_probe_list all = {0};
    if (n < 2 || c->status < 0)
        return c->status;
    pd_probe_list_reserve(&all, n);
    for (size_t k = 0; k < n; k++)
        pd_probe_list_push(
            &all, (struct listed_probe){probes[k]->meeting,
                                        pd_ij(probes[k]->nset, lsh ? 0 : rest_behind(probes[k])),
                                        probes[k]});
    pd_sort_records(all.v, all.n, LISTED_U64S, 2);
    if (lsh)
        compare_bucket(c, all.v, n);
    else
        compare_list(c, all.v, n, all.v->meeting, 1);
    if (counted)
        c->candidates = candidates;
    pd_probe_list_release(&all);
    return c->status;
}

/*
 * Mark the sets of a list of notices that can be similar to set k, and k itself if there are any.
 */
static void want(struct pd_comparison *c, const struct pd_notice *v, size_t from, size_t k,
                 bool *wanted)
{
    struct pd_bitmap_list list = list_of(c, (uint32_t)v[k].nset, 1);
    list.folded = true;
    const size_t nkept = pd_bitmaps_pass(&list, from, k, c->kept.v, &c->candidates);
    for (size_t at = 0; at < nkept; at++) {
        const size_t i = c->kept.v[at];
        if (!v[k].before || v[k].before != v[i].before)
            wanted[k] = wanted[i] = true;
    }
}

size_t pd_comparison_sift(struct pd_comparison *c, struct pd_notice *v, size_t n)
{
    bool wanted[SIFT_MOST] = {false};
    size_t nwanted = 0, from = 0;
    if (n < 2 || n >= SIFT_MOST)
        return n < 2 ? 0 : n;
    begin_list(c, n, (uint32_t)v[n - 1].nset);
    for (size_t k = 0; k < n; k++)
        pd_bitmaps_push(&c->bitmaps, pd_bitmap_unfold(v[k].bits, v[k].rest, (uint32_t)v[k].nset));
    for (size_t k = 1; k < n; k++) {
        const uint32_t smallest = pd_similarity_smallest(c->tau, (uint32_t)v[k].nset);
        while (from < k && v[from].nset < smallest)
            from++;
        want(c, v, from, k, wanted);
    }
    for (size_t k = 0; k < n; k++)
        if (wanted[k])
            v[nwanted++] = v[k];
    return nwanted;
}

int pd_comparison_end(struct pd_comparison *c)
{
    hand_over(c);
    return c->status;
}

void pd_comparison_release(struct pd_comparison *c)
{
    for (size_t k = 0; k < c->nlevels; k++)
        pd_probe_list_release(&c->levels[k]);
    free(c->levels);
    PD_RELEASE(pd_u32s, &c->least, &c->kept);
    pd_bitmaps_release(&c->bitmaps);
    pd_similars_release(&c->found);
    pd_hash_table_release(&c->partners);
    c->levels = NULL;
    c->nlevels = 0;
}

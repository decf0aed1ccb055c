/*
 * passage/best/best_choose.c - see src/passage/best_inside.h
 *
 * Chains wait in a heap, the best on top. What chosen chains claim in a document is a sorted list
 * of stretches of units. They do not overlap, so their ends ascend, too.
 */
#include "passage/best_inside.h"

#include <stdlib.h>

#include "pardup/base/minmax.h"
#include "pardup/base/search.h"

enum { ASK_EVERY = 1024 }; /* chains that are looked at before `stopping` is asked again */

/* The claimed units of one document: pd_ij(first unit, last unit), ascending. */
struct claims {
    struct pd_u64s v;
};

struct choosing {
    const struct pd_dot_run *runs;
    const struct pd_best_options *options;
    struct pd_subruns *subruns;
    struct pd_chains *heap;  /* a binary heap; the best chain is on top */
    struct pd_chains chosen; /* whole chains */
    struct claims a, b;
    struct claims spans_a, spans_b; /* chosen chains with all their gaps, without inner chains */
    uint64_t few;                   /* the larger of gamma and PD_BEST_FEW */
};

/* ---- the heap ---- */

static bool is_better(const struct pd_chain *x, const struct pd_chain *y)
{
    return x->score != y->score ? x->score > y->score : x->start < y->start;
}

static void sift_down(struct pd_chain *v, size_t n, size_t k)
{
    for (size_t child; (child = 2 * k + 1) < n; k = child) {
        if (child + 1 < n && is_better(&v[child + 1], &v[child]))
            child++;
        if (!is_better(&v[child], &v[k]))
            return;
        const struct pd_chain swap = v[k];
        v[k] = v[child];
        v[child] = swap;
    }
}

static struct pd_chain take_best(struct pd_chains *heap)
{
    const struct pd_chain best = heap->v[0];
    heap->v[0] = heap->v[--heap->n];
    sift_down(heap->v, heap->n, 0);
    return best;
}

static void put(struct pd_chains *heap, struct pd_chain chain)
{
    pd_chains_push(heap, chain);
    for (size_t k = heap->n - 1; k > 0 && is_better(&heap->v[k], &heap->v[(k - 1) / 2]);
         k = (k - 1) / 2) {
        const struct pd_chain swap = heap->v[k];
        heap->v[k] = heap->v[(k - 1) / 2];
        heap->v[(k - 1) / 2] = swap;
    }
}

/* ---- claims ---- */

/* The index of the first claim that ends at unit x or behind it. */
static size_t first_claim(const struct claims *c, uint64_t x)
{
    size_t lo = 0, hi = c->v.n;
    PD_BISECT(lo, hi, mid, (uint32_t)c->v.v[mid] < x);
    return lo;
}

static void claim(struct claims *c, uint64_t first, uint64_t last)
{
    const size_t at = first_claim(c, first);
    pd_u64s_push(&c->v, 0);
    memmove(c->v.v + at + 1, c->v.v + at, (c->v.n - 1 - at) * sizeof *c->v.v);
    c->v.v[at] = pd_ij((uint32_t)first, (uint32_t)last);
}

/* True if some unit of [first, last] is claimed. */
static bool has_claim(const struct claims *c, uint64_t first, uint64_t last)
{
    const size_t at = first_claim(c, first);
    return first <= last && at < c->v.n && c->v.v[at] >> 32 <= last;
}

/*
 * Where units stop being free from x on: the first unit that is claimed, or within `overlap` units
 * of a claim. *free: the first free unit from there on. UINT64_MAX: all units are free.
 */
static uint64_t blocked_from(const struct claims *c, uint64_t x, uint64_t overlap, uint64_t *free)
{
    size_t at = first_claim(c, x > overlap ? x - overlap : 0);
    if (at == c->v.n)
        return *free = UINT64_MAX;
    const uint64_t first = c->v.v[at] >> 32;
    *free = (uint32_t)c->v.v[at] + overlap + 1;
    while (++at < c->v.n && c->v.v[at] >> 32 <= *free + overlap)
        *free = (uint32_t)c->v.v[at] + overlap + 1;
    return pd_max_u64(x, first > overlap ? first - overlap : 0);
}

/*
 * True if the units between two subruns of a chain are not claimed. Gaps of fewer than `least`
 * units are not looked at.
 */
static bool is_link_free(const struct choosing *c, const struct pd_subrun *x,
                         const struct pd_subrun *y, uint64_t least)
{
    const uint64_t i = pd_subrun_last_i(x) + 1, j = pd_subrun_last_j(c->runs, x) + 1;
    const uint64_t end_i = y->i, end_j = pd_subrun_j(c->runs, y);
    return !(end_i - i >= least && has_claim(&c->a, i, end_i - 1)) &&
           !(end_j - j >= least && has_claim(&c->b, j, end_j - 1));
}

/* ---- choosing ---- */

/* End the part of a chain that begins at subrun `from`: it waits, if it has enough dots. */
static void end_part(struct choosing *c, size_t from)
{
    struct pd_chain part = {.from = from, .to = c->subruns->n};
    if (part.from == part.to)
        return;
    if (pd_chain_rate(c->runs, c->subruns->v, &part) > c->options->gamma)
        put(c->heap, part);
    else
        c->subruns->n = from;
}

/* Append the free parts of a subrun. Parts of the chain end where it is not free. */
static void cut_subrun(struct choosing *c, struct pd_subrun s, size_t *from)
{
    const uint64_t overlap = c->options->overlap, shift = c->runs[s.run].diagonal;
    const uint64_t end = (uint64_t)s.i + s.n;
    uint64_t i = s.i;
    while (i < end) {
        uint64_t free_a, free_b;
        const uint64_t a = blocked_from(&c->a, i, overlap, &free_a);
        uint64_t b = blocked_from(&c->b, i + shift - PD_RUN_MAIN, overlap, &free_b);
        if (b != UINT64_MAX) {
            b = b + PD_RUN_MAIN - shift;
            free_b = free_b + PD_RUN_MAIN - shift;
        }
        const uint64_t until = pd_min_u64(end, pd_min_u64(a, b));
        if (until > i)
            pd_subruns_push(c->subruns,
                            (struct pd_subrun){s.run, (uint32_t)i, (uint32_t)(until - i)});
        if (until == end)
            return;
        end_part(c, *from);
        *from = c->subruns->n;
        i = a <= b ? free_a : free_b;
    }
}

/* Cut what is claimed out of a chain. The parts wait. */
static void cut(struct choosing *c, const struct pd_chain *chain)
{
    size_t from = c->subruns->n;
    for (size_t k = chain->from; k < chain->to; k++) {
        const struct pd_subrun s = c->subruns->v[k];
        if (k > chain->from && !is_link_free(c, &c->subruns->v[k - 1], &s, 0)) {
            end_part(c, from);
            from = c->subruns->n;
        }
        cut_subrun(c, s, &from);
    }
    end_part(c, from);
}

static bool is_free(const struct choosing *c, const struct pd_chain *chain)
{
    const uint64_t overlap = c->options->overlap;
    const struct pd_subrun *v = c->subruns->v;
    for (size_t k = chain->from; k < chain->to; k++) {
        const uint64_t i = v[k].i, j = pd_subrun_j(c->runs, &v[k]);
        if (has_claim(&c->a, i > overlap ? i - overlap : 0, i + v[k].n - 1 + overlap) ||
            has_claim(&c->b, j > overlap ? j - overlap : 0, j + v[k].n - 1 + overlap) ||
            (k > chain->from && !is_link_free(c, &v[k - 1], &v[k], 0)))
            return false;
    }
    return true;
}

/* Add the stretch from x to y of a document to its spans, unless it lies in one. */
static void add_span(struct claims *spans, uint64_t x, uint64_t y)
{
    if (!has_claim(spans, x, x))
        claim(spans, x, y);
}

/* Claim the units of a chain, with its short gaps. */
static void choose(struct choosing *c, const struct pd_chain *chain)
{
    const struct pd_subrun *v = c->subruns->v;
    uint64_t i = v[chain->from].i, j = pd_subrun_j(c->runs, &v[chain->from]);
    pd_chains_push(&c->chosen, *chain);
    add_span(&c->spans_a, i, pd_subrun_last_i(&v[chain->to - 1]));
    add_span(&c->spans_b, j, pd_subrun_last_j(c->runs, &v[chain->to - 1]));
    for (size_t k = chain->from; k < chain->to; k++) {
        const uint64_t last_i = pd_subrun_last_i(&v[k]);
        const uint64_t last_j = pd_subrun_last_j(c->runs, &v[k]);
        const bool ends = k + 1 == chain->to;
        if (ends || v[k + 1].i - last_i - 1 > c->few) {
            claim(&c->a, i, last_i);
            i = ends ? 0 : v[k + 1].i;
        }
        const uint64_t next_j = ends ? 0 : pd_subrun_j(c->runs, &v[k + 1]);
        if (ends || next_j - last_j - 1 > c->few) {
            claim(&c->b, j, last_j);
            j = next_j;
        }
    }
}

/* Split chosen chains where another one lies in a gap. They claim shorter gaps themselves. */
static void split(struct choosing *c)
{
    c->heap->n = 0;
    for (size_t k = 0; k < c->chosen.n; k++) {
        struct pd_chain part = c->chosen.v[k];
        const size_t end = part.to;
        for (size_t s = part.from + 1; s <= end; s++) {
            if (s < end && is_link_free(c, &c->subruns->v[s - 1], &c->subruns->v[s], c->few + 1))
                continue;
            part.to = s;
            if (pd_chain_rate(c->runs, c->subruns->v, &part) > c->options->gamma)
                pd_chains_push(c->heap, part);
            part.from = s;
        }
    }
}

/* True if a free chain is too short for the gap of another chain that it lies in. */
static bool is_too_short(const struct choosing *c, struct pd_chain chain)
{
    return pd_chain_rate(c->runs, c->subruns->v, &chain) <= c->few &&
           (has_claim(&c->spans_a, chain.start >> 32, chain.start >> 32) ||
            has_claim(&c->spans_b, (uint32_t)chain.start, (uint32_t)chain.start));
}

static void release(struct choosing *c)
{
    pd_chains_release(&c->chosen);
    PD_RELEASE(pd_u64s, &c->a.v, &c->b.v, &c->spans_a.v, &c->spans_b.v);
}

void pd_chains_choose(const struct pd_dot_runs *runs, const struct pd_best_options *options,
                      struct pd_subruns *subruns, struct pd_chains *chains)
{
    struct choosing c = {.runs = runs->v,
                         .options = options,
                         .subruns = subruns,
                         .heap = chains,
                         .few = pd_max_u32(options->gamma, PD_BEST_FEW)};
    if (chains->n <= 1)
        return;
    for (size_t k = chains->n / 2; k-- > 0;)
        sift_down(chains->v, chains->n, k);
    for (size_t turn = 1; chains->n; turn++) {
        const struct pd_chain best = take_best(chains);
        if (!is_free(&c, &best))
            cut(&c, &best);
        else if (!is_too_short(&c, best))
            choose(&c, &best);
        if (turn % ASK_EVERY == 0 && options->stopping && options->stopping())
            break;
    }
    split(&c);
    release(&c);
}

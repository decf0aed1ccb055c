/* run/explain/runs.c - runs of matched units, and why they are no passages. */
#include <stdio.h>

#include "explain.h"
#include "pardup/base/bytes.h"
#include "pardup/passage/pair.h"
#include "run/collection/site.h"
#include "run/finding.h"

enum { GAP_MOST = 1000 }; /* the greatest --gap */

/* The dots as n blocks of one dot, since blocks have similarities. */
struct blocks {
    struct pd_u64s records;
    const struct pd_block **v; /* in `records` */
    size_t n;
};

/* The dots as a pair. A is document 0, B is document 1. */
static struct pd_pair_dots pair_of(const struct blocks *b)
{
    return (struct pd_pair_dots){.a = 0, .b = 1, .blocks = b->v, .n = b->n};
}

/* The similarity of two matched units. */
static double similarity_of(const struct explaining *x, uint32_t i, uint32_t j)
{
    const struct pd_explained *a = &x->e->sides[0].units.v[i], *b = &x->e->sides[1].units.v[j];
    if (a->sig == b->sig)
        return 1;
    if (a->best == j)
        return a->similarity;
    return b->best == i ? b->similarity : x->options->method.tau;
}

static void make_blocks(const struct explaining *x, struct blocks *b)
{
    const struct pd_u64s *dots = &x->e->dots;
    enum { U64S = 5 };
    pd_u64s_reserve(&b->records, dots->n * U64S);
    b->v = pd_realloc(NULL, dots->n + 1, sizeof *b->v);
    for (size_t k = 0; k < dots->n; k++) {
        struct pd_block *block = (struct pd_block *)(void *)(b->records.v + k * U64S);
        const uint32_t i = (uint32_t)(dots->v[k] >> 32), j = (uint32_t)dots->v[k];
        const double similarity = similarity_of(x, i, j);
        *block = (struct pd_block){.size = U64S * 8, .ni = 1, .nj = 1, .a = 0, .b = 1};
        block->units[0] = i;
        block->units[1] = j;
        memcpy((char *)block + block->size - sizeof similarity, &similarity, sizeof similarity);
        b->v[k] = block;
    }
    b->n = dots->n;
}

/* The most units that a run with this gap matches. */
static uint64_t longest_of(const struct blocks *b, uint32_t gap)
{
    struct pd_diagonals d = {.lines = NULL};
    struct pd_passages found = {0};
    uint64_t longest = 0;
    const struct pd_pair_dots pair = pair_of(b);
    if (b->n)
        pd_diagonals_find(&d, &pair, 0, gap, &found);
    for (size_t k = 0; k < found.n; k++)
        longest = found.v[k].matched > longest ? found.v[k].matched : longest;
    pd_diagonals_release(&d);
    pd_passages_release(&found);
    return longest;
}

/* Find the runs that --passages asks for. --refine, which looks at words, is not explained. */
static void find_runs(const struct explaining *x, const struct blocks *b)
{
    struct pd_method_options o = x->options->method;
    const struct pd_pair_dots pair = pair_of(b);
    struct pd_finder finder;
    if (b->n == 0)
        return;
    o.refine = PD_REFINE_NONE;
    pd_finder_of(&finder, &o, NULL);
    (void)pd_finder_find(&finder, &pair, &x->e->found);
    pd_finder_release(&finder);
}

/* Find the least gap with which a run is long enough. */
static void find_gap(const struct explaining *x, const struct blocks *b)
{
    const uint64_t gamma = (uint64_t)x->options->method.gamma;
    uint32_t lo = (uint32_t)x->options->method.gap + 1, hi = GAP_MOST;
    if (b->n <= gamma || lo > hi || longest_of(b, hi) <= gamma)
        return;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (longest_of(b, mid) > gamma)
            hi = mid;
        else
            lo = mid + 1;
    }
    x->e->gap = lo;
    x->e->bridged = longest_of(b, lo);
}

/* Why the runs that were found are not in the result. */
static enum pd_left why_left(const struct explaining *x)
{
    const struct pd_method_options *o = &x->options->method;
    const struct pd_passages *found = &x->e->found;
    if (found->n == 0 || x->e->listed.n)
        return PD_LEFT_NOTHING;
    if (o->skip_same_host && pd_site_is_host(x->sides[0].host) &&
        x->sides[0].host == x->sides[1].host)
        return PD_LEFT_HOST;
    if (o->skip_same && x->sides[0].same && x->sides[0].same == x->sides[1].same)
        return PD_LEFT_SAME;
    if (!pd_pair_passes(found->v, found->n, o->theta_d, (uint64_t)o->delta))
        return PD_LEFT_SCORE;
    return o->min_passage_words || o->min_agreement > 0 ? PD_LEFT_LENGTH : PD_LEFT_NOTHING;
}

/* Count the passages of the result that are not among the runs. */
static uint64_t count_missing(const struct explaining *x)
{
    const struct pd_passages *listed = &x->e->listed, *found = &x->e->found;
    uint64_t missing = 0;
    if (x->options->method.refine != PD_REFINE_NONE || x->e->equal)
        return 0;
    for (size_t k = 0; k < listed->n; k++) {
        const struct pd_passage *p = &listed->v[k];
        bool same = false;
        for (size_t i = 0; i < found->n && !same; i++) {
            const struct pd_passage *q = &found->v[i];
            same = p->start_a == q->start_a && p->start_b == q->start_b &&
                   p->length_a == q->length_a && p->length_b == q->length_b &&
                   p->matched == q->matched;
        }
        missing += !same;
    }
    return missing;
}

void pd_explain_runs(struct explaining *x)
{
    struct blocks b = {.n = 0};
    make_blocks(x, &b);
    find_runs(x, &b);
    x->e->longest = longest_of(&b, (uint32_t)x->options->method.gap);
    if (x->e->longest <= (uint64_t)x->options->method.gamma)
        find_gap(x, &b);
    x->e->left = why_left(x);
    x->e->missing = count_missing(x);
    pd_u64s_release(&b.records);
    free(b.v);
}

/* run/job/explain/runs.c - runs of matched units, and why they are no passages. */

#include "explain.h"
#include "pardup/passage/pair.h"
#include "run/stage/collection/site.h"
#include "run/stage/finding.h"

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

/* The most units that a run with this gap matches; with --refine, a region. */
static uint64_t longest_of(const struct explaining *x, const struct blocks *b, uint32_t gap)
{
    struct pd_method_options o = x->options->method;
    struct pd_passages found = {0};
    struct pd_finder finder;
    uint64_t longest = 0;
    const struct pd_pair_dots pair = pair_of(b);
    if (b->n == 0)
        return 0;
    o.gamma = 0;
    o.gap = gap;
    o.passages = PD_PASSAGES_ALL;
    pd_finder_of(&finder, &o, NULL);
    (void)pd_finder_find(&finder, &pair, &found);
    for (size_t k = 0; k < found.n; k++)
        longest = found.v[k].matched > longest ? found.v[k].matched : longest;
    pd_finder_release(&finder);
    pd_passages_release(&found);
    return longest;
}

static bool refines(const struct explaining *x)
{
    return x->options->method.refine != PD_REFINE_NONE;
}

/* Find the runs that --passages asks for, or regions with --refine. */
static void find_runs(const struct explaining *x, const struct blocks *b)
{
    const struct pd_pair_dots pair = pair_of(b);
    struct pd_finder finder;
    if (b->n == 0)
        return;
    pd_finder_of(&finder, &x->options->method, NULL);
    (void)pd_finder_find(&finder, &pair, refines(x) ? &x->e->regions : &x->e->found);
    pd_finder_release(&finder);
}

/* ---- passages in regions ---- */

/* The words of a document in room for them. */
struct room {
    struct pd_u64s words, spellings;
};

/* The words around [start, start + length) of a document, as they are compared. */
static struct pd_window window_of(const struct pd_explain_side *side, uint32_t start,
                                  uint32_t length, struct room *room)
{
    const struct pd_stretch at = pd_refine_around(start, length, side->words.n);
    room->words.n = room->spellings.n = 0;
    for (uint32_t k = at.from; k < at.to; k++) {
        const struct pd_used_word *w = &side->words.v[k];
        uint64_t spelling = w->spelling;
        pd_u64s_push(&room->words, w->aside ? pd_refine_hidden(side->doc, k, &spelling)
                                            : pd_refine_word(w->term, w->commonness));
        pd_u64s_push(&room->spellings, spelling);
    }
    return (struct pd_window){room->words.v, at.to - at.from, at.from, room->spellings.v};
}

/* Find passages in the regions, and keep what is decided about each span. */
static void refine(const struct explaining *x)
{
    struct pd_explanation *e = x->e;
    struct pd_refining refining = {.tried = &e->tried};
    struct room a = {.words = {0}}, b = {.words = {0}};
    for (size_t k = 0; k < e->regions.n; k++) {
        const struct pd_passage *p = &e->regions.v[k];
        const struct pd_window in_a = window_of(&e->sides[0], p->start_a, p->length_a, &a);
        const struct pd_window in_b = window_of(&e->sides[1], p->start_b, p->length_b, &b);
        pd_refine_region(&refining, p, &in_a, &in_b);
        pd_u64s_push(&e->tried_to, e->tried.n);
    }
    pd_refine_pair(&refining, 0, 1, &e->found);
    pd_refining_release(&refining);
    PD_RELEASE(pd_u64s, &a.words, &a.spellings, &b.words, &b.spellings);
}

/* ---- why there is no passage ---- */

/* Find the least gap with which a run is long enough. */
static void find_gap(const struct explaining *x, const struct blocks *b)
{
    const uint64_t gamma = (uint64_t)x->options->method.gamma;
    uint32_t lo = (uint32_t)x->options->method.gap + 1, hi = GAP_MOST;
    if (b->n <= gamma || lo > hi || longest_of(x, b, hi) <= gamma)
        return;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (longest_of(x, b, mid) > gamma)
            hi = mid;
        else
            lo = mid + 1;
    }
    x->e->gap = lo;
    x->e->bridged = longest_of(x, b, lo);
}

/* Why the runs that were found are not in the result. */
static enum pd_left why_left(const struct explaining *x)
{
    const struct pd_method_options *o = &x->options->method;
    const struct pd_passages *runs = refines(x) ? &x->e->regions : &x->e->found;
    if (runs->n == 0 || x->e->listed.n)
        return PD_LEFT_NOTHING;
    if (!pd_pair_passes(runs->v, runs->n, o->theta_d, (uint64_t)o->delta))
        return PD_LEFT_SCORE;
    if (x->e->found.n == 0)
        return PD_LEFT_NOTHING;
    if (o->skip_same_host && pd_site_is_host(x->sides[0].host) &&
        x->sides[0].host == x->sides[1].host)
        return PD_LEFT_HOST;
    if (o->skip_same && x->sides[0].same && x->sides[0].same == x->sides[1].same)
        return PD_LEFT_SAME;
    return o->min_passage_words || o->min_agreement > 0 ? PD_LEFT_LENGTH : PD_LEFT_NOTHING;
}

/* How many passages of `v` does `others` lack? */
static uint64_t count_without(const struct pd_passages *v, const struct pd_passages *others)
{
    uint64_t n = 0;
    for (size_t k = 0; k < v->n; k++) {
        const struct pd_passage *p = &v->v[k];
        bool same = false;
        for (size_t i = 0; i < others->n && !same; i++) {
            const struct pd_passage *q = &others->v[i];
            same = p->start_a == q->start_a && p->start_b == q->start_b &&
                   p->length_a == q->length_a && p->length_b == q->length_b &&
                   p->matched == q->matched;
        }
        n += !same;
    }
    return n;
}

void pd_explain_runs(struct explaining *x)
{
    struct blocks b = {.n = 0};
    make_blocks(x, &b);
    find_runs(x, &b);
    if (refines(x))
        refine(x);
    x->e->longest = longest_of(x, &b, (uint32_t)x->options->method.gap);
    if (x->e->longest <= (uint64_t)x->options->method.gamma)
        find_gap(x, &b);
    x->e->left = why_left(x);
    if (!x->e->equal) {
        x->e->missing = count_without(&x->e->listed, &x->e->found);
        x->e->dropped = x->e->listed.n ? count_without(&x->e->found, &x->e->listed) : 0;
    }
    pd_u64s_release(&b.records);
    free(b.v);
}

/* run/job/explain/compare.c - compare all units of two documents, as classes and joins do. */
#include "explain.h"

#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/join/anchors.h"
#include "pardup/join/similarity.h"
#include "run/buckets.h"

/* A unit of the first document and all units of the second one that have something in common. */
struct comparing {
    struct explaining *x;
    struct members inverted; /* members of the second document, in order of sig, unit */
    struct pd_buckets buckets;
    uint32_t *shared;       /* for each unit of the second document: signatures in common */
    struct pd_u64s touched; /* units with something in common */
};

static uint32_t members_of(const struct compared *c, uint32_t unit)
{
    return (uint32_t)(c->firsts.v[unit + 1] - c->firsts.v[unit]);
}

/* Why a class in `df` documents that is in /common is there: crowded classes are, too. */
static enum pd_why why_common(const struct pd_method_options *o, uint64_t df)
{
    const bool times = o->max_df && o->max_df_of == PD_DF_TIMES; /* nothing is crowded then */
    return times || pd_is_common(df, (uint64_t)o->max_df) ? PD_WHY_COMMON : PD_WHY_CROWDED;
}

/*
 * Are two units of a common class matched, the k-th and the m-th that their documents have of it?
 */
static enum pd_why judge_common(const struct explaining *x, const struct pd_common *common,
                                size_t k, size_t m)
{
    const struct pd_method_options *o = &x->options->method;
    const enum pd_why why = why_common(o, common->df);
    if (why == PD_WHY_CROWDED || o->common == PD_COMMON_ASIDE)
        return why;
    if (common->doc != x->e->sides[0].doc && common->doc != x->e->sides[1].doc)
        return PD_WHY_ANCHORED;
    return k / PD_TIER == m / PD_TIER ? PD_WHY_MATCHED : PD_WHY_TIER;
}

/* Do two units share a bucket? */
static bool share_bucket(const struct comparing *c, uint32_t i, uint32_t j)
{
    const uint32_t units[2] = {i, j};
    struct pd_u64s sets[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        const struct compared *side = &c->x->sides[k];
        const struct member *m = side->members.v + side->firsts.v[units[k]];
        for (uint32_t s = 0; s < members_of(side, units[k]); s++)
            pd_u64s_push(&sets[k], m[s].sig);
    }
    const bool shared = pd_buckets_share(&c->buckets, sets[0].v, sets[0].n, sets[1].v, sets[1].n);
    for (int k = 0; k < 2; k++)
        pd_u64s_release(&sets[k]);
    return shared;
}

/* Judge two units that have different names. */
static enum pd_why judge_similar(const struct comparing *c, uint32_t i, uint32_t j, uint32_t shared)
{
    const struct pd_method_options *o = &c->x->options->method;
    const struct pd_explanation *e = c->x->e;
    const uint32_t n = members_of(&c->x->sides[0], i), m = members_of(&c->x->sides[1], j);
    if (o->join == PD_JOIN_EQUAL || shared == 0 ||
        shared < pd_similarity_least(o->join, o->tau, n, m))
        return PD_WHY_BELOW;
    const uint64_t df[2] = {e->sides[0].units.v[i].df, e->sides[1].units.v[j].df};
    for (int k = 0; k < 2; k++)
        if (df[k])
            return why_common(o, df[k]);
    return o->join == PD_JOIN_LSH && !share_bucket(c, i, j) ? PD_WHY_BUCKET : PD_WHY_MATCHED;
}

/* What units themselves say, whatever they are compared with. */
static enum pd_why judge_units(const struct explaining *x, uint32_t i, uint32_t j)
{
    const enum pd_why own = x->e->sides[0].units.v[i].own, other = x->e->sides[1].units.v[j].own;
    return own != PD_WHY_MATCHED     ? own
           : other != PD_WHY_MATCHED ? other
           : x->sides[0].sided.v[i]  ? PD_WHY_MATCHED
                                     : PD_WHY_SAMPLED;
}

static void remember_best(struct pd_explained *u, uint32_t other, double similarity,
                          enum pd_why why)
{
    const bool matched = why == PD_WHY_MATCHED, was = u->why == PD_WHY_MATCHED;
    if (u->best != PD_EXPLAIN_NONE && (matched == was ? similarity <= u->similarity : was))
        return;
    u->best = other;
    u->similarity = similarity;
    u->why = why;
}

/* Count a pair of units. */
static void judge(struct comparing *c, uint32_t i, uint32_t j, enum pd_why why, double similarity)
{
    struct pd_explanation *e = c->x->e;
    struct pd_explaineds *a = &e->sides[0].units, *b = &e->sides[1].units;
    const enum pd_why units = judge_units(c->x, i, j);
    if (units != PD_WHY_MATCHED && why != PD_WHY_BELOW)
        why = units;
    remember_best(&a->v[i], j, similarity, why);
    remember_best(&b->v[j], i, similarity, why);
    if (why == PD_WHY_MATCHED)
        pd_u64s_push(&e->dots, pd_ij(i, j));
    else
        e->refused[why]++;
}

/*
 * Judge all pairs of n units of the first document, from name `a` on, with m of the second one.
 * They have one name.
 */
static void judge_equal(struct comparing *c, size_t a, size_t n, size_t b, size_t m)
{
    const struct compared *sides = c->x->sides;
    const struct pd_posting *x = &sides[0].names.v[a], *y = &sides[1].names.v[b];
    const struct pd_common *common = pd_explain_common(c->x, x->sig);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            judge(c, pd_posting_unit(&x[i]), pd_posting_unit(&y[j]),
                  sides[0].recurs.v[a + i] || sides[1].recurs.v[b + j] ? PD_WHY_REPEATED
                  : common ? judge_common(c->x, common, i, j)
                           : PD_WHY_MATCHED,
                  1);
}

/* Judge all pairs of equal names. */
static void compare_names(struct comparing *c)
{
    const struct pd_postings *a = &c->x->sides[0].names, *b = &c->x->sides[1].names;
    for (size_t i = 0, end; i < a->n; i = end) {
        size_t j = pd_search_first(b->v, b->n, sizeof *b->v, 0, a->v[i].sig);
        end = pd_explain_same_names(a, i);
        while (j < b->n && b->v[j].sig == a->v[i].sig && !pd_same_class(&a->v[i], &b->v[j]))
            j++;
        if (j < b->n && pd_same_class(&a->v[i], &b->v[j]))
            judge_equal(c, i, end - i, j, pd_explain_same_names(b, j) - j);
    }
}

/* Have two units a name in common? */
static bool are_equal(const struct comparing *c, uint32_t i, uint32_t j)
{
    const struct pd_explained *a = &c->x->e->sides[0].units.v[i],
                              *b = &c->x->e->sides[1].units.v[j];
    return a->sig && a->sig == b->sig;
}

/* Count what unit i has in common with units of the second document. */
static void count_shared(struct comparing *c, uint32_t i)
{
    const struct compared *a = &c->x->sides[0];
    c->touched.n = 0;
    for (uint64_t k = a->firsts.v[i]; k < a->firsts.v[i + 1]; k++) {
        const uint64_t sig = a->members.v[k].sig;
        const struct members *v = &c->inverted;
        for (size_t at = pd_search_first(v->v, v->n, sizeof *v->v, 0, sig);
             at < v->n && v->v[at].sig == sig; at++)
            if (c->shared[v->v[at].unit]++ == 0)
                pd_u64s_push(&c->touched, v->v[at].unit);
    }
    pd_sort_records(c->touched.v, c->touched.n, 1, 1);
}

/* Judge all pairs of unit i with units of other names. */
static void compare_unit(struct comparing *c, uint32_t i)
{
    const enum pd_join_kind join = c->x->options->method.join;
    const uint32_t n = members_of(&c->x->sides[0], i);
    count_shared(c, i);
    for (size_t k = 0; k < c->touched.n; k++) {
        const uint32_t j = (uint32_t)c->touched.v[k], m = members_of(&c->x->sides[1], j);
        const uint32_t shared = c->shared[j];
        c->shared[j] = 0;
        if (!are_equal(c, i, j))
            judge(c, i, j, judge_similar(c, i, j, shared),
                  pd_similarity(join == PD_JOIN_EQUAL ? PD_JOIN_JACCARD : join, shared, n, m));
    }
}

/*
 * Is the nearest unit of another name worth naming? Not that of a gram: grams in a row share words,
 * and a book has as many as words. Where words are refined, nobody shows the units.
 */
static bool units_are_alike(const struct pd_method_options *o)
{
    return o->refine == PD_REFINE_NONE && (o->units != PD_UNIT_GRAM || o->join != PD_JOIN_EQUAL);
}

/* Sort the dots. Units with several names make some dots twice. */
static void sort_dots(struct pd_u64s *dots)
{
    size_t kept = 0;
    pd_sort_records(dots->v, dots->n, 1, 1);
    for (size_t k = 0; k < dots->n; k++)
        if (k == 0 || dots->v[k] != dots->v[kept - 1])
            dots->v[kept++] = dots->v[k];
    dots->n = kept;
}

/* One way over the units of A, forwards or back: a unit takes the partner that `led` ones lead to. */
static void lead(struct pd_explanation *e, bool *led, bool back, bool all)
{
    struct pd_explaineds *a = &e->sides[0].units;
    uint32_t last = PD_EXPLAIN_NONE;
    for (uint32_t k = 0; k < a->n; k++) {
        const uint32_t i = back ? (uint32_t)a->n - 1 - k : k;
        if (a->v[i].why != PD_WHY_MATCHED)
            continue;
        if (last != PD_EXPLAIN_NONE && !led[i] && (all || led[last])) {
            const uint32_t to = a->v[last].best + i - last;
            led[i] = pd_search_has(e->dots.v, e->dots.n, pd_ij(i, to));
            a->v[i].best = led[i] ? to : a->v[i].best;
        }
        last = i;
    }
}

/*
 * A unit with several partners prefers the one that its neighbours' partners lead to. Units with
 * one partner lead first.
 */
static void keep_step(struct pd_explanation *e)
{
    const struct pd_u64s *dots = &e->dots;
    bool *led = pd_zeroed(e->sides[0].units.n + 1, sizeof *led);
    for (size_t k = 0; k < dots->n; k++)
        led[dots->v[k] >> 32] = (k == 0 || dots->v[k] >> 32 != dots->v[k - 1] >> 32) &&
                                (k + 1 == dots->n || dots->v[k] >> 32 != dots->v[k + 1] >> 32);
    for (int way = 0; way < 4; way++)
        lead(e, led, way % 2 == 1, way > 1);
    free(led);
}

void pd_explain_compare(struct explaining *x)
{
    const struct pd_method_options *o = &x->options->method;
    struct comparing c = {.x = x};
    const struct members *members = &x->sides[1].members;
    const size_t na = x->e->sides[0].units.n, nb = x->e->sides[1].units.n;
    if (o->join == PD_JOIN_LSH)
        pd_buckets_make(&c.buckets, o);
    members_append(&c.inverted, members->v, members->n);
    pd_sort_records(c.inverted.v, c.inverted.n, MEMBER_U64S, 2);
    c.shared = pd_zeroed(nb + 1, sizeof *c.shared);
    compare_names(&c);
    for (uint32_t i = 0; i < na && units_are_alike(o); i++)
        compare_unit(&c, i);
    sort_dots(&x->e->dots);
    keep_step(x->e);
    free(c.shared);
    members_release(&c.inverted);
    pd_u64s_release(&c.touched);
}

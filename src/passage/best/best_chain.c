/*
 * passage/best/best_chain.c - see src/passage/best_inside.h
 *
 * The runs are taken in order of their ends, so the best chain that ends with a run is known when
 * the run is taken, and is offered to the runs that can follow. On each diagonal only the first run
 * with a dot behind the end can follow: going to a later run of the diagonal by way of it gains its
 * dots, and the further link costs less than a dot.
 *
 * A set of bits has the diagonals that have a run which ends behind the current end in a, and which
 * begins within reach. Searching them goes outward from the run's own diagonal.
 */
#include "passage/best_inside.h"

#include "pardup/base/minmax.h"
#include "pardup/base/sort.h"

#define NONE UINT32_MAX

enum { ASK_EVERY = 4096 }; /* runs that are linked before `stopping` is asked again */

/* The best chain that ends with a run. */
struct best_end {
    uint64_t score;
    uint32_t before;   /* the run before it in the chain; NONE: it is the first */
    uint32_t apart;    /* how far the diagonals of the two are apart */
    uint32_t diagonal; /* the number of its diagonal, among diagonals that have runs */
    bool taken;        /* it is in a chain */
};
PD_VEC(best_ends, struct best_end);
PD_VEC(numbers, uint32_t);

struct at { /* a run at a place in the order of places */
    uint64_t place, run;
};
PD_VEC(places, struct at);

struct linking {
    const struct pd_dot_run *runs;
    size_t n;
    uint64_t reach; /* gap + 1 */
    const struct pd_best_options *options;
    struct best_ends ends;
    struct places starts, lasts; /* runs by their first dot in a, by their last dot */
    struct pd_u64s active;       /* the set of active diagonals, a bit each */
    struct numbers current;      /* for an active diagonal: its first run behind the current end */
};

/*
 * What n dots of a run add to the score of a chain: their share of the run's weight, less half a
 * dot's share if the run is linked with one before it. At least 1.
 */
static uint64_t score_added(const struct pd_dot_run *run, uint32_t n, bool linked)
{
    const unsigned __int128 halves = (unsigned __int128)run->weight * (2 * (uint64_t)n - linked);
    return pd_max_u64(1, (uint64_t)(halves / (2 * (uint64_t)pd_run_n(run))));
}

uint64_t pd_chain_rate(const struct pd_dot_run *runs, const struct pd_subrun *subruns,
                       struct pd_chain *chain)
{
    const struct pd_subrun *first = &subruns[chain->from];
    uint64_t dots = 0;
    chain->score = 0;
    chain->start = pd_ij(first->i, (uint32_t)pd_subrun_j(runs, first));
    for (size_t k = chain->from; k < chain->to; k++) {
        const struct pd_subrun *s = &subruns[k];
        chain->score += score_added(&runs[s->run], s->n, k > chain->from);
        dots += s->n;
    }
    return dots;
}

/*
 * The first dot of run r behind the last dot of run p, in a, where the difference of their
 * diagonals is known. It may be behind the end of r.
 */
static uint64_t entry_of(const struct pd_dot_run *p, const struct pd_dot_run *r)
{
    const uint64_t lower = p->diagonal > r->diagonal ? p->diagonal - r->diagonal : 0;
    return pd_max_u64(pd_run_i(r), pd_run_last_i(p) + 1 + lower);
}

/* ---- the best chain that ends with each run ---- */

/*
 * Offer the chain that ends with run p to the runs of an active diagonal. Returns 1 if one of them
 * can follow, else 0.
 */
static unsigned offer(struct linking *l, size_t p, uint32_t diagonal)
{
    const struct pd_dot_run *runs = l->runs, *from = &runs[p];
    size_t r = l->current.v[diagonal];
    const uint64_t least = entry_of(from, &(struct pd_dot_run){.diagonal = runs[r].diagonal});
    while (r < l->n && l->ends.v[r].diagonal == diagonal && pd_run_last_i(&runs[r]) < least)
        r++;
    if (r == l->n || l->ends.v[r].diagonal != diagonal)
        return 0;
    const uint64_t i = pd_max_u64(least, pd_run_i(&runs[r]));
    if (i > pd_run_last_i(from) + l->reach ||
        pd_run_j(&runs[r], i) > pd_run_j(from, pd_run_last_i(from)) + l->reach)
        return 0;
    struct best_end *end = &l->ends.v[r];
    const uint32_t n = (uint32_t)(pd_run_last_i(&runs[r]) - i + 1);
    const uint64_t score = l->ends.v[p].score + score_added(&runs[r], n, true);
    const uint32_t apart =
        (uint32_t)(from->diagonal > runs[r].diagonal ? from->diagonal - runs[r].diagonal
                                                     : runs[r].diagonal - from->diagonal);
    if (score > end->score || (score == end->score && end->before != NONE && apart <= end->apart)) {
        end->score = score;
        end->before = (uint32_t)p;
        end->apart = apart;
    }
    return 1;
}

/* The first active diagonal numbered `from` or more; NONE: there is none. */
static uint32_t active_up(const struct linking *l, uint32_t from)
{
    size_t word = from / 64;
    if (word >= l->active.n)
        return NONE;
    uint64_t bits = l->active.v[word] & ~(uint64_t)0 << from % 64;
    while (!bits)
        if (++word == l->active.n)
            return NONE;
        else
            bits = l->active.v[word];
    return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
}

/* The last active diagonal numbered below `below`; NONE: there is none. */
static uint32_t active_down(const struct linking *l, uint32_t below)
{
    size_t word = below / 64;
    uint64_t bits = below % 64 ? l->active.v[word] & ~(~(uint64_t)0 << below % 64) : 0;
    while (!bits)
        if (word-- == 0)
            return NONE;
        else
            bits = l->active.v[word];
    return (uint32_t)(word * 64) + 63 - (uint32_t)__builtin_clzll(bits);
}

/* How far an active diagonal is from that of run p; more than any gap: there is no such diagonal */
static uint64_t distance(const struct linking *l, size_t p, uint32_t diagonal)
{
    if (diagonal == NONE)
        return UINT64_MAX;
    const uint64_t x = l->runs[p].diagonal, y = l->runs[l->current.v[diagonal]].diagonal;
    return x > y ? x - y : y - x;
}

/* Offer the chain that ends with run p to the runs that can follow, the nearest diagonals first. */
static void offer_around(struct linking *l, size_t p)
{
    uint32_t up = active_up(l, l->ends.v[p].diagonal);
    uint32_t down = active_down(l, l->ends.v[p].diagonal);
    for (unsigned links = 0; links < l->options->limits.links;) {
        const uint64_t x = distance(l, p, up), y = distance(l, p, down);
        if (x >= l->reach && y >= l->reach)
            return;
        links += offer(l, p, x <= y ? up : down);
        if (x <= y)
            up = active_up(l, up + 1);
        else
            down = active_down(l, down);
    }
}

static void set_active(struct linking *l, uint32_t diagonal, bool active)
{
    const uint64_t bit = (uint64_t)1 << diagonal % 64;
    if (active)
        l->active.v[diagonal / 64] |= bit;
    else
        l->active.v[diagonal / 64] &= ~bit;
}

/* Add the diagonals of the runs that begin within reach of unit `last` of a. */
static size_t activate(struct linking *l, size_t started, uint64_t last)
{
    for (; started < l->n && l->starts.v[started].place <= last + l->reach; started++) {
        const uint32_t run = (uint32_t)l->starts.v[started].run;
        const uint32_t diagonal = l->ends.v[run].diagonal;
        if (l->active.v[diagonal / 64] >> diagonal % 64 & 1)
            continue; /* an earlier run of the diagonal has not ended */
        set_active(l, diagonal, true);
        l->current.v[diagonal] = run;
    }
    return started;
}

/* Run p, the current run of its diagonal, has ended: go on to the next run of the diagonal. */
static void go_on(struct linking *l, size_t p)
{
    const uint32_t diagonal = l->ends.v[p].diagonal;
    const size_t next = p + 1;
    l->current.v[diagonal] = (uint32_t)next;
    set_active(l, diagonal,
               next < l->n && l->ends.v[next].diagonal == diagonal &&
                   pd_run_i(&l->runs[next]) <= pd_run_last_i(&l->runs[p]) + l->reach);
}

/* Put the runs into order, and number their diagonals. */
static void prepare(struct linking *l)
{
    uint32_t diagonal = 0;
    best_ends_reserve(&l->ends, l->n);
    places_reserve(&l->starts, l->n);
    places_reserve(&l->lasts, l->n);
    for (size_t k = 0; k < l->n; k++) {
        const struct pd_dot_run *r = &l->runs[k];
        const uint64_t last = pd_run_last_i(r);
        diagonal += k > 0 && r->diagonal != r[-1].diagonal;
        best_ends_push(&l->ends, (struct best_end){r->weight, NONE, 0, diagonal, false});
        places_push(&l->starts, (struct at){pd_run_i(r), k});
        places_push(&l->lasts, (struct at){pd_ij((uint32_t)last, (uint32_t)pd_run_j(r, last)), k});
    }
    pd_sort_records(l->starts.v, l->n, 2, 2);
    pd_sort_records(l->lasts.v, l->n, 2, 2);
    const size_t words = (size_t)diagonal / 64 + 1;
    pd_u64s_reserve(&l->active, words);
    memset(l->active.v, 0, words * sizeof *l->active.v);
    l->active.n = words;
    numbers_reserve(&l->current, (size_t)diagonal + 1);
}

static bool stopping(const struct linking *l, size_t k)
{
    return (k + 1) % ASK_EVERY == 0 && l->options->stopping && l->options->stopping();
}

static void link_runs(struct linking *l)
{
    size_t started = 0;
    for (size_t k = 0; k < l->n && !stopping(l, k); k++) {
        const size_t p = (size_t)l->lasts.v[k].run;
        started = activate(l, started, pd_run_last_i(&l->runs[p]));
        go_on(l, p);
        offer_around(l, p);
    }
}

/* ---- chains ---- */

/* Append the chain that ends with run r and goes back to the first run that is in a chain. */
static void trace(struct linking *l, uint32_t r, struct pd_subruns *subruns,
                  struct pd_chains *chains)
{
    const struct pd_dot_run *runs = l->runs;
    struct pd_chain chain = {.from = subruns->n};
    for (bool more = true; more;) {
        const uint32_t before = l->ends.v[r].before;
        more = before != NONE && !l->ends.v[before].taken;
        const uint64_t i = more ? entry_of(&runs[before], &runs[r]) : pd_run_i(&runs[r]);
        l->ends.v[r].taken = true;
        pd_subruns_push(subruns, (struct pd_subrun){r, (uint32_t)i,
                                                    (uint32_t)(pd_run_last_i(&runs[r]) - i + 1)});
        r = before;
    }
    chain.to = subruns->n;
    for (size_t x = chain.from, y = chain.to - 1; x < y; x++, y--) {
        const struct pd_subrun swap = subruns->v[x];
        subruns->v[x] = subruns->v[y];
        subruns->v[y] = swap;
    }
    if (pd_chain_rate(runs, subruns->v, &chain) > l->options->gamma)
        pd_chains_push(chains, chain);
    else
        subruns->n = chain.from;
}

/* Order: greater scores first, then by the last dot. */
static void sort_by_score(struct linking *l)
{
    for (size_t k = 0; k < l->n; k++)
        l->lasts.v[k].place = ~l->ends.v[l->lasts.v[k].run].score;
    for (size_t k = 0; k < l->n; k++) /* runs of equal score keep the order of their last dots */
        l->starts.v[k] = (struct at){l->lasts.v[k].place, k};
    pd_sort_records(l->starts.v, l->n, 2, 2);
}

/* Each run is a chain: there are no links. */
static void take_alone(const struct pd_dot_runs *runs, const struct pd_best_options *options,
                       struct pd_subruns *subruns, struct pd_chains *chains)
{
    for (uint32_t k = 0; k < runs->n; k++) {
        const struct pd_dot_run *r = &runs->v[k];
        struct pd_chain chain = {.from = subruns->n, .to = subruns->n + 1};
        if (pd_run_n(r) <= options->gamma)
            continue;
        pd_subruns_push(subruns, (struct pd_subrun){k, (uint32_t)pd_run_i(r), pd_run_n(r)});
        pd_chain_rate(runs->v, subruns->v, &chain);
        pd_chains_push(chains, chain);
    }
}

void pd_chains_of_runs(const struct pd_dot_runs *runs, const struct pd_best_options *options,
                       struct pd_subruns *subruns, struct pd_chains *chains)
{
    struct linking l = {
        .runs = runs->v, .n = runs->n, .reach = (uint64_t)options->gap + 1, .options = options};
    if (options->gap == 0 || l.n < 2) {
        take_alone(runs, options, subruns, chains);
        return;
    }
    prepare(&l);
    link_runs(&l);
    sort_by_score(&l);
    for (size_t k = 0; k < l.n; k++) {
        const uint32_t run = (uint32_t)l.lasts.v[l.starts.v[k].run].run;
        if (!l.ends.v[run].taken)
            trace(&l, run, subruns, chains);
    }
    best_ends_release(&l.ends);
    PD_RELEASE(places, &l.starts, &l.lasts);
    pd_u64s_release(&l.active);
    numbers_release(&l.current);
}

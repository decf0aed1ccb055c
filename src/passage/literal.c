/* passage/literal.c - see src/passage/literal.h */
#include "literal.h"

#include <stdbool.h>
#include <string.h>

#include "pardup/base/hash.h"
#include "pardup/base/search.h"
#include "pardup/base/sort.h"
#include "pardup/passage/best.h"

enum {
    GAMMA = 3, /* runs; a passage has more */
    GAP = 20   /* runs that a passage may go over */
};

/* A run of words of b, by its hash. */
struct place {
    uint64_t hash, at;
};
PD_VEC(places, struct place);

struct pd_literal {
    struct pd_best *best;
    struct places runs; /* the runs of b, in order of (hash, at) */
    struct pd_u64s dots;
    struct pd_passages found;
};

struct pd_literal *pd_literal_new(void)
{
    struct pd_literal *l = pd_realloc(NULL, 1, sizeof *l);
    *l = (struct pd_literal){
        .best = pd_best_new(&(struct pd_best_options){
            .limits = PD_BEST_LIMITS, .gamma = GAMMA, .gap = GAP, .overlap = PD_LITERAL_RUN - 1})};
    return l;
}

void pd_literal_free(struct pd_literal *l)
{
    if (!l)
        return;
    pd_best_free(l->best);
    places_release(&l->runs);
    pd_u64s_release(&l->dots);
    pd_passages_release(&l->found);
    free(l);
}

static uint64_t hash_of(const uint32_t *words)
{
    uint64_t hash = 0;
    for (uint32_t k = 0; k < PD_LITERAL_RUN; k++)
        hash = pd_mix(hash + words[k] + 1);
    return hash;
}

/* May the run of words from word k on stand in the other stretch? */
static bool may_match(struct pd_literal_words x, uint32_t k)
{
    return x.shared_before[k + PD_LITERAL_RUN] - x.shared_before[k] == PD_LITERAL_RUN;
}

/* List the runs of a stretch. */
static void list_runs(struct pd_literal *l, struct pd_literal_words b)
{
    l->runs.n = 0;
    for (uint32_t k = 0; k + PD_LITERAL_RUN <= b.n; k++)
        if (may_match(b, k))
            places_push(&l->runs, (struct place){hash_of(b.v + k), k});
    pd_sort_records(l->runs.v, l->runs.n, 2, 2);
}

/* Append the dots of run i of a. */
static void match_run(struct pd_literal *l, struct pd_literal_words a, struct pd_literal_words b,
                      uint32_t i)
{
    const uint64_t hash = hash_of(a.v + i);
    const struct place *const end = l->runs.v + l->runs.n;
    const struct place *p = l->runs.v + pd_search_first(l->runs.v, l->runs.n, sizeof *p,
                                                        offsetof(struct place, hash), hash);
    for (size_t matched = 0; p < end && p->hash == hash && matched < PD_LITERAL_REPEATS; p++)
        if (memcmp(a.v + i, b.v + p->at, PD_LITERAL_RUN * sizeof *a.v) == 0) {
            pd_u64s_push(&l->dots, pd_ij(i, (uint32_t)p->at));
            matched++;
        }
}

const struct pd_passages *pd_literal_find(struct pd_literal *l, struct pd_literal_words a,
                                          struct pd_literal_words b)
{
    l->found.n = l->dots.n = 0;
    list_runs(l, b);
    for (uint32_t i = 0; l->runs.n && i + PD_LITERAL_RUN <= a.n; i++)
        if (may_match(a, i))
            match_run(l, a, b, i);
    if (l->dots.n)
        pd_best_find(l->best, &(struct pd_pair_dots){.b = 1, .dots = l->dots.v, .n = l->dots.n},
                     &l->found);
    for (size_t k = 0; k < l->found.n; k++) {
        l->found.v[k].length_a += PD_LITERAL_RUN - 1; /* from runs to words */
        l->found.v[k].length_b += PD_LITERAL_RUN - 1;
    }
    return &l->found;
}

/* passage/best_chain.h - runs are linked to chains, for passage/best.h, which says how. */
#ifndef PARDUP_PASSAGE_BEST_CHAIN_H
#define PARDUP_PASSAGE_BEST_CHAIN_H

#include "best_runs.h"

/* The dots of a run that are in a chain. */
struct pd_subrun {
    uint32_t run; /* index of the run */
    uint32_t i;   /* the first dot */
    uint32_t n;   /* number of dots, > 0 */
};
PD_VEC(pd_subruns, struct pd_subrun);

/* A chain: subruns [from, to) of the list of subruns, each linked with the next. */
struct pd_chain {
    uint64_t score;
    uint64_t start; /* pd_ij(i, j) of its first dot */
    size_t from, to;
};
PD_VEC(pd_chains, struct pd_chain);

/* The first dot of a subrun in b, and its last dots. */
static inline uint64_t pd_subrun_j(const struct pd_dot_run *runs, const struct pd_subrun *s)
{
    return pd_run_j(&runs[s->run], s->i);
}
static inline uint64_t pd_subrun_last_i(const struct pd_subrun *s)
{
    return (uint64_t)s->i + s->n - 1;
}
static inline uint64_t pd_subrun_last_j(const struct pd_dot_run *runs, const struct pd_subrun *s)
{
    return pd_subrun_j(runs, s) + s->n - 1;
}

/* Set score and start of a chain. Returns the number of its dots. */
uint64_t pd_chain_rate(const struct pd_dot_run *runs, const struct pd_subrun *subruns,
                       struct pd_chain *chain);

/*
 * Append the chains of sorted runs, each run in one chain, and their subruns. Chains of at most
 * gamma dots are left out.
 * Time: O(r log r + r (limits.links + gap / 32)) for r runs, if the runs of a diagonal are not
 * dense.
 */
void pd_chains_of_runs(const struct pd_dot_runs *runs, const struct pd_best_options *options,
                       struct pd_subruns *subruns, struct pd_chains *chains);

/*
 * Replace `chains` by the chosen chains, in no particular order. Subruns of chains that are cut
 * are appended.
 * Time: O(log chains + subruns log chosen) each time a chain is considered.
 */
void pd_chains_choose(const struct pd_dot_runs *runs, const struct pd_best_options *options,
                      struct pd_subruns *subruns, struct pd_chains *chains);

#endif

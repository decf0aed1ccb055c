/* passage/best_inside.h - what the parts of passage/best.h share: dot lines, runs and chains. */
#ifndef PARDUP_PASSAGE_BEST_INSIDE_H
#define PARDUP_PASSAGE_BEST_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/record.h"
#include "pardup/passage/best.h"

/* ---- the dots of a document pair, line by line ---- */

/*
 * A reader of dot lines. A line is one unit of a with the units of b that it matches. The dots come
 * from an ascending list of dots, or from blocks. A zeroed struct is empty; release it in the end.
 */
struct pd_dot_lines {
    const uint64_t *dots; /* pd_ij(i, j), ascending; NULL: the dots come from blocks */
    size_t ndots;
    const struct pd_block *const *blocks;
    struct pd_u64s entries; /* pd_ij(unit of a, block), ascending */
    size_t at;              /* the next dot or entry */
    uint32_t i;             /* the current line: its unit of a */
    struct pd_u64s line;    /* pd_ij(unit of b, weight), ascending, each unit once */
};

/* The weight of an identical dot; that of a similar dot is in proportion, rounded down, not 0. */
enum { PD_DOT_WEIGHT = 1024 };
static inline uint32_t pd_dot_weight(double similarity)
{
    const uint32_t weight = (uint32_t)(similarity * PD_DOT_WEIGHT);
    return weight ? weight : 1;
}

/* Begin with a pair. Its dots or its n blocks are borrowed. */
void pd_dot_lines_of_dots(struct pd_dot_lines *l, const uint64_t *dots, size_t n);
void pd_dot_lines_of_blocks(struct pd_dot_lines *l, const struct pd_block *const *blocks, size_t n);

/* Begin again with the first line of the same pair. */
static inline void pd_dot_lines_again(struct pd_dot_lines *l) { l->at = 0; }

/* Read the next line. False: there is none. */
bool pd_dot_lines_next(struct pd_dot_lines *l);

/* The similarity of a dot of the pair. O(log dots), and O(blocks that have unit i). */
double pd_dot_lines_similarity(const struct pd_dot_lines *l, uint32_t i, uint32_t j);

void pd_dot_lines_release(struct pd_dot_lines *l);

/*
 * The runs of dots of a document pair, for passage/best.h.
 *
 * A run is a maximal diagonal of dots (i, j), (i + 1, j + 1), ... Which runs count is told in
 * passage/best.h.
 */

/* A run. Order: diagonal, i. */
struct pd_dot_run {
    uint64_t diagonal; /* j - i + PD_RUN_MAIN */
    uint64_t i_n;      /* pd_ij(i of the first dot, number of dots) */
    uint64_t weight;   /* sum of the weights of the dots (pd_dot_weight) */
};
PD_VEC(pd_dot_runs, struct pd_dot_run);
enum { PD_RUN_U64S = 3 };
#define PD_RUN_MAIN ((uint64_t)1 << 32) /* the diagonal i = j */

static inline uint32_t pd_run_n(const struct pd_dot_run *r) { return (uint32_t)r->i_n; }
static inline uint64_t pd_run_i(const struct pd_dot_run *r) { return r->i_n >> 32; }
static inline uint64_t pd_run_last_i(const struct pd_dot_run *r)
{
    return pd_run_i(r) + pd_run_n(r) - 1;
}
static inline uint64_t pd_run_j(const struct pd_dot_run *r, uint64_t i)
{
    return i + r->diagonal - PD_RUN_MAIN;
}

/* Append the run of n dots of this weight in all, whose first dot is (i, j). */
static inline void pd_runs_add(struct pd_dot_runs *out, uint32_t i, uint32_t j, uint32_t n,
                               uint64_t weight)
{
    pd_dot_runs_push(out, (struct pd_dot_run){j + PD_RUN_MAIN - i, pd_ij(i, n), weight});
}

/* How runs are chosen. */
struct pd_run_choice {
    uint32_t least; /* runs of fewer dots are left out, whatever else holds */
    struct pd_best_limits limits;
    int (*stopping)(void); /* as in struct pd_best_options */
};

/*
 * The runs that count, sorted, given the dot lines of the pair. Time: O(dots), plus sorting the
 * runs. Memory: two dot lines and the runs; if the pair has more than limits.runs dots for each
 * unit of a, also two numbers for each unit of b.
 */
void pd_runs_of_lines(struct pd_dot_lines *lines, const struct pd_run_choice *choice,
                      struct pd_dot_runs *out);

/*
 * The same, given n blocks of identical units in which each unit has one class. Time: O(units log
 * units log length), plus O(log length) for each run. False: the blocks are not of this kind, and
 * `out` is empty.
 *
 * Runs are told by hashes of stretches of classes, modulo 2^61 - 1. Two different stretches of n
 * units have the same hash with a probability of about n / 2^61.
 */
bool pd_runs_of_classes(const struct pd_block *const *blocks, size_t n,
                        const struct pd_run_choice *choice, struct pd_dot_runs *out);

/* Sort runs by (diagonal, i), and remove repeated ones. */
void pd_runs_sort(struct pd_dot_runs *runs);

/* ---- runs are linked to chains, for passage/best.h, which says how ---- */

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

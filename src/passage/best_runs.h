/*
 * passage/best_runs.h - the runs of dots of a document pair, for passage/best.h.
 *
 * A run is a maximal diagonal of dots (i, j), (i + 1, j + 1), ... Which runs count is told in
 * passage/best.h.
 */
#ifndef PARDUP_PASSAGE_BEST_RUNS_H
#define PARDUP_PASSAGE_BEST_RUNS_H

#include "best_lines.h"
#include "pardup/passage/best.h"

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

#endif

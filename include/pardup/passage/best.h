/*
 * passage/best.h - the best passages of one document pair, which do not overlap.
 *
 * Dots and blocks are as in passage/diagonal.h, which finds all passages. Here one copied
 * place is one passage: an exact copy is one, and a paragraph that was moved is another one.
 *
 * Runs. A run is a maximal diagonal of dots (i, j), (i + 1, j + 1), ... In a text that repeats
 * itself nearly every dot can be a run. So short runs do not all count. Let L be the least power of
 * two for which the pair has at most 64 runs of L or more dots for each unit that has a dot, in
 * either document. L is 1 in nearly every pair. A run counts if it has at least L dots, or if it
 * has a dot (i, j) of one of two kinds. Say that m units of a match j, that n units of b match i,
 * and that x and y of them stand before the dot. The dot is rare if m n <= 64. It is in step if x =
 * y, or floor(x n / m) = y, or floor(y m / n) = x.
 *
 * Chains. A run can follow another run if its first dot behind the last dot of the other in both
 * documents is at most gap + 1 units behind it in both. The chain goes on with that dot. A run is
 * followed only by the first such run on each diagonal, and by at most 64 runs: the nearest
 * diagonals count, the higher one (j - i) first. The score of a chain is the number of its dots,
 * less half a dot for each link. More exactly, a dot weighs floor(1024 similarity), at least 1. In
 * a run of n dots that weigh w, k dots of the run count floor(w 2 k / 2 n), at least 1; if the run
 * is linked to a run before, they count floor(w (2 k - 1) / 2 n), at least 1.
 * The best chain that ends with a run is the run alone, or goes over another run if that has a
 * greater score. Of runs before that give the same score, the run on the nearest diagonal counts,
 * then the run whose last dot (i, j) comes last. Runs are taken in order of the score of that
 * chain, then of their last dot. The chain of a run goes back until it comes to a run that is in a
 * chain already, so each run is in one chain. The first run of a chain is in it with all its dots.
 *
 * Choice. Let few be the larger of gamma and PD_BEST_FEW. Chains are considered in order of score,
 * then of their first dot (i, j). A chosen chain claims, in each document, the units of its dots
 * and of its gaps of at most `few` units. From a chain that has a claimed unit, the dots with
 * claimed units are cut. It falls apart there, and at each link that goes over a claimed unit. A
 * part with more than gamma dots is considered again with its own score. A chain that begins in a
 * gap of a chosen chain, in either document, is dropped if it has at most `few` dots. In the end, a
 * chosen chain falls apart at links that go over units which another chain has claimed since. Parts
 * with more than gamma dots are passages, which do not overlap in either document.
 * Grams and windows overlap in words. Therefore `overlap` units before and behind claimed units
 * cannot be in another chain.
 *
 * Sources: chains of matches by dynamic programming, as in Abouelhoda, Ohlebusch, "Chaining
 * algorithms for multiple genome comparison", J. Discrete Algorithms 2005; choosing the longest
 * match and cutting it out of the others as in Wise, "Running Karp-Rabin Matching and Greedy String
 * Tiling", 1993.
 * Deviation from Wise: chains are cut out, not single matches.
 */
#ifndef PARDUP_PASSAGE_BEST_H
#define PARDUP_PASSAGE_BEST_H

#include <stddef.h>

#include "pardup/base/record.h"
#include "pardup/passage/pair_dots.h"

/* Limits that bound the cost in texts that repeat themselves. */
struct pd_best_limits {
    uint32_t runs;  /* runs for each unit with a dot, beyond which short runs do not all count */
    uint32_t rare;  /* dots of a class that is rare in the pair */
    uint32_t links; /* runs that can follow a run, > 0 */
};
#define PD_BEST_LIMITS ((struct pd_best_limits){.runs = 64, .rare = 64, .links = 64})

enum { PD_BEST_FEW = 3 }; /* dots that are too few to divide a chain in whose gap they lie */

struct pd_best_options {
    struct pd_best_limits limits; /* PD_BEST_LIMITS, except in tests */
    uint32_t gamma;               /* dots; a passage with exactly gamma is dropped */
    uint32_t gap;                 /* unmatched units that a chain may bridge */
    uint32_t overlap;             /* units before a unit that have words in common with it */
    int (*stopping)(void);        /* not 0: the result is not wanted any more; NULL: it is wanted */
};

/* Buffers that are reused from pair to pair. NULL may be freed. */
struct pd_best *pd_best_new(const struct pd_best_options *options);
void pd_best_free(struct pd_best *b);

/*
 * Append the best passages of a pair to `out`, in order of (start_a, start_b).
 * `matched` of a passage is the number of dots of its chain. Its similarity is the mean of the
 * similarities of the dots, which are added up in order, as doubles.
 *
 * Cannot fail. If `stopping` says so, passages are missing. Let r be the number of runs that count,
 * at most 130 for each unit.
 * Time: O(r log r + r min(gap, 64)), plus the time to find the runs: O(units log^2
 * units) for identical units, O(dots) for similar units.
 * Memory: O(units + r), for similar units O(units + r + dots of a unit).
 */
void pd_best_find(struct pd_best *b, const struct pd_pair_dots *pair, struct pd_passages *out);

#endif

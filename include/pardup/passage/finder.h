/*
 * passage/finder.h - the passages of one document pair, in one of three ways.
 *
 * The align stage (run/stage/align/align.c), queries of an index (run/job/check/query.c) and
 * `explain` find passages with it. run/stage/finding.h chooses the way by the options of the
 * method.
 */
#ifndef PARDUP_PASSAGE_FINDER_H
#define PARDUP_PASSAGE_FINDER_H

#include <stdbool.h>

#include "pardup/passage/best.h"
#include "pardup/passage/diagonal.h"
#include "pardup/passage/region.h"

enum pd_finder_way {
    PD_FIND_ALL,    /* every maximal passage (diagonal.h) */
    PD_FIND_BEST,   /* the best passages that do not overlap (best.h) */
    PD_FIND_REGIONS /* regions, in which passages are yet to be found (region.h, refine.h) */
};

/* Made with pd_finder_init(); its buffers are reused from pair to pair. */
struct pd_finder {
    enum pd_finder_way way;
    uint32_t gamma, gap;           /* as in struct pd_best_options */
    struct pd_diagonals diagonals; /* PD_FIND_ALL */
    struct pd_best *best;          /* PD_FIND_BEST */
    struct pd_regions regions;     /* PD_FIND_REGIONS */
};

/* Make ready. The options are copied; `overlap` and `limits` matter to PD_FIND_BEST alone. */
void pd_finder_init(struct pd_finder *f, enum pd_finder_way way,
                    const struct pd_best_options *options);
void pd_finder_release(struct pd_finder *f);

/*
 * Append the passages of a pair to `out`, in order of (start_a, start_b). Documents that are equal
 * word for word (pd_block_is_whole) have one passage, whatever gamma says: all units of both. Brief
 * documents that share text have one passage if gamma keeps none. Both are copies (enum pd_copy).
 * Returns whether a copy was found. Cannot fail. If `stopping` of the options says so, passages are
 * missing.
 */
bool pd_finder_find(struct pd_finder *f, const struct pd_pair_dots *pair, struct pd_passages *out);

#endif

/* run/stage/finding.h - how the passages of a document pair are found, by the options of the method. */
#ifndef PARDUP_RUN_FINDING_H
#define PARDUP_RUN_FINDING_H

#include "pardup/base/row.h"
#include "pardup/passage/finder.h"
#include "pardup/run/options.h"

/*
 * Make a finder, which the caller releases: regions with --refine, else what --passages asks for.
 *   stopping  as in struct pd_best_options
 */
void pd_finder_of(struct pd_finder *f, const struct pd_method_options *o, int (*stopping)(void));

/*
 * Append the passages of a pair, or its regions if passages are refined. Passages that --theta-d or
 * --delta leaves out are none, which never concerns copies; then brief documents that share text are
 * a copy. Returns whether passages were left out and nothing is appended.
 */
bool pd_find_in_pair(struct pd_finder *f, const struct pd_pair_dots *pair,
                     const struct pd_method_options *o, struct pd_passages *out);

/* Are the edges of a passage extended? What brief documents share ends with their own text. */
static inline bool pd_copy_has_edges(enum pd_copy copy, const struct pd_method_options *o)
{
    return o->edges != PD_EDGES_SENTENCE && copy != PD_COPY_BRIEF;
}

/*
 * Do enough words of a finished row agree? Yes if it is not known how many do. The agreement of
 * brief documents becomes the similarity of the row, and has to reach --min-agreement as well: most
 * of their words may be set aside.
 *   agreed  words that agree. They are judged as a share of the own words of the longer side: text
 *           that is set aside in the middle of a passage is nothing that the documents say
 */
bool pd_row_agrees(struct pd_row *row, uint32_t agreed, enum pd_copy copy,
                   const struct pd_method_options *o);

#endif

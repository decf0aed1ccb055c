/* passage/best_choose.h - chains that do not overlap are chosen, for passage/best.h. */
#ifndef PARDUP_PASSAGE_BEST_CHOOSE_H
#define PARDUP_PASSAGE_BEST_CHOOSE_H

#include "best_chain.h"

/*
 * Replace `chains` by the chosen chains, in no particular order. Subruns of chains that are cut
 * are appended.
 * Time: O(log chains + subruns log chosen) each time a chain is considered.
 */
void pd_chains_choose(const struct pd_dot_runs *runs, const struct pd_best_options *options,
                      struct pd_subruns *subruns, struct pd_chains *chains);

#endif

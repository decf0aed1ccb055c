/* run/dedup/verify.h - all passages are compared, in rounds, and documents are decided. */
#ifndef PARDUP_RUN_DEDUP_VERIFY_H
#define PARDUP_RUN_DEDUP_VERIFY_H

#include "run/dedup/choose.h"

/*
 * COLLECTIVE. Decide what goes. A unit is looked for in the documents that its passages lead to, in
 * the order of --keep, until its words are found. If that text does not stay, the search goes on.
 * Agreed: PD_OK or a failure.
 *   c   has the documents of this rank, and nothing else; gets what is decided
 */
int pd_dedup_decide(struct pd_dedup *d, struct pd_choice *c);

#endif

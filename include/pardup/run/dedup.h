/*
 * run/dedup.h - the collection of a result without its copies.
 *
 * A sentence leaves a document if a passage leads from it to a document that comes before in the
 * order of --keep, and its words stand there, in the same order, in text that stays. So no removal
 * rests on a chain of copies, and what no passage matched stays. Files are written one by one by
 * whichever rank is free; the bytes do not depend on the number of ranks.
 */
#ifndef PARDUP_RUN_DEDUP_H
#define PARDUP_RUN_DEDUP_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

/*
 * COLLECTIVE. Agreed: PD_OK, or a failure: PD_EIO; PD_EFORMAT (no result, or inputs that have
 * changed since); PD_EFULL (--memory, or --max-loss); PD_ESTALE (--resume with other options);
 * PD_ESTOP.
 */
int pd_dedup(const struct pd_comm *c, const struct pd_options *o);

#endif

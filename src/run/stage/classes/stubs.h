/*
 * run/stage/classes/stubs.h - find the stubs of all sites, and tell the holders of the documents
 * (join/stubs.h, --templates aside). Sites are hosts here: a folder has no addresses.
 */
#ifndef PARDUP_RUN_STUBS_H
#define PARDUP_RUN_STUBS_H

#include "run/stage/job.h"

/*
 * COLLECTIVE. Find the stubs, and open `stubs`: at the holders, the numbers of the documents that
 * are stubs, in order. Agreed: PD_OK, PD_EIO or PD_ESTOP. Close `stubs` in any case.
 *   names  unless NULL, this rank appends the names of the stubs that it has judged (templates.h)
 */
int pd_stubs_find(struct pd_job *job, struct pd_shuffle *stubs, struct pd_u64s *names);

/*
 * Tell whether a document is a stub. Documents are asked for in order of number; a shuffle that is
 * closed has none. PD_OK, PD_EIO or PD_EFORMAT (scratch cannot be read back).
 */
int pd_stubs_have(struct pd_shuffle *stubs, pd_doc doc, bool *found);

#endif

/*
 * run/stage/align/matches.h - the rows of /matches: every pair of units that match, of detect
 * --matches.
 */
#ifndef PARDUP_RUN_ALIGN_MATCHES_H
#define PARDUP_RUN_ALIGN_MATCHES_H

#include "run/stage/job.h"

/*
 * COLLECTIVE. Put the rows of this rank into job->aligned.matches, in order: the ranks follow each
 * other. Pairs of documents come as passages have them (--common, --against), whatever --gamma,
 * --skip-same-host and the floors of passages say. Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP.
 * Without --matches nothing is done.
 */
int pd_matches_find(struct pd_job *job);

#endif

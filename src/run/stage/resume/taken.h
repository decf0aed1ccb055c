/* run/stage/resume/taken.h - files of an earlier try: which rank takes up which, and whether it could. */
#ifndef PARDUP_RUN_TAKEN_H
#define PARDUP_RUN_TAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/comm/comm.h"
#include "pardup/store/packed.h"

/*
 * Does this rank take up file k of n files, k < n? Each file has one taker. In order of ranks the
 * files stay in order, whatever the number of ranks was that wrote them.
 */
bool pd_taken_here(const struct pd_comm *c, uint64_t k, uint64_t n);

/*
 * Open a file that is whole: all its checksums hold. The caller closes it. NULL after pd_fail with
 * PD_EIO or PD_EFORMAT.
 */
struct pd_packed *pd_taken_open(const char *path);

/*
 * COLLECTIVE. Have all ranks taken up what they need? A rank that could not (`status` < 0) warns of
 * its failure, which is then handled: the job goes on without the files.
 *   again  what is done again because of that, for the warning: "units are signed"
 */
bool pd_taken_everywhere(const struct pd_comm *c, int status, const char *again);

#endif

/*
 * run/stage/align/refine.h - regions become passages by the words of both documents
 * (passage/refine.h).
 *
 * A region is found by the holder of its first document. The words of the second document are
 * asked for by message, since another rank may hold that document. Refined passages are a source of
 * passages for run/stage/align/visit.h.
 */
#ifndef PARDUP_RUN_ALIGN_REFINE_H
#define PARDUP_RUN_ALIGN_REFINE_H

#include "visit.h"

struct pd_refiner;

/* Make ready for slices. `job` and `holders` are borrowed until pd_refiner_free. */
struct pd_refiner *pd_refiner_new(struct pd_job *job, const struct pd_holders *holders);
void pd_refiner_free(struct pd_refiner *r); /* r may be NULL */

/*
 * COLLECTIVE. Refine all regions of a slice, from the sources of all ranks. *refined: a source of
 * this rank's passages, in order of pair; it is valid until the next call and read once. Words have
 * their flags (run/stage/classes/count.c). Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP.
 */
int pd_refiner_go(struct pd_refiner *r, const struct pd_passage_source *regions,
                  struct pd_passage_source *refined);

#endif

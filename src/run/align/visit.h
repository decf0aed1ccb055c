/*
 * run/align/visit.h - passages get their byte offsets from the texts of both documents, and become
 * rows.
 *
 * A passage is found by the holder of its first document, which knows the offsets there. The
 * offsets in the second document are asked for by message, since another rank may hold that
 * document.
 */
#ifndef PARDUP_RUN_VISIT_H
#define PARDUP_RUN_VISIT_H

#include "holders.h"
#include "rows.h"
#include "run/job.h"
#include "source.h"

struct pd_visiting;

/* Make ready for slices. `job` and `holders` are borrowed until pd_visiting_free. */
struct pd_visiting *pd_visiting_new(struct pd_job *job, const struct pd_holders *holders);
void pd_visiting_free(struct pd_visiting *v);

/*
 * COLLECTIVE. Give all passages of a slice, from the sources of all ranks, their byte offsets,
 * extend their edges, and hand them to `rows`. Passages that --skip-same-host or
 * --min-passage-words leaves out are counted in job->aligned.left_out. Agreed: PD_OK, PD_EIO,
 * PD_EFORMAT or PD_ESTOP.
 */
int pd_visiting_go(struct pd_visiting *v, const struct pd_passage_source *source,
                   struct pd_gathering_rows *rows);

/* Bytes of the replies that this rank has sent for the passages of the newest slice. */
uint64_t pd_visiting_replied(const struct pd_visiting *v);

#endif

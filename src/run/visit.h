/* run/visit.h - passages visit the ranks that hold their documents, to become rows. */
#ifndef PARDUP_RUN_VISIT_H
#define PARDUP_RUN_VISIT_H

#include "pardup/run/detect.h"

struct pd_visiting; /* its buffers are kept from batch to batch */

struct pd_visiting *pd_visiting_new(struct pd_detect *job);
void pd_visiting_free(struct pd_visiting *v);

/*
 * COLLECTIVE. Give `n` passages (any number on each rank) their byte offsets, with edges extended,
 * and append them to job->rows on some rank (those of one host left out when asked).
 */
int pd_visiting_go(struct pd_visiting *v, const struct pd_passage *passages, size_t n);

#endif

/*
 * run/families/families.h - the families of a job's passages.
 *
 * A member is a span of a document that passages reach (passage/members.h). A family is a connected
 * component of members under passages. Its representative is its longest member, the first of equal
 * ones. Memory that is not planned: the spans of one document, and the members of one family.
 */
#ifndef PARDUP_RUN_FAMILIES_H
#define PARDUP_RUN_FAMILIES_H

#include "run/job.h"

struct pd_families;

/*
 * COLLECTIVE. Find the families of the passages in the job's files of slices. *f is set also after
 * a failure; end it with pd_families_close(). Agreed: PD_OK or a failure.
 */
int pd_families_find(struct pd_job *job, struct pd_families **f);

/*
 * Not collective. The family of a row of /passages of this rank. Ask for each row of this rank, in
 * order. PD_OK, PD_EIO or PD_EFORMAT. Without families (f is NULL) it is UINT64_MAX.
 */
int pd_families_of(struct pd_families *f, uint64_t row, uint64_t *family);

/* COLLECTIVE. Write /families and /members, and tell the largest family. Agreed. */
int pd_families_write(struct pd_families *f, struct pd_writer *w);

void pd_families_close(struct pd_families *f); /* f may be NULL */

#endif

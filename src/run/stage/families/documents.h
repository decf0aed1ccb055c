/*
 * run/stage/families/documents.h - families of documents that are near duplicates as wholes.
 *
 * A document family is a connected component of documents under the pairs that reach a rule. Where
 * whole documents are compared, the rule is a resemblance of at least --tau. Elsewhere, passages
 * must cover at least --family-coverage of both documents. The representative has the longest text,
 * the first one of equally long texts.
 */
#ifndef PARDUP_RUN_FAMILIES_DOCUMENTS_H
#define PARDUP_RUN_FAMILIES_DOCUMENTS_H

#include "families.h"

struct pd_document_families;

/* The rank that numbers what begins with a document: each rank has a range of documents. */
int pd_document_owner(const struct pd_job *job, pd_doc doc, int nranks);

/* The partition of a document (struct pd_flow) at the rank that numbers what begins with it. */
uint32_t pd_document_partition(const struct pd_job *job, pd_doc doc, uint32_t npartitions);

/* Not collective. Begin without pairs. `job` and `from` are borrowed until the close. */
struct pd_document_families *pd_document_families_open(struct pd_job *job,
                                                       const struct pd_families_from *from);

/* Not collective. Take a pair of this rank. PD_OK or PD_EIO. */
int pd_document_families_take(struct pd_document_families *f, const struct pd_pair *pair);

/* COLLECTIVE. All pairs are taken: find the families. Agreed: PD_OK or a failure. */
int pd_document_families_find(struct pd_document_families *f);

/*
 * Not collective. *family: the family of a document that this rank holds; -1: none. Ask for
 * documents in ascending order; the same one may be asked for again. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_document_families_of(struct pd_document_families *f, pd_doc doc, int64_t *family);

/* COLLECTIVE. Write /document_families, and count its families and documents. Agreed. */
int pd_document_families_write(struct pd_document_families *f, struct pd_writer *w,
                               struct pd_family_counts *counts);

void pd_document_families_close(struct pd_document_families *f); /* f may be NULL */

#endif

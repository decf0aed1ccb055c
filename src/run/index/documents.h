/*
 * run/index/documents.h - the documents and files of a segment on their way to rank 0, which writes
 * them.
 */
#ifndef PARDUP_RUN_INDEX_DOCUMENTS_H
#define PARDUP_RUN_INDEX_DOCUMENTS_H

#include "pardup/index/segment.h"
#include "run/classes/asides.h"
#include "run/classes/sign.h"

/*
 * COLLECTIVE. Rank 0 writes all documents and files to its `writer`.
 *   folder   the segment has the paths of files from this folder; empty: as they are
 *   signing  cuts the documents
 *   asides   what --templates sets aside of them; all of it is loaded afterwards
 * Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP.
 */
int pd_send_documents(struct pd_job *job, const char *folder, struct pd_signing *signing,
                      struct pd_asides *asides, struct pd_segment_writer *writer);

#endif

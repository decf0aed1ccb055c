/* app/ids.h - documents of a result by the ids that a person gives. */
#ifndef PARDUP_APP_IDS_H
#define PARDUP_APP_IDS_H

#include "pardup/base/vec.h"
#include "pardup/result/reader.h"

/*
 * Rows of /documents, then of /sources with PD_SOURCE_ROW, ascending; none: any document is meant.
 */
PD_VEC(pd_doc_rows, uint64_t);

/*
 * List the documents with this id, then the sources of a result of check. Several may have one id.
 * PD_OK; PD_EFORMAT: there is none, and the message names up to three ids that are like `wanted`,
 * in small letters without marks, or says where all ids are listed; PD_EIO.
 */
int pd_ids_find(struct pd_result *result, const char *wanted, struct pd_doc_rows *found);

#endif

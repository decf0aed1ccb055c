/* app/ids.h - documents of a result by the ids that a person gives. */
#ifndef PARDUP_APP_IDS_H
#define PARDUP_APP_IDS_H

#include "pardup/base/vec.h"
#include "pardup/result/table.h"

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

/*
 * Bring the next row of /passages to hand, whose first two columns are its documents: one of
 * `documents`, and one of `others`. PD_OK; PD_END; or PD_EFORMAT: also if it names no document.
 */
int pd_next_passage(struct pd_table_reader *t, uint64_t documents, uint64_t others);

#endif

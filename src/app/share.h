/*
 * app/share.h - the share of a document of a result that others have (passage/share.h).
 *
 * A result may have a table /aside_spans, sorted by document and begin, of text that is set aside.
 * A result without it sets nothing aside, and so do sources of a check.
 */
#ifndef PARDUP_APP_SHARE_H
#define PARDUP_APP_SHARE_H

#include "pardup/document/document.h"
#include "pardup/passage/share.h"
#include "pardup/result/table.h"

/* Bytes [begin, end) of a document's text. */
struct pd_part {
    uint64_t begin, end;
};
PD_VEC(pd_parts, struct pd_part);

/* Reads what of a document is set aside. Set up with pd_aside_open(). */
struct pd_aside_text {
    struct pd_table_reader table; /* /aside_spans; without rows if the result lacks it */
    struct pd_parts bytes;        /* set aside in the document that was asked for last: its bytes */
    struct pd_aside_runs words;   /* buffer: the same by words */
    struct pd_u64s passages;      /* buffer: words of passages */
};

/* Make ready to read from `result`. PD_OK or PD_EFORMAT; to be closed in any case. */
int pd_aside_open(struct pd_aside_text *a, struct pd_result *result);
void pd_aside_close(struct pd_aside_text *a);

/*
 * Set a->bytes to the text that is set aside in a document: ascending and disjoint. Quick when
 * documents are asked for in order. PD_OK or PD_EFORMAT.
 *   doc   a row of /documents, or a row of /sources with PD_SOURCE_ROW
 */
int pd_aside_read(struct pd_aside_text *a, uint64_t doc);

/*
 * The share of a document that passages cover, without what a->bytes sets aside.
 *   passages  parts of it, in any order
 */
struct pd_share pd_share_of_document(struct pd_aside_text *a, const struct pd_document *d,
                                     const struct pd_parts *passages);

#endif

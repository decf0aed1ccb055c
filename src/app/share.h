/*
 * app/share.h - the share of a document of a result that others have (passage/share.h).
 *
 * A result may have a table /aside, sorted by document and begin, of text that is set aside. A
 * result without it sets nothing aside, and so do sources of a check.
 */
#ifndef PARDUP_APP_SHARE_H
#define PARDUP_APP_SHARE_H

#include "pardup/document/document.h"
#include "pardup/passage/share.h"
#include "pardup/result/table.h"

/* Reads what of a document is set aside. Set up with pd_aside_open(). */
struct pd_aside_text {
    struct pd_table_reader table; /* /aside; without rows if the result lacks it */
    struct pd_parts bytes;        /* set aside in the document that was asked for last: its bytes */
    struct pd_parts words;        /* buffer: words of the document */
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
 *   passages  bytes of it, in any order; they become words, sorted
 */
struct pd_share pd_share_of_document(struct pd_aside_text *a, const struct pd_document *d,
                                     struct pd_parts *passages);

#endif

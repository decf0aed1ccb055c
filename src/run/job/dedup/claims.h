/*
 * run/job/dedup/claims.h - passages on their way to the owner of the document that may lose text.
 *
 * What travels:
 *     ends    {document}                              owner of the row: it is in a passage
 *     numbers {document, place}                       owner of the row
 *     claims  {document, document, row, bytes, ...}   owner of the first row, of the second one,
 *                                                     then of the later place of the two
 */
#ifndef PARDUP_RUN_DEDUP_CLAIMS_H
#define PARDUP_RUN_DEDUP_CLAIMS_H

#include "run/job/dedup/worded.h"

/* A passage, from the document that may lose it to the one that keeps it. */
struct pd_claim {
    uint64_t gone, kept; /* places; before they are known, rows of /documents */
    uint64_t row;        /* of /passages */
    uint64_t family;     /* of this row; 0 if the result has no families */
    uint64_t gone_bytes; /* first byte and end in the text of `gone`: two 32-bit numbers */
    uint64_t kept_bytes; /* the same in the text of `kept` */
};
PD_VEC(pd_claims, struct pd_claim);
enum { PD_CLAIM_U64S = 6, PD_CLAIM_KEYS = 3 };

/* Bytes that the owner of a document in a passage has for it: here, and in choose.h. */
enum { PD_PLACE_BYTES = sizeof(struct pd_worded) + 7 * sizeof(uint64_t) };

/*
 * COLLECTIVE. Find out which documents are in passages. Agreed: PD_OK or a failure.
 *   marks   gets a byte for each row of this rank's range: 1 if the document is in a passage
 *   hash    grows by what this rank's share of /passages has; the sum of all does not depend on the
 *           number of ranks
 */
int pd_find_wanted(struct pd_dedup *d, struct pd_bytes *marks, uint64_t *hash);

/* COLLECTIVE. Publish PD_SHARED_WANTED, and release the marks. Agreed: PD_OK or a failure. */
int pd_publish_wanted(struct pd_dedup *d, struct pd_bytes *marks);

/* Marks of some rows of /documents: 1 for a document that is in a passage. */
struct pd_wanted_rows {
    struct pd_dedup *d;
    struct pd_bytes marks;
    uint64_t from;
};

/* Is the document wanted? Ask in ascending order. PD_OK or PD_EIO. */
int pd_is_wanted(struct pd_wanted_rows *w, uint64_t doc, bool *wanted);
static inline void pd_wanted_rows_release(struct pd_wanted_rows *w) { pd_bytes_release(&w->marks); }

/*
 * COLLECTIVE. Bring the passages to the owners of their `gone`, and publish PD_SHARED_CLAIMS and
 * PD_SHARED_WORDED. Agreed: PD_OK or a failure.
 *   own   the documents of this rank; gets their claims
 */
int pd_bring_claims(struct pd_dedup *d, struct pd_wordeds *own);

#endif

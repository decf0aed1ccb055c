/*
 * run/job/dedup/choose/verify.h - all passages are compared, in rounds, and documents are decided.
 *
 * Two searches go beyond the passages: follow.c goes where text that has gone leads, to the text
 * that stays because of it. seek.c finds text that stays twice, as a second job would in the new
 * collection.
 *
 * What travels in seek.c:
 *     seeds    {hash, place, bytes}                 owner of the hash
 *     sought   {document, document, bytes, ...}     owner of the later place of the two
 */
#ifndef PARDUP_RUN_DEDUP_VERIFY_H
#define PARDUP_RUN_DEDUP_VERIFY_H

#include "run/job/dedup/choose/choose.h"

/*
 * COLLECTIVE. Decide what goes. A unit is looked for in the documents that its passages lead to, in
 * the order of --keep, until its words are found. If that text does not stay, the search goes on.
 * Agreed: PD_OK or a failure.
 *   c   has the documents of this rank, and nothing else; gets what is decided
 */
int pd_dedup_decide(struct pd_dedup *d, struct pd_choice *c);

/* Claims of a document that are to be compared once more. They lie in the file of this rank. */
struct pd_search {
    uint64_t place;
    uint64_t at; /* where the first claim begins in the file */
    uint64_t n;
};
PD_VEC(pd_searches, struct pd_search);

/*
 * COLLECTIVE. For the documents of this rank, list where text that stays may stand, too:
 *  - its units were found in text of another document, which has gone because of a third text;
 *  - a document has the same text twice, and one has gone: passages with one other document need not
 *    have both.
 * Documents for which nothing is new since the last time are not listed. Agreed: PD_OK, PD_EFULL
 * (it takes more than its budget), or another failure.
 */
int pd_follow(struct pd_dedup *d, struct pd_choice *c, struct pd_searches *searches);

/*
 * COLLECTIVE. Look for sentences that stay in all documents of passages, and list for the documents
 * of this rank where they stand in documents that come before, word for word or edited. Text that
 * the result sets aside leads nowhere, and a sentence that more than --max-df documents, or places
 * (--max-df-of), have only where --common leads. A document is listed only if its claims have
 * changed since the last time. Agreed: PD_OK, PD_EFULL or another failure.
 *   c   what was decided last; `sought` of its fates is set
 */
int pd_seek(struct pd_dedup *d, struct pd_choice *c, struct pd_searches *searches);

#endif

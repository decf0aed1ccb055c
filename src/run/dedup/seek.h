/*
 * run/dedup/seek.h - text that stays twice: what a second job would find in the new collection.
 *
 * What travels:
 *     seeds    {hash, place, bytes}                 owner of the hash
 *     sought   {document, document, bytes, ...}     owner of the later place of the two
 */
#ifndef PARDUP_RUN_DEDUP_SEEK_H
#define PARDUP_RUN_DEDUP_SEEK_H

#include "run/dedup/follow.h"

/*
 * COLLECTIVE. Look for sentences that stay in all documents of passages, and list for the documents of
 * this rank where they stand in documents that come before, word for word or edited. Text that the result
 * sets aside leads nowhere, and a sentence that more than --max-df documents have only where
 * --common leads. A document is listed only if its claims have changed since the last time. Agreed: PD_OK,
 * PD_EFULL or another failure.
 *   c   what was decided last; `sought` of its fates is set
 */
int pd_seek(struct pd_dedup *d, struct pd_choice *c, struct pd_searches *searches);

#endif

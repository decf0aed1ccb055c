/* run/dedup/follow.h - where text that has gone leads: to the text that stays because of it. */
#ifndef PARDUP_RUN_DEDUP_FOLLOW_H
#define PARDUP_RUN_DEDUP_FOLLOW_H

#include "run/dedup/choose.h"

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
 * Documents for which nothing is new since the last time are not listed. Agreed: PD_OK, PD_EFULL (it
 * takes more than its budget), or another failure.
 */
int pd_follow(struct pd_dedup *d, struct pd_choice *c, struct pd_searches *searches);

#endif

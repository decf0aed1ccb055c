/* run/collection/number.h - document numbers in collection order, the same for any number of ranks. */
#ifndef PARDUP_RUN_NUMBER_H
#define PARDUP_RUN_NUMBER_H

#include "collection.h"

/*
 * COLLECTIVE. Agree on segments, number this rank's documents, drop those beyond --limit-docs
 * (words uncounted, skips behind the last document forgotten), look for ids that occur twice, and
 * sum the totals up. PD_OK, or PD_EFORMAT (no document; an id twice under --strict).
 */
int pd_collection_number(struct pd_collection *col);

#endif

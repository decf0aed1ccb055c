/* run/collection/number.h - document numbers in collection order, the same for any number of ranks. */
#ifndef PARDUP_RUN_NUMBER_H
#define PARDUP_RUN_NUMBER_H

#include "collection.h"

/*
 * COLLECTIVE. Agree on the batches of all ranks and number the documents. Documents beyond --limit-docs get no number,
 * their words are not counted, and skips behind the last document that counts are forgotten. Then look for ids that occur
 * twice, and add up the totals. PD_OK, or PD_EFORMAT (no document at all; an id twice under --strict).
 */
int pd_collection_number(struct pd_collection *col);

#endif

/*
 * run/collection/number.h - document numbers in collection order, the same for any number of ranks.
 */
#ifndef PARDUP_RUN_NUMBER_H
#define PARDUP_RUN_NUMBER_H

#include "collection.h"

/*
 * COLLECTIVE. Agree on the batches of all ranks and number the documents. Documents beyond
 * --limit-docs get no number; they are in col->beyond, so that their words are not counted. Skipped
 * records behind the last document with a number are forgotten. Then look for ids that occur twice,
 * and add up the totals. Agreed: PD_OK, PD_EIO, PD_ESTOP, or PD_EFORMAT (no document at all; an id
 * twice under --strict; scratch cannot be read back).
 */
int pd_collection_number(struct pd_collection *col);

#endif

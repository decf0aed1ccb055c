/*
 * run/collection/number.h - document numbers in collection order, the same for any number of ranks.
 */
#ifndef PARDUP_RUN_NUMBER_H
#define PARDUP_RUN_NUMBER_H

#include "collection.h"

/*
 * COLLECTIVE. Agree on the batches of all ranks and number the documents. Documents beyond
 * --limit-docs get no number; they are in col->beyond, so that their words are not counted. Skipped
 * records behind the last document with a number are forgotten. Then survey the collection
 * (survey.h). Agreed: PD_OK, or the failures that survey.h lists.
 */
int pd_collection_number(struct pd_collection *col);

#endif

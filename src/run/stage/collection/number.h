/*
 * run/stage/collection/number.h - document numbers in collection order, the same for any number of
 * ranks.
 */
#ifndef PARDUP_RUN_NUMBER_H
#define PARDUP_RUN_NUMBER_H

#include "collection.h"

/*
 * COLLECTIVE. Agree on the batches of all ranks and number the documents. Documents beyond
 * --limit-docs get no number; they are in col->beyond, so that their words are not counted. Skipped
 * records behind the last document with a number are forgotten. Then survey the collection. Agreed:
 * PD_OK, or the failures of pd_collection_survey().
 */
int pd_collection_number(struct pd_collection *col);

/*
 * COLLECTIVE. Look at each document once: add up col->totals and find the longest names. Then tell
 * what a user would not expect: ids that occur twice, names of --docs-from, --metadata or
 * --keep-fields that no document has, files that were not read. Agreed: PD_OK, PD_EIO, PD_ESTOP, or
 * PD_EFORMAT (no document at all; an id twice under --strict; scratch cannot be read back).
 */
int pd_collection_survey(struct pd_collection *col);

#endif

/*
 * run/collection/survey.h - what the user is told of a collection once its documents have numbers.
 */
#ifndef PARDUP_RUN_SURVEY_H
#define PARDUP_RUN_SURVEY_H

#include "collection.h"

/*
 * COLLECTIVE. Look at each document once: add up col->totals and find the longest names. Then tell
 * what a user would not expect: ids that occur twice, names of --docs-from, --metadata or
 * --keep-fields that no document has, files that were not read. Agreed: PD_OK, PD_EIO, PD_ESTOP, or
 * PD_EFORMAT (no document at all; an id twice under --strict; scratch cannot be read back).
 */
int pd_collection_survey(struct pd_collection *col);

#endif

/*
 * ending_rules.h - the rules that say at which endings (ending.h) a sentence ends.
 *
 * The rules are a table, in which the first one that fits decides.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_ENDING_RULES_H
#define PARDUP_DOCUMENT_ENDING_RULES_H

#include <stdbool.h>

#include "ending.h"

/* To be called before pd_ending_ends(); cheap when it has been called before. Thread-safe. */
void pd_ending_rules_load(void);

/* Does the sentence end here? The ending is filled in. Constant time. */
bool pd_ending_ends(const struct pd_ending *ending);

#endif

/* run/stage/classes/wordlist.h - lists of words: built in, empty, or from a file. */
#ifndef PARDUP_RUN_WORDLIST_H
#define PARDUP_RUN_WORDLIST_H

#include <stdbool.h>

#include "pardup/run/options.h"
#include "pardup/store/volume.h"

/*
 * Not collective. Append the terms of a list to `terms`, which is empty, in ascending order. The
 * list is "english" (feature/stopwords.h), "none", or the name of a file of words in UTF-8.
 * Anything that is no word separates words. `how`: how documents are cut into words. PD_OK or
 * PD_EIO.
 */
int pd_wordlist_read(const char *list, const struct pd_input_options *how, struct pd_terms *terms);

/* Is the term in the list? O(log n). */
bool pd_wordlist_has(const struct pd_terms *terms, uint64_t term);

/* Is `text` a number of antecedents, not the name of a list? */
bool pd_is_number(const char *text);

/* Is `list` the name of a file? */
bool pd_wordlist_is_file(const char *list);

/* Not collective. Can the list be read? PD_OK or PD_EIO. */
int pd_wordlist_check(const char *list);

#endif

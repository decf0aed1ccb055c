/*
 * feature/stopwords.h - the built-in list of stop words: English function words.
 *
 * Articles, pronouns, prepositions, conjunctions, auxiliaries and their contractions, in their
 * normalised form. SpotSigs has two lists of words, antecedents and stop words; this list can serve
 * as either.
 */
#ifndef PARDUP_FEATURE_STOPWORDS_H
#define PARDUP_FEATURE_STOPWORDS_H

#include <stddef.h>

/* The `*n` words, in ascending order of bytes, without duplicates. Constant; not to be freed. */
const char *const *pd_stopwords_english(size_t *n);

#endif

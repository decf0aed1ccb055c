/*
 * document/sentence/sentence.h - where sentences begin and end.
 *
 * About fifty rules in one table (ending_rules.c) decide, and they are the same for all languages.
 * The languages differ in their marks (ending.c) and in their abbreviations and sentence starters
 * (lexicon.c: English, German, French, Spanish, Italian, some Dutch, Danish and Russian).
 */
#ifndef PARDUP_DOCUMENT_SENTENCE_H
#define PARDUP_DOCUMENT_SENTENCE_H

#include <stddef.h>

#include "pardup/base/unit.h"

/*
 * Split a text into sentences and append them to `out`, with `word` and `nwords` 0.
 *   text    n bytes of valid UTF-8; n < 4 GiB
 *   out     owned by the caller
 * A sentence of more than PD_LONG_SENTENCE characters is cut by its content (run_cut.h), and no
 * sentence ends inside a word that is printed in two parts (seam.h).
 * Sentences are trimmed of white space and not empty. Together they hold every byte of the text
 * that is not white space. Cannot fail. Linear time, no memory besides `out`. Thread-safe.
 */
void pd_sentences_split(const unsigned char *text, size_t n, struct pd_sentences *out);

/*
 * pd_sentences_split() that ends when `out` holds more than `most` sentences, or when stopping(),
 * which may be NULL, is nonzero. Then the rest of the text is missing.
 */
void pd_sentences_split_some(const unsigned char *text, size_t n, size_t most,
                             int (*stopping)(void), struct pd_sentences *out);

#endif

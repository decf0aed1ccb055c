/*
 * word_any.h - the words of a text that are not read by masks alone (word_masks.h): those with
 * characters beyond À to ÿ, or with a quote or point before one beyond ASCII.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_WORD_ANY_H
#define PARDUP_DOCUMENT_WORD_ANY_H

#include "word_masks.h"

/*
 * Append the word at `word`, which may hold any characters, or all words of the Chinese or Japanese
 * run there (PD_WORDS_ICU). Returns the end of the word or run; where no word begins, the end of
 * the character. Hashes are set later.
 */
const unsigned char *pd_word_any(const struct pd_scan *scan, const unsigned char *word,
                                 const unsigned char *end, struct pd_document *d);

#endif

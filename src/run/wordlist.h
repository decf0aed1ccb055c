/* run/wordlist.h - lists of words: the built-in one, or a file. */
#ifndef PARDUP_RUN_WORDLIST_H
#define PARDUP_RUN_WORDLIST_H

#include <stdbool.h>

#include "pardup/document/document.h"
#include "pardup/feature/vocabulary.h"

/*
 * Not collective. Set `flag` in flags[number] of every word of the vocabulary that is on the list:
 * "english" (feature/stopwords.h), "none", or a file of words in UTF-8 with anything that is no word
 * between them. PD_OK or PD_EIO.
 */
int pd_wordlist_flag(const char *list, enum pd_words_kind kind,
                     const struct pd_vocabulary *vocabulary, unsigned char *flags,
                     unsigned char flag);

/* Is `text` a number (of antecedents) and no list? */
bool pd_is_number(const char *text);

/* Not collective. Can the list be read? PD_OK or PD_EIO. */
int pd_wordlist_check(const char *list);

#endif

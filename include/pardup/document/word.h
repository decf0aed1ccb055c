/*
 * document/word.h - words, and the form in which they are compared.
 *
 * A word is a run of letters, digits, marks and underscores. An apostrophe (' or U+2019) between
 * letters and a '.' or ',' between digits belong to it. Han and Hiragana characters are words of
 * one character each. Compared form: NFKC, case-folded, U+2019 as ', without soft hyphens and other
 * default-ignorable characters.
 * With PD_WORDS_ICU a run of Han, Hiragana and Katakana is cut into words by ICU's dictionary.
 */
#ifndef PARDUP_DOCUMENT_WORD_H
#define PARDUP_DOCUMENT_WORD_H

#include <stdbool.h>

#include "pardup/document/document.h"

/* Was the program built with ICU? */
bool pd_words_have_icu(void);

/*
 * Append the words of text[begin, end) (valid UTF-8) to d->words, their forms to d->norm: that of a word of ASCII
 * and Latin-1 letters is part of the text in lower case, which is there once, so d->norm grows by more than the
 * text. When it exceeds 4 GiB the words are of no use.
 */
void pd_words_scan(const unsigned char *text, uint32_t begin, uint32_t end, struct pd_document *d);

/*
 * The words of all d->sentences of d->text: fills in their word and nwords, and drops those without
 * any. False when the words' forms need 4 GiB or more; `d` is then of no use.
 */
bool pd_words_of_sentences(struct pd_document *d) __attribute__((warn_unused_result));

#endif

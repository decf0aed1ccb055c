/*
 * document/code.h - the words of program text, whatever its language.
 *
 * A copied program is renamed, laid out anew and commented anew before it is reordered. So words
 * are what stays:
 *   - a name or keyword: letters, digits, _, $ and bytes beyond ASCII, not beginning with a digit.
 *     All have the form "name".
 *   - a number: a digit, and letters, digits, _ and . behind it. All have the form "number".
 *   - a string of one line in ", ' or `, with its quotes. Its form is its text.
 *   - an operator: one of + - * / % = < > ! & | ^ ~ ? :
 * Brackets and other punctuation are no words, as they say little and double the length of a gram.
 * Comments are none either: from // to the end of the line, from # or -- behind white space (the --
 * also before it), between slash-star and star-slash, and between three quotes. The reader does not
 * know the language, so lines of a preprocessor count as comments, and the rest of a line behind an
 * integer division of Python. A quote that is not closed in its line is no string.
 *
 * A base unit is a line with words. No word is in two lines, so lines are the same whether they are
 * read alone or in their text.
 */
#ifndef PARDUP_DOCUMENT_CODE_H
#define PARDUP_DOCUMENT_CODE_H

#include <stdbool.h>

#include "pardup/document/document.h"

/*
 * Read the lines of d->text and their words into d->sentences, d->words and d->norm, which are
 * empty. Returns false when the document is too large, or not wanted, as pd_words_of_sentences()
 * does.
 */
bool pd_code_read(struct pd_document *d) __attribute__((warn_unused_result));

/* Read the words of all d->sentences, which pd_code_read() has found. Returns as it does. */
bool pd_code_words(struct pd_document *d) __attribute__((warn_unused_result));

#endif

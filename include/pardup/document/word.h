/*
 * document/word.h - words, and the normalised form in which they are compared.
 *
 * A word is a run of letters, digits, combining marks and connectors such as the underscore. An
 * apostrophe (' U+2019 U+02BC U+0092) between letters and a '.' or ',' between digits belong to the
 * word. Han and Hiragana characters are words of one character each; a run of Katakana is a word.
 * In Thai, Lao, Khmer, Burmese and other scripts of South-East Asia without blanks a word is one
 * letter with the marks and vowel signs behind it, whatever it is in speech: no dictionary is
 * needed, and the words are the same with every version of ICU. With PD_WORDS_ICU a run of letters
 * of scripts without blanks is cut into words by ICU's dictionary.
 *
 * A word that is printed in two parts is one word, whose bytes include both parts: "emi-", a line
 * end, "nent", or "re|ceiue" (document/word/seam.h). Its normalised form is the forms of the parts,
 * one behind the other.
 *
 * The normalised form of a word is NFKC and case-folded. Each apostrophe becomes ', and soft
 * hyphens and other default-ignorable characters are dropped: joiners, marks of direction, the zero
 * width space. So are points and vowel marks of Hebrew, Arabic and Syriac, and the tatweel; some
 * letters of Arabic and Persian are one letter (docs/methods.md has the table). Marks of all other
 * scripts stay. With PD_SPELLING_EARLY_MODERN also v is u, j is i, æ and œ are two letters, and an
 * e at the end of a word of three letters and more is dropped.
 */
#ifndef PARDUP_DOCUMENT_WORD_H
#define PARDUP_DOCUMENT_WORD_H

#include <stdbool.h>

#include "pardup/document/document.h"

/* True when the program was built with ICU, which PD_WORDS_ICU needs. */
bool pd_words_have_icu(void);

/*
 * Append the words of text[begin, end), which is valid UTF-8, to d->words, and their normalised
 * forms to d->norm. First d->norm gets a copy of the text in lower case, which holds the forms of
 * all words of ASCII and Latin-1 letters; other forms follow it. So d->norm grows by more than the
 * text. Returns false when the document is too large, as pd_words_of_sentences() does.
 */
bool pd_words_scan(const unsigned char *text, uint32_t begin, uint32_t end, struct pd_document *d);

/*
 * Read the words of all d->sentences of d->text into d->words and d->norm, which are empty. Sets
 * `word` and `nwords` of each sentence and drops sentences without a word. Returns false when the
 * normalised forms need 4 GiB or more, or when pd_document_is_dense(); the words are then not
 * valid.
 */
bool pd_words_of_sentences(struct pd_document *d) __attribute__((warn_unused_result));

/*
 * Is a word of the document a single character of a script without blanks, with the marks and vowel
 * signs behind it? The normalised form decides.
 */
bool pd_word_is_single(const struct pd_document *d, const struct pd_word *word);

/*
 * Can form[0, n), valid UTF-8, be a normalised form, as far as its characters say? A capital
 * letter, for example, is in none.
 */
bool pd_word_is_form(const unsigned char *form, size_t n);

/*
 * Find the words that lie in bytes [begin, end) of the text. *from is the first of them, or where
 * it would be. Returns how many there are. O(log n).
 */
uint32_t pd_words_between(const struct pd_words *words, uint64_t begin, uint64_t end,
                          uint32_t *from);

#endif

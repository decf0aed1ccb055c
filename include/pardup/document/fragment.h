/*
 * document/fragment.h - what tells a label from a sentence, and one fact from another.
 *
 * Entries of lists, cells of tables, labels of boxes and lines of program text hardly ever end as
 * sentences do. Numbers and names are what two texts differ in that say other things in equal
 * words.
 */
#ifndef PARDUP_DOCUMENT_FRAGMENT_H
#define PARDUP_DOCUMENT_FRAGMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does s[0, n), valid UTF-8, end with a mark that ends sentences, apart from quotes and brackets
 * behind it? Colons and semicolons are no such marks, nor are dots in a row. Letters of Thai and
 * Lao are: their sentences have no marks.
 */
bool pd_ends_sentence(const unsigned char *s, size_t n);

/* Has s[0, n) a line that ends with a brace, as in program text? */
bool pd_has_braces(const unsigned char *s, size_t n);

/* Has the word s[0, n), valid UTF-8, a digit? */
bool pd_has_digit(const unsigned char *s, size_t n);

/*
 * May the word s[0, n), valid UTF-8, be a name? It begins with a capital, unless it is the first
 * one of its sentence, or with a letter of a script that has no capitals.
 */
bool pd_may_be_name(const unsigned char *s, size_t n, bool first);

#endif

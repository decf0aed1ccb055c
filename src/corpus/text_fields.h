/*
 * corpus/text_fields.h - the fields of a JSON line that make its text.
 *
 * --text-field "a,b|c" names groups of fields, `|` between them. The first group counts of which the
 * line has a string. Its strings are the text, in the order of the list, with an empty line between
 * them; fields that are missing, or are no strings, are passed over. Formats with columns have one
 * text: the last name of the list.
 */
#ifndef PARDUP_CORPUS_TEXT_FIELDS_H
#define PARDUP_CORPUS_TEXT_FIELDS_H

#include <stddef.h>

enum { PD_TEXT_FIELDS = 8, PD_TEXT_NAME = 256 }; /* names at most; bytes of a name */

#define PD_TEXT_BETWEEN "\n\n" /* between two fields */

struct pd_text_fields {
    char names[PD_TEXT_FIELDS][PD_TEXT_NAME];
    int group[PD_TEXT_FIELDS]; /* ascending */
    size_t n;
};

/* Read a list. Names beyond the limits are left out. */
void pd_text_fields_read(struct pd_text_fields *f, const char *list);

/* The last name of a list; it points into the list. */
const char *pd_text_fields_last(const char *list);

#endif

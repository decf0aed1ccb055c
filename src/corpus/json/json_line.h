/*
 * corpus/json/json_line.h - what a JSON parser does not do for a line: mend it, keep numbers as
 * they are written, and go into objects.
 */
#ifndef PARDUP_CORPUS_JSON_LINE_H
#define PARDUP_CORPUS_JSON_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

struct json_t; /* of jansson */

/*
 * Copy the line s[0, n) to `to`, whose content is replaced, with what writers of JSON get wrong
 * mended. In strings: U+FFFD stands for bytes that are no UTF-8 and for halves of surrogate pairs;
 * control characters and wrong escapes are escaped. Elsewhere: words that are no JSON, such as NaN
 * and Infinity, become null, numbers of more than 15 characters become 0, and a comma in front of a
 * closing bracket becomes a space. Linear time.
 *   unsound   set to whether anything but numbers that JSON allows differs
 * Returns whether anything differs.
 */
bool pd_json_mend(const unsigned char *s, size_t n, struct pd_bytes *to, bool *unsound);

/* Is s[0, n) a number as RFC 8259 has it, of any size? */
bool pd_json_is_number(const unsigned char *s, size_t n);

/*
 * The number that the field `name` of the object s[0, n) has, as it is written. A dot in the name
 * goes into an object, unless a field has the whole name. Of several fields with this name the last
 * one counts. *number points into s. Returns the bytes of the number; 0 when there is no such field
 * or it has no number. Linear time.
 */
size_t pd_json_number(const unsigned char *s, size_t n, const char *name,
                      const unsigned char **number);

/*
 * The string that the field `name` has, as it is written, with its quotes; `name` as for
 * pd_json_number(). *string points into s. Returns its bytes; 0 when there is no such field or it
 * has no string. Linear time.
 */
size_t pd_json_string(const unsigned char *s, size_t n, const char *name,
                      const unsigned char **string);

/*
 * Copy the string s[0, n), n > 0, with its quotes to `to`, whose content is replaced, mended as
 * pd_json_mend() does it, except that bytes that are no UTF-8 stay. Linear time.
 */
void pd_json_mend_bytes(const unsigned char *s, size_t n, struct pd_bytes *to);

/*
 * The list or object that the field `name` has, as it is written; `name` as for pd_json_number().
 * *value points into s. Returns its bytes; 0 when there is no such field or it has neither. Linear
 * time.
 */
size_t pd_json_compound(const unsigned char *s, size_t n, const char *name,
                        const unsigned char **value);

/*
 * The field `name` of an object, NULL if there is none; a dot in the name goes into an object,
 * unless a field has the whole name.
 */
const struct json_t *pd_json_field(const struct json_t *root, const char *name);

/*
 * Write the names of the fields of the object s[0, n) that have strings to `to`, with commas
 * between them and a NUL behind; "a.b" is the field b of the object in a. Names that do not fit,
 * and names of other characters than ASCII, are left out. Linear time.
 *   most   bytes of `to`, at least 1
 */
void pd_json_string_fields(const unsigned char *s, size_t n, char *to, size_t most);

#endif

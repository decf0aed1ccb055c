/*
 * corpus/json/json_scan.h - a few fields of a JSON line, found in one pass that makes no tree.
 *
 * The rest of the line is passed over, but checked: a line that the pass accepts is one object of
 * RFC 8259 in UTF-8. The pass leaves rare lines to a JSON parser.
 */
#ifndef PARDUP_CORPUS_JSON_SCAN_H
#define PARDUP_CORPUS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"

enum pd_json_kind {
    PD_JSON_NONE, /* there is no such field */
    PD_JSON_STRING,
    PD_JSON_INTEGER,
    PD_JSON_REAL,
    PD_JSON_NULL,
    PD_JSON_BOOLEAN,
    PD_JSON_OBJECT,
    PD_JSON_ARRAY
};

/* The value of a field. */
struct pd_json_value {
    enum pd_json_kind kind;
    bool escaped;           /* a string with escapes: see pd_json_decode() */
    const unsigned char *s; /* the value as the line has it; a string without its quotes */
    size_t n;               /* bytes of s */
};

enum { PD_JSON_NAMES_MOST = 64 }; /* names that a line can be asked for */

/*
 * Find values[k], the value of the field names[k], in the line s[0, n). A dot in a name goes into
 * an object, unless a field has the whole name. Of several fields with a name the last one counts.
 *   names    at most PD_JSON_NAMES_MOST; NULL: a name that no field has
 *   commas   most commas and opening brackets outside strings
 *   values   point into s
 * Returns false when a JSON parser must judge the line, and `values` mean nothing: it is broken or
 * no object, has more commas, deep nesting, numbers that a parser may refuse, names with escapes,
 * or a part of a name with dots twice. Linear time.
 */
bool pd_json_scan(const unsigned char *s, size_t n, const char *const *names, size_t nnames,
                  size_t commas, struct pd_json_value *values);

/*
 * Write a string without its escapes to `to`, which has room for its bytes. Returns the bytes
 * written. The copy may be shorter than the string, never longer.
 */
size_t pd_json_decode(const struct pd_json_value *string, unsigned char *to);

/*
 * The character at s[0, n), n > 0, inside a string of a valid line: its bytes in UTF-8 go to `to`,
 * *made counts them. Returns the bytes of s that it takes. A byte that is not an escape is one
 * character here.
 */
size_t pd_json_unescape(const unsigned char *s, size_t n, unsigned char to[4], size_t *made);

/* The code unit of the escape \uXXXX at s[0, n); -1 when there is none. */
int pd_json_unit(const unsigned char *s, size_t n);

/* Code units from HIGH on begin a surrogate pair, from LOW on they end one, before LOW_END. */
enum { PD_JSON_HIGH = 0xd800, PD_JSON_LOW = 0xdc00, PD_JSON_LOW_END = 0xe000 };

/* The place from k on of what is no white space of JSON in s[0, n). */
static inline size_t pd_json_pass_blanks(const unsigned char *s, size_t k, size_t n)
{
    while (k < n && memchr(" \t\r\n", s[k], 4))
        k++;
    return k;
}

static inline bool pd_json_is_high(int unit) { return unit >= PD_JSON_HIGH && unit < PD_JSON_LOW; }

static inline bool pd_json_is_low(int unit)
{
    return unit >= PD_JSON_LOW && unit < PD_JSON_LOW_END;
}

#endif

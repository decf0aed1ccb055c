/* run/check/flat.h - read the two fields of a simple JSON line without a parser's tree. */
#ifndef PARDUP_RUN_CHECK_FLAT_H
#define PARDUP_RUN_CHECK_FLAT_H

#include <stdbool.h>

#include "pardup/base/bytes.h"

/* A string field, unescaped; borrowed from the line or from the caller's room. */
struct pd_flat_field {
    const char *name; /* set by the caller */
    const char *text; /* NULL: the object has no such field */
    size_t n;
};

/*
 * Find two fields of an object that has only strings as values.
 *   line    line[0, n)
 *   fields  two of them; of two equal names the last one counts, as in a parser
 *   room    receives strings that have escapes
 * Returns false if the line is anything else, or may be broken: then a parser must look at it. In
 * a line that is accepted, strings are UTF-8 without NUL.
 * Cost: O(n), a tenth of the time of jansson.
 */
bool pd_flat_read(const char *line, size_t n, struct pd_flat_field fields[2],
                  struct pd_bytes *room);

#endif

/*
 * base/plain.h - text of others without characters that do something.
 *
 * Ids, names and texts of a collection may hold escape sequences of a terminal, line ends that
 * forge a line, and marks that turn the direction of what stands around them. All that is printed
 * for a person or into a table goes through this file.
 */
#ifndef PARDUP_BASE_PLAIN_H
#define PARDUP_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a character does to a terminal. */
enum pd_plain_kind {
    PD_PLAIN_SHOWN,     /* nothing: it is shown */
    PD_PLAIN_CONTROL,   /* a control character (C0, DEL, C1), or a line or paragraph separator */
    PD_PLAIN_DIRECTION, /* a mark that changes the direction of text (UAX #9) */
    PD_PLAIN_BROKEN     /* a byte that is not UTF-8 */
};

enum pd_plain_kind pd_plain_kind_of(uint32_t character);

/*
 * The kind of the character at s[0], n > 0.
 *   bytes      receives its bytes, at least 1
 *   character  receives its number, or the byte if it is broken
 */
enum pd_plain_kind pd_plain_at(const char *s, size_t n, size_t *bytes, uint32_t *character);

enum { PD_PLAIN_ESCAPE = 8 }; /* bytes of an escape at most, with the NUL */

/*
 * Write the escape of a character that is not shown: \n, \r, \t, \xHH below U+0080 and for a broken
 * byte, else \uHHHH. Returns its bytes.
 */
size_t pd_plain_escape(char to[PD_PLAIN_ESCAPE], enum pd_plain_kind kind, uint32_t character);

/*
 * Write s[0, n) with escapes to `to`, and a NUL behind it. The text is cut if there is no room for
 * all of it. Returns its bytes.
 *   room  bytes of `to`, at least 1
 */
size_t pd_plain_line(char *to, size_t room, const char *s, size_t n);

/* Does a character of s[0, n) have an escape? */
bool pd_plain_changes(const char *s, size_t n);

/* What follows a noun that counts n things: "" for one, else "s". */
static inline const char *pd_plural(uint64_t n) { return n == 1 ? "" : "s"; }

#endif

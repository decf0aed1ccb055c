/* document/utf8.h - check, repair and write UTF-8. */
#ifndef PARDUP_DOCUMENT_UTF8_H
#define PARDUP_DOCUMENT_UTF8_H

#include <stdint.h>

#include "pardup/base/bytes.h"

#define PD_REPLACEMENT   0xFFFD         /* the character that replaces broken input */
#define PD_REPLACEMENT_S "\xEF\xBF\xBD" /* PD_REPLACEMENT in UTF-8 */
#define PD_UTF8_MOST     4              /* bytes of one character in UTF-8, at most */

/*
 * The offset of the first broken sequence in s[0, n); n when all of it is valid UTF-8. Surrogates,
 * overlong forms and a character that is cut off at the end are broken. Linear time.
 */
size_t pd_utf8_valid(const unsigned char *s, size_t n);

/* The offset of the first byte >= 0x80 in s[0, n); n when there is none. Linear time. */
size_t pd_ascii_span(const unsigned char *s, size_t n);

/* The length of the broken sequence at s; pd_utf8_valid(s, n) is 0 and n is not. */
size_t pd_utf8_broken(const unsigned char *s, size_t n);

/*
 * Append s[0, n) to `out`, with U+FFFD in place of each maximal part of a broken sequence (Unicode
 * standard, section 3.9, "U+FFFD Substitution of Maximal Subparts"; WHATWG Encoding standard, UTF-8
 * decoder). Returns the number of U+FFFD that were put in.
 */
uint64_t pd_utf8_mend(const unsigned char *s, size_t n, struct pd_bytes *out);

/*
 * Write character c (no surrogate, at most 0x10FFFF) to `out`, which has room for it. Returns the
 * number of bytes written, 1 to PD_UTF8_MOST.
 */
size_t pd_utf8_put(unsigned char *out, uint32_t c);

/*
 * The characters of bytes 0x80 to 0x9F in windows-1252. The five bytes that windows-1252 leaves
 * undefined are the C1 control characters of the same number.
 */
extern const uint16_t pd_windows_1252[32];

#endif

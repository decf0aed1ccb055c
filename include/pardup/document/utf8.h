/* document/utf8.h - UTF-8 checked, mended and written. */
#ifndef PARDUP_DOCUMENT_UTF8_H
#define PARDUP_DOCUMENT_UTF8_H

#include <stdint.h>

#include "pardup/base/bytes.h"

#define PD_REPLACEMENT   0xFFFD         /* the character for what cannot be decoded */
#define PD_REPLACEMENT_S "\xEF\xBF\xBD" /* the same in UTF-8 */
#define PD_UTF8_MOST     4              /* bytes of a character */

/* First invalid byte of a UTF-8 string, n when there is none. No surrogates, no overlongs. */
size_t pd_utf8_valid(const unsigned char *s, size_t n);

/* First byte >= 0x80, n when there is none. */
size_t pd_ascii_span(const unsigned char *s, size_t n);

/*
 * Append `s` to `out` with U+FFFD for each maximal part of a broken sequence (Unicode standard,
 * section 3.9, "U+FFFD Substitution of Maximal Subparts"; WHATWG Encoding standard, UTF-8 decoder).
 * Returns how many were put in.
 */
uint64_t pd_utf8_mend(const unsigned char *s, size_t n, struct pd_bytes *out);

/* Write character c (no surrogate, at most 0x10FFFF); returns the bytes written, 1 to 4. */
size_t pd_utf8_put(unsigned char *out, uint32_t c);

/* What bytes 0x80 to 0x9F mean in windows-1252; the five it leaves out are the C1 controls. */
extern const uint16_t pd_windows_1252[32];

#endif

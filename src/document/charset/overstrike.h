/*
 * overstrike.h - plain text as printers and terminals get it.
 *
 * A letter in bold is printed twice, c BS c, and underlined as _ BS c. ECMA-48 has colours as ESC [
 * 31 m, and terminals links as ESC ] 8 ; ; ADDRESS ESC \. A reader sees the letters alone.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_OVERSTRIKE_H
#define PARDUP_DOCUMENT_OVERSTRIKE_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"
#include "pardup/document/origin.h"

/* Are there such signs in s[0, n)? */
bool pd_overstrike_find(const unsigned char *s, size_t n);

/* Append what a reader sees of s[0, n), which is UTF-8, to `out`. Origins may be NULL: not wanted. */
void pd_overstrike_text(const unsigned char *s, size_t n, struct pd_bytes *out,
                        struct pd_origins *origins);

#endif

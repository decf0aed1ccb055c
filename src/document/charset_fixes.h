/*
 * charset_fixes.h - where the C library's tables of characters are not those of the standard.
 *
 * glibc's Big5 lacks HKSCS characters that were unified with others since, the control pictures
 * and vendors' punctuation; its GB18030 is of another year.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_FIXES_H
#define PARDUP_DOCUMENT_CHARSET_FIXES_H

#include "charset_index.h"

/* The standard's character for a code (its bytes as one number); `character` where they agree. */
uint32_t pd_fix_code(enum pd_index_kind kind, uint32_t code, uint32_t character);

/* The same for a byte of the single-byte set that iconv() knows by `name`. */
uint32_t pd_fix_single(const char *name, unsigned char byte, uint32_t character);

#endif

/*
 * charset_fixes.h - characters for which the C library's tables differ from the standard's.
 *
 * The standard is the WHATWG Encoding standard. glibc's Big5 lacks the HKSCS characters that were
 * unified with others later, the control pictures and vendors' punctuation. glibc's GB18030 is an
 * edition of another year.
 *
 * Private to document/.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_FIXES_H
#define PARDUP_DOCUMENT_CHARSET_FIXES_H

#include "charset_index.h"

/*
 * The standard's character for a code. `code` is the bytes of the code as one number, first byte
 * highest. `character` is the C library's character, which is returned where both agree.
 */
uint32_t pd_fix_code(enum pd_charset_index_kind kind, uint32_t code, uint32_t character);

/* The same as pd_fix_code(), for a byte of the single-byte set that iconv() knows by `name`. */
uint32_t pd_fix_single(const char *name, unsigned char byte, uint32_t character);

#endif

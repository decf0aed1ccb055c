/*
 * utf8_vector.h - check UTF-8 64 bytes at a time, on processors with AVX2.
 *
 * Private to document/. Keiser, Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte",
 * Software: Practice and Experience 51 (2021), the lookup algorithm.
 * Deviation: the position of the first broken byte is not returned. pd_utf8_valid() finds it in the
 * 64 bytes at which the check stops.
 */
#ifndef PARDUP_DOCUMENT_UTF8_VECTOR_H
#define PARDUP_DOCUMENT_UTF8_VECTOR_H

#include <stddef.h>

/*
 * The number of bytes at the start of s[0, n) that are known to be whole valid characters; there
 * may be more. 0 without AVX2. Linear time.
 */
size_t pd_utf8_blocks(const unsigned char *s, size_t n);

#endif

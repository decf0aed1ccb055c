/*
 * utf8_vector.h - UTF-8 checked 64 bytes at a time, on processors with AVX2.
 *
 * Private to document/. Keiser, Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte",
 * Software: Practice and Experience 51 (2021), the lookup algorithm. Deviation: where the first
 * broken byte is, is not told; pd_utf8_valid() finds it in the block that is not passed.
 */
#ifndef PARDUP_DOCUMENT_UTF8_VECTOR_H
#define PARDUP_DOCUMENT_UTF8_VECTOR_H

#include <stddef.h>

/* Bytes from s on that are known to be whole characters; 0 without AVX2. Linear time. */
size_t pd_utf8_blocks(const unsigned char *s, size_t n);

#endif

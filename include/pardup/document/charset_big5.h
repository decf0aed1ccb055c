/*
 * document/charset_big5.h - what browsers know in Big5 and the C library's BIG5-HKSCS does not.
 *
 * Codes of the WHATWG Encoding standard's Big5 index: HKSCS characters that were unified with
 * others since, punctuation on which vendors differ, and the control pictures.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_BIG5_H
#define PARDUP_DOCUMENT_CHARSET_BIG5_H

#include <stdint.h>

/* The character of a two-byte code that iconv() refused; 0 when browsers refuse it too. */
uint32_t pd_big5_missing(unsigned char lead, unsigned char trail);

#endif

/*
 * document/charset_index.h - which character a code of a character set is.
 *
 * The indexes of the WHATWG Encoding standard, section 5: arrays of characters by "pointer".
 * Deviation: they are not compiled in but read out of the C library's iconv(), once for each set
 * that turns up, and put right where it differs from the standard (a table in charset_index.c).
 */
#ifndef PARDUP_DOCUMENT_CHARSET_INDEX_H
#define PARDUP_DOCUMENT_CHARSET_INDEX_H

#include <stdint.h>

#include "charset_label.h"

enum pd_index_kind {
    PD_INDEX_GB18030,        /* two bytes */
    PD_INDEX_GB18030_RANGES, /* four bytes, up to U+FFFF */
    PD_INDEX_BIG5,
    PD_INDEX_JIS0208, /* with NEC's and IBM's extensions */
    PD_INDEX_JIS0212,
    PD_INDEX_EUC_KR,
    PD_INDEX_KINDS
};

struct pd_index {
    uint32_t *chars; /* 0: none; belongs to the module */
    uint32_t n;
};

/* NULL when this machine's iconv() does not know the set. Thread-safe. A few milliseconds once. */
const struct pd_index *pd_charset_index(enum pd_index_kind kind);

/* Characters of the bytes 0x80 to 0xFF of a PD_CHARSET_SINGLE set; else the same. */
const struct pd_index *pd_charset_single(const struct pd_charset *charset);

#endif

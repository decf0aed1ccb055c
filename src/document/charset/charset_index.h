/*
 * document/charset/charset_index.h - the character that a code of a character set stands for.
 *
 * The indexes of the WHATWG Encoding standard, section 5: arrays of characters, indexed by the
 * "pointer" that the standard computes from a code.
 * Deviation: the indexes are not compiled in. They are read out of the C library's iconv(), once
 * for each set that turns up, and corrected where iconv() differs from the standard
 * (charset_fixes.h).
 */
#ifndef PARDUP_DOCUMENT_CHARSET_INDEX_H
#define PARDUP_DOCUMENT_CHARSET_INDEX_H

#include <stdint.h>

#include "charset_label.h"

enum pd_charset_index_kind {
    PD_CHARSET_INDEX_GB18030,        /* codes of two bytes */
    PD_CHARSET_INDEX_GB18030_RANGES, /* codes of four bytes, for characters up to U+FFFF */
    PD_CHARSET_INDEX_BIG5,
    PD_CHARSET_INDEX_JIS0208, /* with NEC's and IBM's extensions */
    PD_CHARSET_INDEX_JIS0212,
    PD_CHARSET_INDEX_EUC_KR,
    PD_CHARSET_INDEX_KINDS
};

struct pd_charset_index {
    uint32_t *chars; /* character of each pointer, 0: none; owned by charset_index.c, never freed */
    uint32_t n;      /* pointers */
};

/*
 * The index of `kind`. The first call takes a few milliseconds. NULL when iconv() on this machine
 * does not know the set. Thread-safe.
 */
const struct pd_charset_index *pd_charset_index(enum pd_charset_index_kind kind);

/*
 * The index of a PD_CHARSET_SINGLE set: the characters of bytes 0x80 to 0xFF. Cost, NULL and
 * thread-safety are as for pd_charset_index().
 */
const struct pd_charset_index *pd_charset_single(const struct pd_charset *charset);

#endif

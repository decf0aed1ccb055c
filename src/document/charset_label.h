/*
 * document/charset_label.h - the names of character sets, and where a page says its own.
 *
 * WHATWG Encoding standard, section 4.2 (labels); HTML standard, section 13.2.3.2 (prescan).
 * Deviation: the 7-bit sets that browsers refuse for security's sake (iso-2022-kr, iso-2022-cn) are
 * decoded; uchardet's names for Korean and Cyrillic sets are known too.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_LABEL_H
#define PARDUP_DOCUMENT_CHARSET_LABEL_H

#include <stddef.h>

enum pd_charset_kind {
    PD_CHARSET_UTF8,
    PD_CHARSET_WINDOWS_1252,
    PD_CHARSET_SINGLE, /* a byte is a character; this and the next six: below 0x80 is ASCII */
    PD_CHARSET_GB18030,
    PD_CHARSET_BIG5,
    PD_CHARSET_SHIFT_JIS,
    PD_CHARSET_EUC_JP,
    PD_CHARSET_EUC_KR,
    PD_CHARSET_ISO_2022_JP,
    PD_CHARSET_UTF16LE,
    PD_CHARSET_UTF16BE,
    PD_CHARSET_ICONV /* left to iconv(): escape sequences, 7-bit */
};

struct pd_charset {
    const char *labels; /* lower case, separated by a space */
    const char *name;   /* what iconv_open() calls it */
    enum pd_charset_kind kind;
};

/* By its label in any case, with or without blanks and quotes around. NULL when unknown. */
const struct pd_charset *pd_charset_find(const char *label, size_t n);

/*
 * What an HTML page, or its first bytes, says: <meta charset>, <meta http-equiv>, or else
 * <?xml encoding?>. A page that could be read that far is not UTF-16, whatever it says. NULL when
 * it says nothing known.
 */
const struct pd_charset *pd_charset_declared(const unsigned char *html, size_t n);

#endif

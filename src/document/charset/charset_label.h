/*
 * document/charset/charset_label.h - the labels of character sets, and the label in an HTML page.
 *
 * WHATWG Encoding standard, section 4.2 (labels); HTML standard, section 13.2.3.2 (prescan).
 * Deviation: the 7-bit sets that browsers refuse for the sake of security (iso-2022-kr,
 * iso-2022-cn, hz-gb-2312) are decoded, and UTF-32, which they do not know. The names that uchardet
 * has for Korean and Cyrillic sets are labels too.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_LABEL_H
#define PARDUP_DOCUMENT_CHARSET_LABEL_H

#include <stddef.h>

/* Decoders. From WINDOWS_1252 to EUC_KR a byte below 0x80 is ASCII where it begins a character. */
enum pd_charset_kind {
    PD_CHARSET_UTF8,
    PD_CHARSET_WINDOWS_1252,
    PD_CHARSET_SINGLE, /* each byte is a character */
    PD_CHARSET_GB18030,
    PD_CHARSET_BIG5,
    PD_CHARSET_SHIFT_JIS,
    PD_CHARSET_EUC_JP,
    PD_CHARSET_EUC_KR,
    PD_CHARSET_ISO_2022_JP,
    PD_CHARSET_HZ,
    PD_CHARSET_UTF16LE,
    PD_CHARSET_UTF16BE,
    PD_CHARSET_UTF32LE,
    PD_CHARSET_UTF32BE,
    PD_CHARSET_ICONV /* left to iconv(): 7-bit sets with escape sequences */
};

struct pd_charset {
    const char *labels; /* all labels, in lower case, separated by a space */
    const char *name;   /* name of the set for iconv_open() */
    enum pd_charset_kind kind;
};

/*
 * The set with this label of n bytes, in upper or lower case, with or without white space and
 * quotes around it. NULL when unknown. The result is never freed.
 */
const struct pd_charset *pd_charset_find(const char *label, size_t n);

/*
 * The set that an HTML page names in its first n bytes: in <meta charset> or <meta http-equiv>, or,
 * without either, in <?xml encoding?>. NULL when it names no known set. UTF-8 when it names UTF-16,
 * because a page in UTF-16 could not be read this way.
 */
const struct pd_charset *pd_charset_declared(const unsigned char *html, size_t n);

#endif

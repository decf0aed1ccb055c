/* charset_label.c - see src/document/charset/charset_label.h */
#include "charset_label.h"

#include <stdbool.h>
#include <string.h>

enum { LABEL_MOST = 32 }; /* bytes of a label and NUL; no label below is longer */

/* clang-format off */
static const struct pd_charset charsets[] = {
    {"utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
     "UTF-8", PD_CHARSET_UTF8},
    {"windows-1252 iso-8859-1 latin1 us-ascii ascii cp1252 x-cp1252 iso8859-1 iso88591 iso_8859-1 "
     "iso_8859-1:1987 iso-ir-100 csisolatin1 l1 cp819 ibm819 ansi_x3.4-1968 x-user-defined",
     "CP1252", PD_CHARSET_WINDOWS_1252},
    {"gb18030 gbk gb2312 gb_2312 gb_2312-80 chinese csgb2312 csiso58gb231280 iso-ir-58 x-gbk",
     "GB18030", PD_CHARSET_GB18030},
    {"big5 big5-hkscs cn-big5 csbig5 x-x-big5", "BIG5-HKSCS", PD_CHARSET_BIG5},
    {"shift_jis sjis x-sjis shift-jis csshiftjis ms932 ms_kanji windows-31j",
     "CP932", PD_CHARSET_SHIFT_JIS},
    {"euc-jp x-euc-jp cseucpkdfmtjapanese", "EUC-JP-MS", PD_CHARSET_EUC_JP},
    {"iso-2022-jp csiso2022jp", "ISO-2022-JP", PD_CHARSET_ISO_2022_JP},
    {"euc-kr ks_c_5601-1987 ks_c_5601-1989 korean ksc5601 ksc_5601 cseuckr csksc56011987 "
     "iso-ir-149 windows-949 uhc cp949",
     "CP949", PD_CHARSET_EUC_KR},
    {"hz-gb-2312 hz", "HZ", PD_CHARSET_HZ},
    {"iso-2022-kr csiso2022kr", "ISO-2022-KR", PD_CHARSET_ICONV},
    {"iso-2022-cn iso-2022-cn-ext", "ISO-2022-CN-EXT", PD_CHARSET_ICONV},
    {"windows-1251 cp1251 x-cp1251", "CP1251", PD_CHARSET_SINGLE},
    {"koi8-r cskoi8r koi koi8 koi8_r", "KOI8-R", PD_CHARSET_SINGLE},
    {"koi8-u koi8-ru", "KOI8-U", PD_CHARSET_SINGLE},
    {"windows-1250 cp1250 x-cp1250", "CP1250", PD_CHARSET_SINGLE},
    {"windows-1253 cp1253 x-cp1253", "CP1253", PD_CHARSET_SINGLE},
    {"windows-1254 iso-8859-9 latin5 cp1254 x-cp1254 csisolatin5 iso-ir-148 iso8859-9 iso88599 "
     "iso_8859-9 iso_8859-9:1989 l5",
     "CP1254", PD_CHARSET_SINGLE},
    {"windows-1255 cp1255 x-cp1255", "CP1255", PD_CHARSET_SINGLE},
    {"windows-1256 cp1256 x-cp1256", "CP1256", PD_CHARSET_SINGLE},
    {"windows-1257 cp1257 x-cp1257", "CP1257", PD_CHARSET_SINGLE},
    {"windows-1258 cp1258 x-cp1258", "CP1258", PD_CHARSET_SINGLE},
    {"windows-874 tis-620 dos-874 iso-8859-11 iso8859-11 iso885911", "CP874", PD_CHARSET_SINGLE},
    {"iso-8859-2 latin2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2",
     "ISO-8859-2", PD_CHARSET_SINGLE},
    {"iso-8859-3 latin3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3",
     "ISO-8859-3", PD_CHARSET_SINGLE},
    {"iso-8859-4 latin4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4",
     "ISO-8859-4", PD_CHARSET_SINGLE},
    {"iso-8859-5 cyrillic csisolatincyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 "
     "iso_8859-5:1988",
     "ISO-8859-5", PD_CHARSET_SINGLE},
    {"iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e "
     "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
     "ISO-8859-6", PD_CHARSET_SINGLE},
    {"iso-8859-7 greek greek8 csisolatingreek ecma-118 elot_928 iso-ir-126 iso8859-7 iso88597 "
     "iso_8859-7 iso_8859-7:1987 sun_eu_greek",
     "ISO-8859-7", PD_CHARSET_SINGLE},
    {"iso-8859-8 iso-8859-8-i hebrew logical visual csiso88598e csiso88598i csisolatinhebrew "
     "iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988",
     "ISO-8859-8", PD_CHARSET_SINGLE},
    {"iso-8859-10 latin6 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6",
     "ISO-8859-10", PD_CHARSET_SINGLE},
    {"iso-8859-13 iso8859-13 iso885913", "ISO-8859-13", PD_CHARSET_SINGLE},
    {"iso-8859-14 iso8859-14 iso885914", "ISO-8859-14", PD_CHARSET_SINGLE},
    {"iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9",
     "ISO-8859-15", PD_CHARSET_SINGLE},
    {"iso-8859-16", "ISO-8859-16", PD_CHARSET_SINGLE},
    {"ibm866 866 cp866 csibm866", "CP866", PD_CHARSET_SINGLE},
    {"ibm437 cp437 437 cspc8codepage437", "IBM437", PD_CHARSET_SINGLE},
    {"ibm737 cp737 737", "CP737", PD_CHARSET_SINGLE},
    {"ibm775 cp775 775 cspc775baltic", "CP775", PD_CHARSET_SINGLE},
    {"ibm850 cp850 850 cspc850multilingual", "IBM850", PD_CHARSET_SINGLE},
    {"ibm852 cp852 852 cspcp852", "IBM852", PD_CHARSET_SINGLE},
    {"ibm855 cp855 855 csibm855", "IBM855", PD_CHARSET_SINGLE},
    {"ibm857 cp857 857 csibm857", "IBM857", PD_CHARSET_SINGLE},
    {"ibm00858 cp858 858 ibm858 cp00858 ccsid00858", "CP858", PD_CHARSET_SINGLE},
    {"ibm860 cp860 860 csibm860", "IBM860", PD_CHARSET_SINGLE},
    {"ibm861 cp861 861 cp-is csibm861", "IBM861", PD_CHARSET_SINGLE},
    {"ibm862 cp862 862 cspc862latinhebrew", "IBM862", PD_CHARSET_SINGLE},
    {"ibm863 cp863 863 csibm863", "IBM863", PD_CHARSET_SINGLE},
    {"ibm864 cp864 864 csibm864", "IBM864", PD_CHARSET_SINGLE},
    {"ibm865 cp865 865 csibm865", "IBM865", PD_CHARSET_SINGLE},
    {"ibm869 cp869 869 cp-gr csibm869", "IBM869", PD_CHARSET_SINGLE},
    {"cp1125 ibm1125 1125 cp866u", "CP1125", PD_CHARSET_SINGLE},
    {"macintosh mac csmacintosh x-mac-roman", "MACINTOSH", PD_CHARSET_SINGLE},
    {"x-mac-cyrillic x-mac-ukrainian mac-cyrillic", "MAC-UK", PD_CHARSET_SINGLE},
    {"utf-16le utf-16 ucs-2 iso-10646-ucs-2 csunicode unicode unicodefeff",
     "UTF-16LE", PD_CHARSET_UTF16LE},
    {"utf-16be unicodefffe", "UTF-16BE", PD_CHARSET_UTF16BE},
    {"utf-32le", "UTF-32LE", PD_CHARSET_UTF32LE},
    {"utf-32be", "UTF-32BE", PD_CHARSET_UTF32BE},
};
/* clang-format on */
static const size_t ncharsets = sizeof charsets / sizeof *charsets;

static bool has_label(const char *labels, const char *label, size_t n)
{
    for (const char *s = labels; (s = strstr(s, label)) != NULL; s++) {
        if ((s == labels || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
            return true;
    }
    return false;
}

static bool is_wrapping(char c) { return c != '\0' && strchr(" \t\n\f\r\"'", c) != NULL; }

const struct pd_charset *pd_charset_find(const char *label, size_t n)
{
    char key[LABEL_MOST];
    while (n > 0 && is_wrapping(label[0])) {
        label++;
        n--;
    }
    while (n > 0 && is_wrapping(label[n - 1]))
        n--;
    if (n == 0 || n >= sizeof key || memchr(label, ' ', n) || memchr(label, '\0', n))
        return NULL;
    for (size_t k = 0; k < n; k++)
        key[k] = (char)(label[k] >= 'A' && label[k] <= 'Z' ? label[k] | 0x20 : label[k]);
    key[n] = '\0';
    for (size_t k = 0; k < ncharsets; k++) {
        if (has_label(charsets[k].labels, key, n))
            return &charsets[k];
    }
    return NULL;
}

/*
 * document/charset/charset_dos.h - DOS code pages of texts whose set nothing says, and uchardet
 * does not know.
 */
#ifndef PARDUP_DOCUMENT_CHARSET_DOS_H
#define PARDUP_DOCUMENT_CHARSET_DOS_H

#include <stddef.h>

/*
 * The label of the code page in which s[0, n) surely is: "cp737" (Greek), "cp862" (Hebrew), or
 * "cp850", whose letters of West European languages cp437 has, too. NULL: it is not sure.
 */
const char *pd_charset_dos(const unsigned char *s, size_t n);

#endif

/* corpus/foreign.h - formats that pardup knows not to read. */
#ifndef PARDUP_CORPUS_FOREIGN_H
#define PARDUP_CORPUS_FOREIGN_H

#include <stddef.h>

/*
 * A message that names the format of the file that begins with s[0, n), and says what to do; NULL:
 * it is none of them. Of other binary formats document/ only sees that they are no text.
 */
const char *pd_foreign_format(const unsigned char *s, size_t n);

#endif

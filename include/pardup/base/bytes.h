/* base/bytes.h - a growable array of bytes, for texts and for records of several sizes. */
#ifndef PARDUP_BASE_BYTES_H
#define PARDUP_BASE_BYTES_H

#include "pardup/base/vec.h"

PD_VEC(pd_bytes, unsigned char);

/* Append the text that printf() makes, without its NUL. */
void pd_bytes_print(struct pd_bytes *to, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The text that printf() makes. The caller frees it. */
char *pd_printed(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif

/* base/bytes.h - a growable run of bytes: texts, records on their way to another rank. */
#ifndef PARDUP_BASE_BYTES_H
#define PARDUP_BASE_BYTES_H

#include <string.h>

#include "pardup/base/vec.h"

PD_VEC(pd_bytes, unsigned char);

static inline void pd_bytes_append(struct pd_bytes *b, const void *p, size_t n)
{
    pd_bytes_reserve(b, b->n + n);
    if (n)
        memcpy(b->v + b->n, p, n);
    b->n += n;
}

#endif

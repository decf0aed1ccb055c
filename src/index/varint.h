/* index/varint.h - varints of a file that may be damaged. */
#ifndef PARDUP_INDEX_VARINT_H
#define PARDUP_INDEX_VARINT_H

#include <stddef.h>
#include <stdint.h>

/* Read the varint at p into *x. NULL: p is NULL, or the varint does not end before `end`. */
static inline const unsigned char *pd_checked_varint(const unsigned char *p,
                                                     const unsigned char *end, uint64_t *x)
{
    uint64_t sum = 0;
    for (unsigned shift = 0; p && p < end && shift < 64; shift += 7) {
        sum |= (uint64_t)(*p & 0x7F) << shift;
        if (!(*p++ & 0x80)) {
            *x = sum;
            return p;
        }
    }
    return NULL;
}

#endif

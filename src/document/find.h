/*
 * find.h - the next byte of one or two values, and sixteen bytes in lower case.
 *
 * Private to document/. The functions do what memchr() does, for one or two values, and they are
 * inline. The byte that is searched for in a page is seldom more than twenty bytes away, and
 * calling memchr() costs as much as reading twenty bytes.
 */
#ifndef PARDUP_DOCUMENT_FIND_H
#define PARDUP_DOCUMENT_FIND_H

#include <stddef.h>

#include "pardup/base/vector.h"

/* The position of the first `a` or `b` in [s, end); `end` when there is none. */
static inline const unsigned char *pd_find_either(const unsigned char *s, const unsigned char *end,
                                                  unsigned char a, unsigned char b)
{
#ifdef PD_VECTORS
    const __m128i as = _mm_set1_epi8((char)a), bs = _mm_set1_epi8((char)b);
    for (; end - s >= (ptrdiff_t)sizeof as; s += sizeof as) {
        const __m128i x = _mm_loadu_si128((const __m128i *)s);
        const __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(x, as), _mm_cmpeq_epi8(x, bs));
        const unsigned mask = (unsigned)_mm_movemask_epi8(hit);
        if (mask != 0)
            return s + __builtin_ctz(mask);
    }
#endif
    while (s < end && *s != a && *s != b)
        s++;
    return s;
}

/* The position of the first `a` in [s, end); `end` when there is none. */
static inline const unsigned char *pd_find(const unsigned char *s, const unsigned char *end,
                                           unsigned char a)
{
    return pd_find_either(s, end, a, a);
}

#endif

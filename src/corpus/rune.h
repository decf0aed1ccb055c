/* corpus/rune.h - which bytes are UTF-8 (RFC 3629). */
#ifndef PARDUP_CORPUS_RUNE_H
#define PARDUP_CORPUS_RUNE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the valid character at s[0, n), n > 0; 0 when there is none. */
static inline size_t pd_rune_bytes(const unsigned char *s, size_t n)
{
    const unsigned char c = *s;
    if (c < 0x80)
        return 1;
    if (c < 0xc2 || c > 0xf4)
        return 0;
    const size_t k = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (n < k)
        return 0;
    for (size_t i = 1; i < k; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c == 0xe0 && s[1] < 0xa0) || (c == 0xf0 && s[1] < 0x90);
    const bool surrogate = c == 0xed && s[1] > 0x9f, beyond = c == 0xf4 && s[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : k;
}

#endif

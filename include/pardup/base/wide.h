/* base/wide.h - text in UTF-16 or UTF-32, told by its bytes alone. */
#ifndef PARDUP_BASE_WIDE_H
#define PARDUP_BASE_WIDE_H

#include <stddef.h>
#include <stdint.h>

/* How characters lie in a text: bytes of a unit, and which byte of a unit comes first. */
enum pd_wide { PD_WIDE_NO, PD_WIDE_16LE, PD_WIDE_16BE, PD_WIDE_32LE, PD_WIDE_32BE };

/* Bytes of a unit: 2 or 4; 1 for PD_WIDE_NO. */
static inline size_t pd_wide_bytes(enum pd_wide form)
{
    return form == PD_WIDE_NO ? 1 : form <= PD_WIDE_16BE ? 2 : 4;
}

/* The unit at s, which has pd_wide_bytes() bytes. */
static inline uint32_t pd_wide_unit(enum pd_wide form, const unsigned char *s)
{
    switch (form) {
    case PD_WIDE_16LE:
        return s[0] | (uint32_t)s[1] << 8;
    case PD_WIDE_16BE:
        return (uint32_t)s[0] << 8 | s[1];
    case PD_WIDE_32LE:
        return s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 | (uint32_t)s[3] << 24;
    case PD_WIDE_32BE:
        return (uint32_t)s[0] << 24 | (uint32_t)s[1] << 16 | (uint32_t)s[2] << 8 | s[3];
    case PD_WIDE_NO:
        break;
    }
    return s[0];
}

/* The form that the byte order mark of s[0, n) tells; PD_WIDE_NO: there is no such mark. */
enum pd_wide pd_wide_marked(const unsigned char *s, size_t n);

/*
 * The form of a text s[0, n) without a mark, if its first 4,096 bytes leave no doubt: all of them
 * are characters that texts have, one in 16 is ASCII or a Chinese or Japanese sign, and no other
 * form can be said so of. PD_WIDE_NO: it is no such text, or may be something else.
 */
enum pd_wide pd_wide_seen(const unsigned char *s, size_t n);

#endif

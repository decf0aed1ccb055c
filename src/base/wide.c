/* base/wide.c - see include/pardup/base/wide.h */
#include "pardup/base/wide.h"

#include <stdbool.h>
#include <string.h>

#include "pardup/base/minmax.h"

enum {
    LOOK = 4096,      /* bytes that are looked at */
    UNITS_LEAST = 4,  /* units that a text must have to be told */
    COMMON_SHARE = 16 /* at least one unit in 16 is a common character */
};

enum pd_wide pd_wide_marked(const unsigned char *s, size_t n)
{
    if (n >= 4 && memcmp(s, "\xFF\xFE\0", 4) == 0) /* before UTF-16, whose mark it begins with */
        return PD_WIDE_32LE;
    if (n >= 4 && memcmp(s, "\0\0\xFE\xFF", 4) == 0)
        return PD_WIDE_32BE;
    if (n < 2)
        return PD_WIDE_NO;
    return memcmp(s, "\xFF\xFE", 2) == 0   ? PD_WIDE_16LE
           : memcmp(s, "\xFE\xFF", 2) == 0 ? PD_WIDE_16BE
                                           : PD_WIDE_NO;
}

static bool is_blank(uint32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Does every text have some of these: ASCII, signs of Chinese and Japanese, full-width signs? */
static bool is_common(uint32_t c)
{
    return is_blank(c) || (c > ' ' && c < 0x7F) || (c >= 0x3000 && c < 0x3040) ||
           (c >= 0xFF00 && c < 0xFF66);
}

/* May a text hold the character? Control characters, private and unassigned ones are left out. */
static bool is_of_text(uint32_t c)
{
    if (c < ' ')
        return is_blank(c) || c == '\f';
    if ((c >= 0x7F && c < 0xA0) || (c >= 0xD800 && c < 0xF900) || (c >= 0xFDD0 && c < 0xFDF0))
        return false;
    return c <= 0x10FFFF && (c & 0xFFFE) != 0xFFFE;
}

static bool is_high(uint32_t c) { return c >= 0xD800 && c < 0xDC00; }

static bool is_low(uint32_t c) { return c >= 0xDC00 && c < 0xE000; }

/* Can s[0, n) be a text of this form? A unit at its end may be cut. */
static bool may_be(enum pd_wide form, const unsigned char *s, size_t n)
{
    const size_t bytes = pd_wide_bytes(form), units = n / bytes;
    size_t common = 0;
    for (size_t k = 0; k < units; k++) {
        const uint32_t c = pd_wide_unit(form, s + k * bytes);
        if (bytes == 2 && is_high(c)) {
            k++;
            if (k < units && !is_low(pd_wide_unit(form, s + k * bytes)))
                return false;
            continue;
        }
        if (!is_of_text(c))
            return false;
        common += is_common(c);
    }
    return units >= UNITS_LEAST && common * COMMON_SHARE >= units;
}

enum pd_wide pd_wide_seen(const unsigned char *s, size_t n)
{
    enum pd_wide seen = PD_WIDE_NO;
    n = pd_min_size(n, LOOK);
    for (enum pd_wide form = PD_WIDE_16LE; form <= PD_WIDE_32BE; form++) {
        if (!may_be(form, s, n))
            continue;
        if (seen != PD_WIDE_NO)
            return PD_WIDE_NO;
        seen = form;
    }
    return seen;
}

/* base/plain.c - see include/pardup/base/plain.h */
#include "pardup/base/plain.h"

#include <stdio.h>
#include <string.h>

enum pd_plain_kind pd_plain_kind_of(uint32_t c)
{
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029)
        return PD_PLAIN_CONTROL;
    if (c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
        (c >= 0x2066 && c <= 0x2069))
        return PD_PLAIN_DIRECTION;
    return PD_PLAIN_SHOWN;
}

enum pd_plain_kind pd_plain_at(const char *s, size_t n, size_t *bytes, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* by the number of bytes */
    const unsigned char *u = (const unsigned char *)s;
    const size_t size = *u < 0x80 ? 1 : *u < 0xC0 ? 0 : *u < 0xE0 ? 2 : *u < 0xF0 ? 3 : 4;
    uint32_t c = size < 2 ? *u : *u & (0xFFu >> (size + 1));
    size_t k = 1;
    while (k < size && k < n && (u[k] & 0xC0) == 0x80)
        c = c << 6 | (u[k++] & 0x3F);
    *bytes = 1;
    *character = *u;
    if (size == 0 || k != size || c < least[size] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        return PD_PLAIN_BROKEN;
    *bytes = size;
    *character = c;
    return pd_plain_kind_of(c);
}

size_t pd_plain_escape(char to[PD_PLAIN_ESCAPE], enum pd_plain_kind kind, uint32_t character)
{
    static const char named[] = "\nn\rr\tt";
    const char *name = character && character < 0x80 ? strchr(named, (int)character) : NULL;
    if (name && character < 0x20)
        return (size_t)snprintf(to, PD_PLAIN_ESCAPE, "\\%c", name[1]);
    if (kind == PD_PLAIN_BROKEN || character < 0x80)
        return (size_t)snprintf(to, PD_PLAIN_ESCAPE, "\\x%02x", (unsigned)(character & 0xFF));
    return (size_t)snprintf(to, PD_PLAIN_ESCAPE, "\\u%04x", (unsigned)(character & 0xFFFF));
}

size_t pd_plain_line(char *to, size_t room, const char *s, size_t n)
{
    size_t end = 0;
    for (size_t at = 0, bytes; at < n; at += bytes) {
        char escape[PD_PLAIN_ESCAPE];
        uint32_t c;
        const enum pd_plain_kind kind = pd_plain_at(s + at, n - at, &bytes, &c);
        const char *from = s + at;
        size_t size = bytes;
        if (kind != PD_PLAIN_SHOWN) {
            from = escape;
            size = pd_plain_escape(escape, kind, c);
        }
        if (size >= room - end)
            break;
        memcpy(to + end, from, size);
        end += size;
    }
    to[end] = '\0';
    return end;
}

bool pd_plain_changes(const char *s, size_t n)
{
    uint32_t c;
    for (size_t at = 0, bytes; at < n; at += bytes)
        if (pd_plain_at(s + at, n - at, &bytes, &c) != PD_PLAIN_SHOWN)
            return true;
    return false;
}

/* base/bytes.c - see include/pardup/base/bytes.h */
#include "pardup/base/bytes.h"

#include <stdarg.h>
#include <stdio.h>

#include "pardup/base/error.h"

enum { ROOM = 256 }; /* bytes in which most texts have room */

void pd_bytes_print(struct pd_bytes *to, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    pd_bytes_reserve(to, to->n + ROOM);
    const size_t n = (size_t)vsnprintf((char *)to->v + to->n, ROOM, fmt, args);
    if (n >= ROOM) {
        pd_bytes_reserve(to, to->n + n + 1);
        vsnprintf((char *)to->v + to->n, n + 1, fmt, again);
    }
    to->n += n;
    va_end(again);
    va_end(args);
}

char *pd_printed(const char *fmt, ...)
{
    char *text;
    va_list args;
    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0)
        pd_panic("out of memory for a text");
    va_end(args);
    return text;
}

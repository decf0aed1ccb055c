/* base/width.c - see include/pardup/base/width.h */
#include "pardup/base/width.h"

#include <sys/ioctl.h>

enum { DEFAULT_WIDTH = 80, LEAST_WIDTH = 20 };

size_t pd_width(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return DEFAULT_WIDTH;
    return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

size_t pd_width_break(const char *text, size_t n, size_t room)
{
    size_t at = room;
    if (n <= room)
        return n;
    while (at > 0 && text[at] != ' ')
        at--;
    while (at > 0 && text[at - 1] == ' ')
        at--;
    if (at > 0)
        return at;
    for (at = room; at > 1 && ((unsigned char)text[at] & 0xC0) == 0x80;) /* inside a character */
        at--;
    return at;
}

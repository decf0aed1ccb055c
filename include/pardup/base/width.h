/* base/width.h - how wide is what a person looks at? */
#ifndef PARDUP_BASE_WIDTH_H
#define PARDUP_BASE_WIDTH_H

#include <stddef.h>

/* Columns of the terminal that a file descriptor leads to; 80 if it leads to none. */
size_t pd_width(int fd);

/*
 * Where to break text[0, n) so that the line has at most `room` bytes: behind its last word that
 * fits, or inside a word that alone is longer. Returns the bytes of the line, above 0 if n is. The
 * blanks behind them belong to no line.
 */
size_t pd_width_break(const char *text, size_t n, size_t room);

#endif

/*
 * app/show/terminal.h - text on a terminal: how wide it is, and what of it may be printed.
 *
 * Control characters of a collection never reach the terminal. They count as white space; marks
 * that change the direction of text are dropped.
 */
#ifndef PARDUP_APP_SHOW_TERMINAL_H
#define PARDUP_APP_SHOW_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pardup/base/numbers.h"
#include "pardup/run/options.h"

/* How texts are shown. */
struct pd_terminal {
    size_t width; /* columns of a line, at least PD_LEAST_WIDTH */
    bool colour;  /* escape sequences may be printed */
};
enum { PD_LEAST_WIDTH = 20 };

/*
 * The terminal of standard output: its width is --width, else what the terminal says, else 80.
 * --color auto means colours on a terminal that has them, unless the environment variable NO_COLOR
 * is set (no-color.org).
 */
struct pd_terminal pd_terminal_of(const struct pd_print_options *o);

/* One character. */
struct pd_glyph {
    size_t bytes; /* its bytes in the text, at least 1 */
    int columns;  /* its columns on the terminal: 0, 1 or 2 */
    bool space;   /* white space or a control character */
    bool dropped; /* not to be printed */
};

/* The character at text[at], at < n. Bytes that are not UTF-8 are dropped one by one. */
struct pd_glyph pd_glyph_at(const char *text, size_t n, size_t at);

/*
 * Print text[0, n), which may hold any bytes, with white space folded and without line ends.
 * Characters beyond `room` columns are left out, the last ones printed being "...". Returns the
 * columns printed.
 */
size_t pd_print_clipped(const char *text, size_t n, size_t room);

/*
 * Print what of text[*at, n) fits on one line of `room` columns, wrapped at white space, without a
 * line end. *at moves to the beginning of the next line. Returns the columns printed.
 */
size_t pd_print_line(const char *text, size_t n, size_t *at, size_t room);

/*
 * Print text[0, n) on lines of `width` columns at the most, wrapped at white space; a longer word
 * is cut. The first line begins with `first` blanks, the others with `rest` blanks.
 */
void pd_print_wrapped(const char *text, size_t n, size_t width, size_t first, size_t rest);

#endif

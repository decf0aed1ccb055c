/* app/columns.h - two texts side by side in a terminal. */
#ifndef PARDUP_APP_COLUMNS_H
#define PARDUP_APP_COLUMNS_H

#include <stddef.h>

struct pd_span {
    const char *text; /* valid UTF-8 */
    size_t n;
};

/*
 * Print two texts, each in its half of the terminal, wrapped at words and with white space folded.
 * If lines are left out, a last line says how many.
 *   width  columns of the terminal; a wide character takes two
 *   lines  lines to print at most; 0: all
 */
void pd_print_columns(struct pd_span left, struct pd_span right, size_t width, size_t lines);

#endif

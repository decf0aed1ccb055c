/* app/columns.h - two texts side by side in a terminal. */
#ifndef PARDUP_APP_COLUMNS_H
#define PARDUP_APP_COLUMNS_H

#include <stddef.h>

struct pd_span {
    const char *text; /* valid UTF-8 */
    size_t n;
};

/*
 * Print `left` and `right`, each wrapped at words in its half of `width` columns, white space
 * folded; wide characters count two. At most `lines` lines (0: all), then how many more there are.
 */
void pd_print_columns(struct pd_span left, struct pd_span right, size_t width, size_t lines);

#endif

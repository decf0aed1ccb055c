/* app/show/tables.h - tables with tabs, lined up on a terminal. */
#ifndef PARDUP_APP_SHOW_TABLES_H
#define PARDUP_APP_SHOW_TABLES_H

#include <stddef.h>

/*
 * Print the tables of text[0, n) with columns lined up, on lines of at most `width` columns. Columns
 * that have no room stand below, each time behind the first two, which tell rows apart.
 *   text  tables with tabs and an empty line between them; a line that begins with # is a title
 */
void pd_print_tables(const char *text, size_t n, size_t width);

#endif

/* app/print.h - standard output, as several commands use it. */
#ifndef PARDUP_APP_PRINT_H
#define PARDUP_APP_PRINT_H

#include <stddef.h>
#include <stdio.h>

/* Flush standard output. Returns PD_OK, or PD_EIO when it is closed or full. */
int pd_stdout_done(void);

/*
 * Print `n` bytes as a JSON string, quotes included. Bytes that are not UTF-8 are mended; control
 * characters and marks of direction are escaped, which a reader of JSON undoes.
 */
void pd_print_json(const char *s, size_t n);

/*
 * Print `n` bytes as a cell of a table with tabs to `out`. What a terminal would obey and the
 * backslash are escaped (base/plain.h), so a row is one line. A cell that begins with = + - or @
 * would be a formula in a spreadsheet: a backslash stands before it. To undo: \n, \r, \t, \xHH and
 * \uHHHH are a character, and a backslash before anything else goes away.
 */
void pd_print_cell(FILE *out, const char *s, size_t n);

/* The same as a cell of a table with commas (RFC 4180): in quotes if it has a comma or a quote. */
void pd_print_csv(FILE *out, const char *s, size_t n);

/*
 * Print `n` bytes as content of an element or an attribute in quotes of XML. What XML forbids, and
 * what a terminal would obey, becomes an escape.
 */
void pd_print_xml(const char *s, size_t n);

/* Print `n` bytes for a person, with escapes (base/plain.h). */
void pd_print_plain(const char *s, size_t n);

/*
 * Print a text of the collection: byte for byte, but on a terminal with escapes for all that is not
 * shown except line ends and tabs.
 */
void pd_print_text(const char *s, size_t n);

#endif

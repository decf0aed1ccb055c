/* app/print.h - standard output, as several commands use it. */
#ifndef PARDUP_APP_PRINT_H
#define PARDUP_APP_PRINT_H

#include <stddef.h>

/* Flush standard output. Returns PD_OK, or PD_EIO when it is closed or full. */
int pd_stdout_done(void);

/* Print `n` bytes as a JSON string, quotes included. Bytes that are not UTF-8 are mended. */
void pd_print_json(const char *s, size_t n);

#endif

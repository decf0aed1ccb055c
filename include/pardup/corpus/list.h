/* corpus/list.h - the lines of a text file that others have written, compressed or not. */
#ifndef PARDUP_CORPUS_LIST_H
#define PARDUP_CORPUS_LIST_H

#include <stddef.h>
#include <stdint.h>

struct pd_list;

/*
 * Open a list: a regular file, which may be compressed with gzip, zstd or compress(1); a pipe that
 * somebody writes to; or "-", which is standard input. `path` is borrowed until the list is closed.
 * Returns PD_OK or PD_EIO; *list is NULL on failure.
 */
int pd_list_open(const char *path, struct pd_list **list);
void pd_list_close(struct pd_list *list); /* NULL: does nothing */

/*
 * The next line, without LF or CR LF at its end, and without a byte order mark if it is the first.
 * A NUL ends it; n does not count the NUL. The caller may change the line, which is valid until the
 * next call. Returns PD_OK, PD_END behind the last line, PD_EIO, or PD_EFORMAT when the data is
 * damaged or a line is longer than 1 MiB.
 */
int pd_list_next(struct pd_list *list, char **line, size_t *n);

/* The number of the line that was returned last, from 1. */
uint64_t pd_list_line(const struct pd_list *list);

/* Put the path and the number of the line in front of the error text. Returns `status`. */
int pd_list_blame(const struct pd_list *list, int status);

#endif

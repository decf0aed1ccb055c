/*
 * base/open.h - open files that others have named.
 *
 * A pipe or a device under the name of a file can make a job wait for ever, or read for ever. No
 * call here waits.
 */
#ifndef PARDUP_BASE_OPEN_H
#define PARDUP_BASE_OPEN_H

#include <stdio.h>

#include "pardup/base/bytes.h"

/*
 * Open a regular file, or a link to one, for reading. Returns its descriptor, which the caller
 * closes, or -1 after pd_fail(PD_EIO) with a message that names the path.
 */
int pd_open_regular(const char *path);

/* Append all bytes of a regular file. PD_OK, or PD_EIO with a message that names the path. */
int pd_read_regular(const char *path, struct pd_bytes *to);

/*
 * Open a list: a regular file, or a pipe that somebody writes to, as a shell's <(...) gives it.
 * The caller closes it. Returns NULL after pd_fail(PD_EIO) with a message that names the path.
 */
FILE *pd_open_list(const char *path);

#endif

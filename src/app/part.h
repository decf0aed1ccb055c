/* app/part.h - the only output file of a command, which a signal removes while it is written. */
#ifndef PARDUP_APP_PART_H
#define PARDUP_APP_PART_H

#include "pardup/store/commit.h"

/*
 * pd_new_file_open() and pd_new_file_close(), with `path` borrowed. A signal that ends the command
 * between them removes PATH.part. pd_part_close() follows also when the file has not been opened.
 */
int pd_part_open(struct pd_new_file *n, FILE *stream, const char *path);
int pd_part_close(struct pd_new_file *n, int status);

#endif

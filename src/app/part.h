/* app/part.h - the name of the only output file while it is written: PATH.part. */
#ifndef PARDUP_APP_PART_H
#define PARDUP_APP_PART_H

/*
 * The name under which the file `path` is to be written, for pd_part_end(). A file that an earlier
 * command left there is removed. A signal that ends the command removes the new one.
 */
char *pd_part_begin(const char *path);

/* The file has its name, or with `status` < 0 it is removed. Frees `part`. Returns `status`. */
int pd_part_end(char *part, int status);

#endif

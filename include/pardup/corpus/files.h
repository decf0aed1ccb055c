/* corpus/files.h - the files of a collection, in the order in which documents are numbered. */
#ifndef PARDUP_CORPUS_FILES_H
#define PARDUP_CORPUS_FILES_H

#include <stdint.h>

#include "pardup/base/vec.h"

struct pd_file {
    char *path;     /* as given, or directory as given + "/" + path below it; owned by the list */
    uint64_t bytes; /* stored size */
};
PD_VEC(pd_files, struct pd_file);

/*
 * Append `path` (a file), or every regular file below it (a directory) in byte order of the path.
 * Links to files are followed; links to directories only when given as `path` itself. A file
 * named twice is two files. Returns PD_OK, or PD_EIO (missing, unreadable; the text names it).
 */
int pd_files_add(struct pd_files *files, const char *path);

/* Append the paths in `list`, one a line ("-": standard input); empty lines are passed over. */
int pd_files_add_list(struct pd_files *files, const char *list);

void pd_files_free(struct pd_files *files); /* paths and array */

#endif

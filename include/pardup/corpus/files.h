/* corpus/files.h - the files of a collection, in the order in which documents are numbered. */
#ifndef PARDUP_CORPUS_FILES_H
#define PARDUP_CORPUS_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "pardup/base/vec.h"

/* A file of the collection. */
struct pd_file {
    char *path;       /* as given, or the directory as given, "/", and the path below; owned */
    uint64_t bytes;   /* size on disk */
    uint64_t changed; /* when its content was last changed, nanoseconds since 1970; 0: not known */
};
PD_VEC(pd_files, struct pd_file);

/* Set size and time of *file, whose path is set. PD_OK, or PD_EIO: it cannot be looked at. */
int pd_file_look(struct pd_file *file);

/*
 * Which files of directories are taken: files that match a pattern of `include`, or any if it has
 * none, and no pattern of `exclude`. A pattern is that of fnmatch(3) for the path below the
 * directory; its * matches slashes, too. The arrays are borrowed.
 */
struct pd_patterns {
    const char *const *include, *const *exclude;
    size_t nincludes, nexcludes;
    uint64_t left_out; /* files that were not taken */
};

/*
 * Append `path` itself when it is a file. When it is a directory, append every regular file below
 * it, in byte order of the paths. A link to a file is followed; a link to a directory is followed
 * only when it is `path` itself. A link that leads nowhere and a special file below a directory are
 * left out, and told on rank 0. A file that is named twice is two files.
 *   patterns  which files of directories are taken; left_out counts the files that are not. NULL:
 *             all files are taken
 * Returns PD_OK, or PD_EIO when a path is missing or unreadable, or when `path` is a special file;
 * the error text names it.
 */
int pd_files_add(struct pd_files *files, const char *path, struct pd_patterns *patterns);

/*
 * Call pd_files_add() for each path in the file `list`; "-" is standard input. A path is a line
 * that ends with LF or CR LF, or the end of the list. With `null`, or when the list has a NUL, a
 * path ends with NUL instead. Empty paths and a byte order mark in front are ignored. Returns
 * PD_OK, or PD_EIO at the first path that fails, or when the list cannot be read.
 */
int pd_files_add_list(struct pd_files *files, const char *list, bool null,
                      struct pd_patterns *patterns);

/* Free the paths and the array. */
void pd_files_free(struct pd_files *files);

#endif

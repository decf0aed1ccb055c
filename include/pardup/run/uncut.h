/* run/uncut.h - input files that cannot be written without some of their documents. */
#ifndef PARDUP_RUN_UNCUT_H
#define PARDUP_RUN_UNCUT_H

#include "pardup/run/options.h"

/*
 * Not collective. Can the targets of a job that is to come be written as --as says without some
 * documents, or with --remove passages without parts of them? PD_OK, PD_EFORMAT (the message says
 * what can be done), or a failure to list the files. --files-from is read: it must be a file.
 */
int pd_uncut_check(const struct pd_options *o);

struct pd_files;

/*
 * Not collective. How many of the first n files can dedup not write without parts of their records,
 * unless as JSON lines? *first: the number of the first one.
 */
size_t pd_uncut_count(const struct pd_options *o, const struct pd_files *files, size_t n,
                      size_t *first);

#endif

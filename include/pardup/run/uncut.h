/* run/uncut.h - input files that cannot be written without some of their documents. */
#ifndef PARDUP_RUN_UNCUT_H
#define PARDUP_RUN_UNCUT_H

#include "pardup/run/options.h"

/*
 * Not collective. Can the targets of a job that is to come be written without some documents, or
 * with --remove passages without parts of them? PD_OK, PD_EFORMAT (the message says what can be
 * done), or a failure to list the files. --files-from is read: it must be a file.
 */
int pd_uncut_check(const struct pd_options *o);

#endif

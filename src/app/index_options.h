/* app/index_options.h - the options that an index keeps. */
#ifndef PARDUP_APP_INDEX_OPTIONS_H
#define PARDUP_APP_INDEX_OPTIONS_H

#include <stdbool.h>

/*
 * Set *settings to the options that the index in folder `dir` keeps: names, each followed by its
 * value, then NULL. They stay until the process ends.
 *   all  also the options that say how the sources' files are read; a target's file may be another
 * PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_index_settings(const char *dir, bool all, const char *const **settings);

#endif

/* app/result_options.h - the options that a result or an index was made with, read back from it. */
#ifndef PARDUP_APP_RESULT_OPTIONS_H
#define PARDUP_APP_RESULT_OPTIONS_H

#include <stdbool.h>

/*
 * Set *settings to options of `detect`, each followed by its value, then NULL. They stay until the
 * next call. An option that the result does not name is left out: an earlier pardup had none.
 * PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_result_settings(const char *path, const char *const **settings);

/*
 * Set *settings to the options that the index in folder `dir` keeps: names, each followed by its
 * value, then NULL. They stay until the process ends.
 *   all  also the options that say how the sources' files are read; a target's file may be another
 * PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_index_settings(const char *dir, bool all, const char *const **settings);

#endif

/* app/result_options.h - the options that a result was made with, read back from the result. */
#ifndef PARDUP_APP_RESULT_OPTIONS_H
#define PARDUP_APP_RESULT_OPTIONS_H

/*
 * Set *settings to options of `detect`, each followed by its value, then NULL. They stay until the
 * next call. An option that the result does not name is left out: an earlier pardup had none.
 * PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_result_settings(const char *path, const char *const **settings);

#endif

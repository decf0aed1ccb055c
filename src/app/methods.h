/*
 * app/methods.h - the methods of the papers, as presets of the options of detect.
 *
 * A method is a row in methods.c: what it sets, as the user would type it. Options on the command
 * line win over it. What the options mean and which paper they come from: README.md, "Which method?", and
 * the headers of feature/ and join/.
 */
#ifndef PARDUP_APP_METHODS_H
#define PARDUP_APP_METHODS_H

/* Option, value, option, value ... NULL; NULL when there is no such method. */
const char *const *pd_method_settings(const char *name);

/* All names, separated by blanks. */
const char *pd_method_names(void);

#endif

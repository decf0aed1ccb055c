/*
 * app/methods.h - the methods of the papers, as presets of the options of detect.
 *
 * A method is a row in methods.c: the options it sets, as the user would type them. Options on the
 * command line win over it. README.md, "Which method?", and the headers of feature/ and join/ say
 * what the options mean and which paper they come from.
 */
#ifndef PARDUP_APP_METHODS_H
#define PARDUP_APP_METHODS_H

/* Names of options, each followed by its value, then NULL. NULL: there is no such method. */
const char *const *pd_method_settings(const char *name);

/* The names of all methods, separated by blanks. The string is static. */
const char *pd_method_names(void);

#endif

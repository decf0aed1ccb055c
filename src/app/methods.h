/*
 * app/methods.h - the methods of the papers, as presets of the options of detect.
 *
 * A method is a row in methods.c: the options it sets, as the user would type them. Options on the
 * command line win over it. README.md, "Which method?", and the headers of feature/ and join/ say
 * what the options mean and which paper they come from.
 */
#ifndef PARDUP_APP_METHODS_H
#define PARDUP_APP_METHODS_H

#include "pardup/run/option_table.h"

/*
 * Names of options, each followed by its value, then NULL. NULL: there is no such method. Options
 * for which pd_method_decides() is true, and --gamma, get their defaults first.
 *   called  the method as a user calls it: NAME, or NAME:PARAMETER=VALUE, with commas between two
 */
const char *const *pd_method_settings(const char *called);

/* The name in what a user calls a method; `called` itself where there is no such method. */
const char *pd_method_name(const char *called);

/* The value of an option that the method sets, or its default; NULL: it has none. */
const char *pd_method_value(const char *called, const struct pd_option *option);

/*
 * Is an option of this name a parameter of the method? "" stands for any method. `own`: only if
 * its units, its feature or its join have it, not if every method does.
 */
bool pd_method_has(const char *called, const char *parameter, bool own);

/*
 * The same for a preset, or, for PD_PRESET_AUTO, what it changes in PD_PRESET_EDITED. Options of a
 * preset come before the options of a method.
 */
const char *const *pd_preset_settings(enum pd_preset preset);

/*
 * Does the option say what is compared, and how? Whoever gives such an option without a preset gets
 * the preset `paper`, so that the other parts are as published, too.
 */
bool pd_method_decides(const struct pd_option *option);

/* The names of all methods, separated by blanks. The string is static. */
const char *pd_method_names(void);

#endif

/* app/help.h - what `--help`, `pardup help` and `--version` print. */
#ifndef PARDUP_APP_HELP_H
#define PARDUP_APP_HELP_H

#include "commands.h"

/* Print to standard output, as wide as the terminal: the commands. */
void pd_help_program(void);

/*
 * The options of a command, without the parameters of methods. Without `all`, what is needed most,
 * on one screen of 24 lines: the options that the command calls brief, each with the beginning of
 * its text.
 */
void pd_help_command(const struct pd_command *c, bool all);

/* What a method sets, and its parameters; "": all methods. */
void pd_help_method(const char *name);

/* The version; with `verbose` also the libraries, and how the program was built. */
void pd_help_version(bool verbose);

#endif

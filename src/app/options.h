/*
 * app/options.h - the command line of a command, by the option table (pardup/run/option_table.h).
 */
#ifndef PARDUP_APP_OPTIONS_H
#define PARDUP_APP_OPTIONS_H

#include "commands.h"

/*
 * Fill `o`, of command->bytes, with the defaults of a command's options and with the arguments behind
 * the command's name. Options may stand before, between and behind operands, as "--name value" or
 * "--name=value"; "--" ends them. The strings in `o` belong to argv and to the option table.
 * Returns PD_OK, PD_EUSAGE or PD_EIO. In each case the caller calls pd_options_release.
 */
int pd_options_parse(struct pd_options *o, const struct pd_command *command, int argc, char **argv);
void pd_options_release(struct pd_options *o);

/* The letter that is short for an option, as 'o' for "output"; 0: none is. */
char pd_option_letter(const char *name);

#endif

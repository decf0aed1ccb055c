/*
 * app/options.h - every option of every command, described once.
 *
 * The table in options.c is the only place that knows an option: it drives parsing, range checks
 * and --help. Which options shape the result is seen in run/write/provenance.c.
 */
#ifndef PARDUP_APP_OPTIONS_H
#define PARDUP_APP_OPTIONS_H

#include <stdio.h>

#include "pardup/run/options.h"

enum pd_command_id {
    PD_COMMAND_DETECT = 1 << 0,
    PD_COMMAND_TEXT = 1 << 1,
    PD_COMMAND_SENTENCES = 1 << 2,
    PD_COMMAND_SHOW = 1 << 3,
    PD_COMMAND_EXPORT = 1 << 4,
    PD_COMMAND_EVAL = 1 << 5,
    PD_COMMAND_SYNTH = 1 << 6,
};

/*
 * Fill `o` from defaults and the arguments behind the command's name. Options may stand before,
 * between and behind operands, as "--name value" or "--name=value"; "--" ends them.
 * PD_OK, or PD_EUSAGE. o->operands.v is allocated; the strings are argv's.
 */
int pd_options_parse(struct pd_options *o, enum pd_command_id command, int argc, char **argv);
void pd_options_help(FILE *to, enum pd_command_id command);

#endif

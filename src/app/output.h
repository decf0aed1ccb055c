/*
 * app/output.h - an output must not replace what the command reads, nor a file of somebody else.
 */
#ifndef PARDUP_APP_OUTPUT_H
#define PARDUP_APP_OUTPUT_H

#include "commands.h"

/*
 * Fail if -o names an operand, a file that another option names, or a file of the index: the file
 * would be lost. Files in folders and lists are looked at where they are listed. `families` may
 * write into the result that it reads.
 *
 * Fail without --force, too, if -o names a file that pardup has not written, by its content: a
 * result, a page of `report`, a table of `export`. An empty file may be replaced.
 *
 * Returns PD_OK or PD_EIO.
 */
int pd_output_check(const struct pd_options *o, const struct pd_command *command);

#endif

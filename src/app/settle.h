/*
 * app/settle.h - options that do not go together, and options that follow from others.
 *
 * It is the `settle` of the commands that compare documents (app/commands.h), which runs when all
 * options are parsed and before the job starts.
 */
#ifndef PARDUP_APP_SETTLE_H
#define PARDUP_APP_SETTLE_H

#include "pardup/run/options.h"

/*
 * Refuse options that do not go together, with a message that names them. Set `input.base` from
 * --units, and `method.gap`, if it is negative, from --sample. With --units document, limits that a
 * single match cannot reach become 0, unless they stand on the command line.
 * Returns PD_OK or PD_EUSAGE.
 */
int pd_settle_method(struct pd_options *o);

#endif

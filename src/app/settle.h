/* app/settle.h - options of a job that do not go together, and what follows from others. */
#ifndef PARDUP_APP_SETTLE_H
#define PARDUP_APP_SETTLE_H

#include "pardup/run/options.h"

/*
 * Refuse what does not go together; set what follows from --units and --sample. PD_OK or PD_EUSAGE.
 */
int pd_settle_method(struct pd_options *o);

#endif

/* app/next.h - the last line of a closing summary: what a person may type next. */
#ifndef PARDUP_APP_NEXT_H
#define PARDUP_APP_NEXT_H

#include "pardup/run/options.h"

/* After a command that wrote a result: `pardup report` makes a page of it. */
void pd_next_report(const struct pd_options *o);

/* After `pardup synth`: `pardup detect` compares its pages, without the other files of the folder. */
void pd_next_detect(const struct pd_options *o);

/* After `pardup index`: `pardup check` looks targets up in it. */
void pd_next_check(const struct pd_options *o);

#endif

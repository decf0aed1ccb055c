/* run/check.h - check targets against an index. */
#ifndef PARDUP_RUN_CHECK_H
#define PARDUP_RUN_CHECK_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

/*
 * COLLECTIVE. Check the inputs against the index o->check.index, and write the result o->output.
 * Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP.
 */
int pd_check(const struct pd_comm *c, const struct pd_options *o);

/*
 * Not collective. Answer JSON lines of standard input with JSON lines on standard output, until the
 * input or a signal ends it; or lines of the clients of the socket o->check.socket, until a signal
 * does. PD_OK, PD_EIO (no more can be read or written), PD_EUSAGE (the path is too long), or
 * PD_EFORMAT (the index cannot be opened).
 */
int pd_check_lines(const struct pd_comm *c, const struct pd_options *o);

#endif

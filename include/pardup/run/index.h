/* run/index.h - make an index of sources, or add sources to it. */
#ifndef PARDUP_RUN_INDEX_H
#define PARDUP_RUN_INDEX_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

struct pd_option;

/*
 * COLLECTIVE. Read the inputs and make the index o->output of them, or with o->check.add a further
 * segment of it. The index that was there before stays usable until the new one is whole. The same
 * inputs and options give the same bytes for any number of ranks. Agreed: PD_OK, PD_EIO, PD_EFORMAT
 * or PD_ESTOP.
 */
int pd_index_make(const struct pd_comm *c, const struct pd_options *o);

/*
 * Does an index keep the option, for later sources and for targets? Only options that shape the
 * result are kept. The manifest of a stranger may name others, a file to write among them.
 */
bool pd_index_keeps_option(const struct pd_option *option);

#endif

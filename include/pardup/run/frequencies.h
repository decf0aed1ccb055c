/*
 * run/frequencies.h - makes a table of frequencies: how many documents have each word, and how
 * often.
 *
 * src/run/stage/classes/frequencies.h has the format. With --frequencies a job judges by the table,
 * and not by its own documents, which words are rare.
 */
#ifndef PARDUP_RUN_FREQUENCIES_H
#define PARDUP_RUN_FREQUENCIES_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

#define PD_FREQUENCIES_MAGIC "pardup-frequencies-1" /* what a table begins with */

/*
 * COLLECTIVE. Count the words of the operands, and write o->output. Words that occur once are left
 * out, as a word that a table lacks counts as one of them. Any number of ranks writes the same
 * bytes. Agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP; after a failure there is no new file.
 */
int pd_frequencies_make(const struct pd_comm *c, const struct pd_options *o);

#endif

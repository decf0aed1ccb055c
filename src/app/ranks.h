/* app/ranks.h - how many ranks a command gets on this machine, without mpirun: -j N. */
#ifndef PARDUP_APP_RANKS_H
#define PARDUP_APP_RANKS_H

#include "commands.h"

/*
 * Run the command as several ranks on this machine, if that is asked for or pays, and wait for it.
 * Call it before MPI starts. What is printed about it is printed here.
 *   exit_status  set when ranks ran: the exit status of the program
 * Returns false when this process has to run the command itself: it is a rank of a launcher, one
 * rank does, or more cannot be started.
 */
bool pd_ranks_run(const struct pd_command *c, const struct pd_options *o, char **argv,
                  int *exit_status);

/* Say how many ranks there were, if nobody asked for them. For rank 0, after the command. */
void pd_ranks_say(const struct pd_comm *c, const struct pd_options *o);

#endif

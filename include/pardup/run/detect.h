/*
 * run/detect.h - the main job: passages shared between the documents of a collection.
 *
 *   read -> count -> gather -> join -> align -> write     (ARCHITECTURE.md, "The way of the data")
 *
 * A method is a preset of units, feature, join and thresholds (app/methods.c): PDC-MR with shingles,
 * I-Match or SpotSigs, and the sentence methods of the other papers.
 */
#ifndef PARDUP_RUN_DETECT_H
#define PARDUP_RUN_DETECT_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

/*
 * Not collective, before MPI is started. A rank must not die of SIGTERM, SIGINT, SIGHUP or SIGUSR1: the job stops
 * where all ranks can (pd_comm_ask_to_stop).
 */
void pd_detect_stop_on_signals(void);

/* COLLECTIVE. The whole job. PD_OK, or the agreed failure with nothing left behind. */
int pd_detect(const struct pd_comm *c, const struct pd_options *options);

#endif

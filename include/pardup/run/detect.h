/*
 * run/detect.h - the main job: passages shared between the documents of a collection.
 *
 *   read -> count -> gather -> join -> align -> write     (ARCHITECTURE.md, "The way of the data")
 *
 * A method is a preset of units, feature, join and thresholds (app/methods.c): PDC-MR with
 * shingles, I-Match or SpotSigs, and the sentence methods of the other papers.
 */
#ifndef PARDUP_RUN_DETECT_H
#define PARDUP_RUN_DETECT_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

/*
 * Not collective; to be called before MPI is started. From here on SIGTERM, SIGINT, SIGHUP, SIGUSR1
 * and SIGXCPU do not end the process. They ask the job to stop, and it stops where all ranks can
 * (pd_comm_ask_to_stop).
 */
void pd_detect_stop_on_signals(void);

/* From here on the signals end the process again: the job has ended, and its result is printed. */
void pd_detect_end_on_signals(void);

/*
 * COLLECTIVE. Run the whole job; with --dry-run, estimate it. Returns PD_OK or the agreed failure.
 * After a failure no result file has been written. After PD_EIO, PD_ESTOP and PD_ESTALE a
 * checkpoint stays in scratch, if there is one.
 */
int pd_detect(const struct pd_comm *c, const struct pd_options *options);

#endif

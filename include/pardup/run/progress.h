/*
 * run/progress.h - how a person is told how far a command is, and how long the rest will take.
 *
 * A command goes in steps. Each step has a name, and an amount of work that is known when it
 * begins.
 */
#ifndef PARDUP_RUN_PROGRESS_H
#define PARDUP_RUN_PROGRESS_H

#include "pardup/comm/comm.h"
#include "pardup/run/options.h"

struct pd_progress {
    enum pd_progress_kind kind; /* never PD_PROGRESS_AUTO; a zeroed struct says nothing: see `on` */
    bool on;                    /* this rank tells; false: all functions do nothing */
    const char *step;           /* what is under way; borrowed */
    double started;             /* when it began: seconds of pd_clock */
    double shown;               /* when it was told last: seconds of pd_clock */
};

/*
 * Not collective, nor are the functions below. Make ready: rank 0 tells. PD_PROGRESS_AUTO becomes a
 * bar if standard error, or that of mpirun, goes to a terminal, else a line every 30 s.
 */
void pd_progress_open(struct pd_progress *p, const struct pd_comm *c, enum pd_progress_kind kind);

/* Begin a step. `step` is one short word, borrowed. */
void pd_progress_begin(struct pd_progress *p, const char *step);

/*
 * Tell how far the step is, if it is time. `done` and `all` are in the same unit, whatever it is.
 * `documents` and `bytes` are what was read so far; 0 in steps that read no collection. Cheap, but
 * no call for each word.
 */
void pd_progress_tell(struct pd_progress *p, uint64_t done, uint64_t all, uint64_t documents,
                      uint64_t bytes);

/* End the step: the bar goes. */
void pd_progress_end(struct pd_progress *p);

double pd_clock(void); /* seconds of a clock that never goes back */

#endif

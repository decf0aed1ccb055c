/*
 * run/stages.h - what each stage of a job takes, and how a person is told how far the job is.
 */
#ifndef PARDUP_RUN_STAGES_H
#define PARDUP_RUN_STAGES_H

#include "pardup/comm/exchange.h"
#include "pardup/run/options.h"

enum pd_stage_id {
    PD_STAGE_READ,
    PD_STAGE_COUNT,
    PD_STAGE_GATHER,
    PD_STAGE_JOIN,
    PD_STAGE_ALIGN,
    PD_STAGE_WRITE,
    PD_STAGES
};
extern const char *const pd_stage_names[PD_STAGES];

struct pd_stage {
    double seconds;   /* wall time */
    double processor; /* seconds of processors of all ranks, also while they poll for messages */
    double least, mean,
        most; /* seconds in which a rank did not wait for others: the least, mean and largest of ranks */
    uint64_t exchanged; /* bytes sent from rank to rank */
    uint64_t rounds;    /* of exchanges */
    uint64_t most_sent; /* bytes sent by the rank that sent most */
    uint64_t peak;      /* bytes of memory of the largest rank so far */
};

struct pd_stages {
    const struct pd_comm *comm;
    struct pd_stage stage[PD_STAGES];
    enum pd_stage_id now;
    double started, job_started; /* when the stage, the job began: seconds of pd_clock */
    double waited, processor;    /* seconds waited, of processor time, when the stage began */
    struct pd_traffic moved;     /* sent by this rank in this stage */

    enum pd_progress_kind progress; /* never AUTO */
    double shown;                   /* when progress was shown last: seconds of pd_clock */
};

void pd_stages_open(struct pd_stages *s, const struct pd_comm *c, enum pd_progress_kind progress);

/* Not collective. Begin a stage: time and traffic from here on are counted for it. */
void pd_stages_begin(struct pd_stages *s, enum pd_stage_id id);

/* COLLECTIVE. End the stage with this rank's `status`: agree on it, and add up what ranks have taken. */
int pd_stages_end(struct pd_stages *s, int status);

/*
 * Not collective. Show progress, on rank 0 and only when it is time. `done` and `all` are in any one unit. Documents and
 * bytes are what was read so far, 0 in other stages.
 */
void pd_stages_progress(struct pd_stages *s, uint64_t done, uint64_t all, uint64_t documents,
                        uint64_t bytes);

double pd_clock(void); /* seconds of a clock that never goes back */

/* The most bytes of memory this rank has used so far. */
uint64_t pd_peak_memory(void);

/* From here on the peak counts anew, where the system can do that. */
void pd_forget_peak_memory(void);

#endif

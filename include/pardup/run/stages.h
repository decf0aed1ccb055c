/*
 * run/stages.h - what each stage of a job takes, and how a person is told how far the job is.
 */
#ifndef PARDUP_RUN_STAGES_H
#define PARDUP_RUN_STAGES_H

#include "pardup/comm/exchange.h"
#include "pardup/run/progress.h"

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

/* What a stage took. */
struct pd_stage {
    double seconds;   /* seconds of wall time */
    double processor; /* processor seconds of all ranks, also while they poll for messages */

    /* seconds in which a rank did not wait for others: the least, mean and most of all ranks */
    double least, mean, most;
    uint64_t exchanged; /* bytes sent from rank to rank */
    uint64_t rounds;    /* rounds of exchanges */
    uint64_t most_sent; /* bytes sent by the rank that sent most */
    uint64_t peak;      /* the most bytes of memory that a rank has used so far */
};

/* What the stages of a job have taken, on this rank and, when they have ended, on all. */
struct pd_stages {
    const struct pd_comm *comm;
    struct pd_stage stage[PD_STAGES]; /* the stages that have ended */
    enum pd_stage_id now;             /* the stage under way */
    double job_started;               /* when the job began, seconds of pd_clock */
    double started;                   /* when the stage began, seconds of pd_clock */
    double waited;                    /* seconds that this rank had waited when the stage began */
    double processor;        /* processor seconds that this rank had used when the stage began */
    struct pd_traffic moved; /* what this rank has sent in the stage */

    struct pd_progress progress; /* a step for each stage; a stage may have more of them */
};

/* Not collective. Begin to measure a job, before its first stage. `c` is borrowed. */
void pd_stages_open(struct pd_stages *s, const struct pd_comm *c, enum pd_progress_kind progress);

/* Not collective. Begin a stage: time and traffic from here on are counted for it. */
void pd_stages_begin(struct pd_stages *s, enum pd_stage_id id);

/* COLLECTIVE. End the stage: add up what the ranks took, and return the agreed `status` of all. */
int pd_stages_end(struct pd_stages *s, int status);

/* Not collective. Tell how far the step of the stage is (run/progress.h). */
void pd_stages_progress(struct pd_stages *s, uint64_t done, uint64_t all, uint64_t documents,
                        uint64_t bytes);

/* The peak: the most bytes of memory that this process has used so far. */
uint64_t pd_peak_memory(void);

/* Count the peak anew from here on, where the system can do that (Linux). */
void pd_forget_peak_memory(void);

/*
 * COLLECTIVE. Log the time of the job, and the peak memory of the rank that has the most.
 *   maps     the job reads an index: say how much of it are pages of mapped files, as far as they are
 *            in memory now. The system takes them back when it needs memory
 *   behind   the end of the line
 */
void pd_stages_tell(const struct pd_stages *s, bool maps, const char *behind);

#endif

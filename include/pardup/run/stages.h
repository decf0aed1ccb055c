/*
 * run/stages.h - what each stage of a job took, and how the job tells a person.
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
    double seconds;             /* wall time */
    double processor;           /* seconds of all ranks' processors, waiting that polls included */
    double least, mean, most;   /* of ranks: time not spent waiting for others */
    uint64_t exchanged, rounds; /* bytes sent from rank to rank, all ranks; of the exchanges */
    uint64_t most_sent;         /* by a rank */
    uint64_t peak;              /* bytes of memory of the largest rank so far */
};

struct pd_stages {
    const struct pd_comm *comm;
    struct pd_stage stage[PD_STAGES];
    enum pd_stage_id now;
    double started, job_started; /* seconds of a steady clock */
    double waited, processor;    /* when the stage under way began */
    struct pd_traffic moved;     /* by this rank in the stage under way */

    enum pd_progress_kind progress; /* never AUTO */
    double shown, fraction_shown;
};

void pd_stages_open(struct pd_stages *s, const struct pd_comm *c, enum pd_progress_kind progress);

/* Not collective. The stage under way begins; what follows is counted for it. */
void pd_stages_begin(struct pd_stages *s, enum pd_stage_id id);

/* COLLECTIVE. The stage ends with `status` on this rank: agree, and sum up over the ranks. */
int pd_stages_end(struct pd_stages *s, int status);

/*
 * Not collective; speaks on rank 0 only, and only when it is time. `done` of `all` are in any
 * unit; documents and bytes so far, 0 when they do not matter to this stage.
 */
void pd_stages_progress(struct pd_stages *s, uint64_t done, uint64_t all, uint64_t documents,
                        uint64_t bytes);

double pd_clock(void);         /* seconds, steady */
uint64_t pd_peak_memory(void); /* bytes of this rank so far ... */

/* ... or since this call, where the system can do that. */
void pd_forget_peak_memory(void);

#endif

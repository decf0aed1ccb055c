/* run/stage/align/expand.h - classes and their partners, read from scratch, become fans of dots. */
#ifndef PARDUP_RUN_EXPAND_H
#define PARDUP_RUN_EXPAND_H

#include "pardup/join/classes.h"
#include "pardup/store/cursor.h"
#include "run/stage/job.h"

struct pd_expanding {
    struct pd_job *job;
    pd_doc from;                        /* first documents with lower numbers are done */
    size_t joined;                      /* index of the files in job->matches.joined */
    struct pd_cursor classes, partners; /* read the two files */
    const struct pd_class *class;       /* the class that is expanded */

    /* the next partner, of this class or of a later class; NULL: not read yet */
    const struct pd_partner *partner;

    /* copies of the units of the class and of the partner that are on the index side */
    struct pd_occurrences indexed[2];
    enum {
        PD_EXPAND_NEXT,  /* `class` is done */
        PD_EXPAND_SELF,  /* the class is expanded with itself */
        PD_EXPAND_THERE, /* the class is expanded with the partner */
        PD_EXPAND_BACK   /* the partner is expanded with the class */
    } step;
    struct pd_expansion expansion;
    uint64_t done, all; /* blocks of files read before `classes`, blocks in all: for the progress */
};

/* Begin to expand job->matches, for first documents numbered `from` or more. `job` is borrowed. */
void pd_expanding_begin(struct pd_expanding *e, struct pd_job *job, pd_doc from);

/* A source of struct pd_fan (struct pd_route, comm/exchange.h); ctx is the struct pd_expanding. */
int pd_expanding_fill(void *ctx, unsigned char *to, size_t cap, size_t *n);

void pd_expanding_release(struct pd_expanding *e);

#endif

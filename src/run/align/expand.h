/* run/align/expand.h - classes and their partners, read from scratch, become fans of dots. */
#ifndef PARDUP_RUN_EXPAND_H
#define PARDUP_RUN_EXPAND_H

#include "pardup/store/cursor.h"
#include "run/job.h"

PD_VEC(pd_occurrences, struct pd_occurrence);

struct pd_expanding {
    struct pd_job *job;
    pd_doc from;   /* first documents below it are done */
    size_t joined; /* the files at hand: an index into job->matches.joined */
    struct pd_cursor classes, partners;
    const struct pd_class *class; /* the class at hand */
    const struct pd_partner
        *partner; /* the next partner, of this class or a later one; NULL: not read yet */
    struct pd_occurrences
        indexed[2]; /* units of the class, of the partner, that are on the index side */
    enum {
        PD_EXPAND_NEXT,  /* go on to the next class */
        PD_EXPAND_SELF,  /* the class is expanded with itself */
        PD_EXPAND_THERE, /* the class is expanded with the partner */
        PD_EXPAND_BACK   /* the partner is expanded with the class */
    } step;
    struct pd_expansion expansion;
    uint64_t done, all; /* blocks of the files, for the progress shown */
};

/* Begin to expand job->matches, for first documents numbered `from` or more. */
void pd_expanding_begin(struct pd_expanding *e, struct pd_job *job, pd_doc from);

/* A source of struct pd_fan (struct pd_route, comm/exchange.h); ctx is the struct pd_expanding. */
int pd_expanding_fill(void *ctx, unsigned char *to, size_t cap, size_t *n);

void pd_expanding_release(struct pd_expanding *e);

#endif

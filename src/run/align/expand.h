/* run/align/expand.h - classes and their partners in scratch, to fans of dots. */
#ifndef PARDUP_RUN_EXPAND_H
#define PARDUP_RUN_EXPAND_H

#include "pardup/store/cursor.h"
#include "run/job.h"

PD_VEC(pd_occurrences, struct pd_occurrence);

struct pd_expanding {
    struct pd_job *job;
    pd_doc from;   /* first documents below it are done */
    size_t joined; /* whose classes are at hand */
    struct pd_cursor classes, partners;
    const struct pd_class *class;
    const struct pd_partner *partner; /* the next one, of this class or a later one; NULL: none */
    struct pd_occurrences indexed[2]; /* of the class, of the partner: those on the index side */
    enum { PD_EXPAND_NEXT, PD_EXPAND_SELF, PD_EXPAND_THERE, PD_EXPAND_BACK } step;
    struct pd_expansion expansion;
    uint64_t done, all; /* blocks of the files, for the progress shown */
};

/* Expansion of all that `job` has joined, first documents from `from` on. */
void pd_expanding_begin(struct pd_expanding *e, struct pd_job *job, pd_doc from);

/* A source of struct pd_fan (struct pd_route, comm/exchange.h); ctx is the struct pd_expanding. */
int pd_expanding_fill(void *ctx, unsigned char *to, size_t cap, size_t *n);

void pd_expanding_release(struct pd_expanding *e);

#endif

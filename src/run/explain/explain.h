/* run/explain/explain.h - private to run/explain: what is known of the units of two documents. */
#ifndef PARDUP_RUN_EXPLAIN_EXPLAIN_H
#define PARDUP_RUN_EXPLAIN_EXPLAIN_H

#include "pardup/run/explain.h"
#include "run/job.h"

/* The name of a unit, one of several if signatures are names. */
struct name {
    pd_sig sig;
    uint64_t more;  /* the bits of the second half that a posting has */
    uint64_t unit;  /* number of the unit */
    uint64_t place; /* the same name stands this often in the document before the unit */
};
PD_VEC(names, struct name);
enum { NAME_U64S = 4 };

/* A signature of a unit, or a word where signatures tell only whether units are equal. */
struct member {
    uint64_t sig, unit;
};
PD_VEC(members, struct member);
enum { MEMBER_U64S = 2 };

/* The names and signatures of one document. */
struct compared {
    struct names names;     /* in order of sig, more, unit */
    struct members members; /* in order of unit, sig */
    struct pd_u64s firsts;  /* for each unit its first member, then the number of members */
    struct pd_u64s sided;   /* for each unit: may it match later documents? */
    uint64_t host, same;    /* as in struct pd_docrec */
};

/* Everything that the comparison of two documents needs. */
struct explaining {
    const struct pd_options *options;
    struct pd_explanation *e;
    struct pd_commons common; /* rows of /common, in order of sig */
    struct compared sides[2];
};

/* Compare all units: sets `best` of the units, and the dots of `e`. */
void pd_explain_compare(struct explaining *x);

/* Find runs in the dots of `e`, and say why they are no passages. */
void pd_explain_runs(struct explaining *x);

/* The row of /common with this set name; NULL: it is not common. */
const struct pd_common *pd_explain_common(const struct explaining *x, pd_sig sig);

#endif

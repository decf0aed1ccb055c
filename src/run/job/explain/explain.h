/* run/job/explain/explain.h - private to run/job/explain: what is known of the units of two documents. */
#ifndef PARDUP_RUN_EXPLAIN_EXPLAIN_H
#define PARDUP_RUN_EXPLAIN_EXPLAIN_H

#include "pardup/run/explain.h"
#include "run/stage/job.h"

/* A signature of a unit, or a word where signatures tell only whether units are equal. */
struct member {
    uint64_t sig, unit;
};
PD_VEC(members, struct member);
enum { MEMBER_U64S = 2 };

/* The names and signatures of one document. */
struct compared {
    struct pd_postings names; /* of its units, sorted */
    struct pd_bytes recurs;   /* for each name: does it recur in the document too often? */
    struct members members;   /* in order of unit, sig */
    struct pd_u64s firsts;    /* for each unit its first member, then the number of members */
    struct pd_u64s sided;     /* for each unit: may it match later documents? */
    uint64_t host, same;      /* as in struct pd_docrec */
};

/* Everything that the comparison of two documents needs. */
struct explaining {
    const struct pd_options *options; /* the options that the result has; borrowed */
    struct pd_result *result;         /* borrowed */
    struct pd_explanation *e;         /* what the caller gets; borrowed */
    struct pd_commons common;         /* rows of /common, in order of sig */
    struct compared sides[2];         /* the two documents, in the order of the collection */
};

/* ---- listed.c: what the result says. Each function returns PD_OK or PD_EFORMAT. ---- */

/* Append all rows of /common, and sort them by signature. */
int pd_explain_read_common(struct pd_result *r, struct pd_commons *common);

/* Append the rows of /passages of the two documents to e->listed. */
int pd_explain_list_passages(struct pd_result *r, struct pd_explanation *e);

/* The row of /common with this set name; NULL: it is not common. Borrowed. */
const struct pd_common *pd_explain_common(const struct explaining *x, pd_sig sig);

/* ---- sign.c ---- */

/*
 * Sign all units of both documents: sets the units and words of `e`, and x->sides.
 *   job      the job that has read the documents and flagged their words
 *   numbers  of the two documents in this job, ascending
 * PD_OK, PD_EIO, PD_EFORMAT (a document has changed) or PD_ESTOP.
 */
int pd_explain_sign(struct explaining *x, struct pd_job *job, const pd_doc numbers[2]);

/* Where the names end that are the same as v->v[k]. */
static inline size_t pd_explain_same_names(const struct pd_postings *v, size_t k)
{
    const struct pd_posting *first = &v->v[k];
    while (k < v->n && pd_same_class(first, &v->v[k]))
        k++;
    return k;
}

/* ---- compare.c, runs.c ---- */

/* Compare all units: sets `best` of the units, and the dots of `e`. */
void pd_explain_compare(struct explaining *x);

/* Find runs in the dots of `e`, and say why they are no passages. */
void pd_explain_runs(struct explaining *x);

#endif

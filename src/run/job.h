/*
 * run/job.h - the data of one job: what each stage hands to the next, on this rank.
 *
 * The driver (run/detect.c) knows the order of the stages; a stage knows this header and no driver.
 */
#ifndef PARDUP_RUN_JOB_H
#define PARDUP_RUN_JOB_H

#include "pardup/base/row.h"
#include "pardup/feature/units.h"
#include "pardup/join/classes.h"
#include "pardup/result/writer.h"
#include "pardup/store/sorter.h"
#include "run/collection/collection.h"

/*
 * What this rank expands to fans of dots: classes, each with itself, and for those that are similar to
 * others lists of the others' units. Both in order of the class's number.
 */
struct pd_joined {
    struct pd_packed *classes;  /* of struct pd_class */
    struct pd_packed *partners; /* of struct pd_partner; NULL: there are none */
};
PD_VEC(pd_joineds, struct pd_joined); /* one of each rank that took part in the stage before */

/* Units that are similar to those of class `number`. */
struct pd_partner {
    uint64_t number;
    double similarity;
    uint64_t n;
    struct pd_occurrence at[];
};

#define PD_ROW_FILES "passages" /* in scratch */

/* Finished passages of first documents in [from, to) of one rank: a packed file, pair by pair (passage/folded.h). */
struct pd_slice {
    uint64_t slice, part; /* in the order of the result's tables: sorted by these */
    pd_doc from, to;
    uint64_t dots;        /* of the whole job */
    uint64_t rows, pairs; /* of these; 0: no file */
    struct pd_scratch_id file;
    uint64_t same_host, too_short, below; /* as in struct pd_job */
};
PD_VEC(pd_slices, struct pd_slice);

/* What one stage hands to the next, on this rank. */
struct pd_job {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_stages stages;
    struct pd_scratch scratch;
    struct pd_transport transport; /* of all its shuffles */
    struct pd_collection collection;

    struct pd_units_form form;
    uint64_t terms_left_out, antecedents; /* distinct terms of the collection */

    struct pd_joineds joined; /* gather: classes this rank owns; join: what is similar to them */
    uint64_t nclasses;        /* of this rank */
    double signing_seconds;   /* gather: of it, in making postings, this rank */
    struct pd_commons common; /* gather: classes set aside, in order of signature */
    struct pd_join_counts {
        uint64_t classes, too_large; /* that take part; sets beyond PD_SET_MOST */
        uint64_t set_bytes;          /* of the sets that are compared, as they are written */
        uint64_t probes, passes, candidates, verified, similar, crowded;
    } counts; /* join: of the collection */

    struct pd_spare spare;   /* shared by postings, fans and the sorters of slices */
    struct pd_slices slices; /* align: finished passages in files, as far as this rank has them */
    struct pd_writer *writer;
    bool begun;   /* what is in scratch is of this job ... */
    bool resumed; /* ... and there was a checkpoint of it */
    bool kept;    /* scratch holds what a later job can take up */

    uint64_t nslices, signed_units, dots; /* of the collection, like those before */
    uint64_t fan_bytes;                   /* likewise: of the fans on their way */
    uint64_t same_host, too_short, below; /* left out by this rank, in the slice at hand ... */
    uint64_t passages, pairs;             /* ... written by this rank */
};

/* COLLECTIVE. Each ends agreed. run/classes/count.c, gather.c, join.c, align.c, output.c */
int pd_job_count(struct pd_job *job);
int pd_job_gather(struct pd_job *job);
int pd_job_join(struct pd_job *job);
int pd_job_align(struct pd_job *job);
int pd_job_write(struct pd_job *job);

/* COLLECTIVE. A job of which nothing is done yet; its scratch is to be opened. */
void pd_job_init(struct pd_job *job, const struct pd_comm *c, const struct pd_options *o);

/* Not collective. Memory and files; the scratch stays. */
void pd_job_release(struct pd_job *job);

/* Not collective. Close what has been joined: it is to be made anew, or no longer needed. */
void pd_job_forget_joined(struct pd_job *job);

#endif

/*
 * run/job.h - the data of one job on this rank: what it works on, and what each stage hands to the next.
 *
 * A driver (run/detect.c) knows the order of the stages. A stage knows this header and no driver. Each struct of results
 * is filled in by the stage it names, and read by later ones.
 */
#ifndef PARDUP_RUN_JOB_H
#define PARDUP_RUN_JOB_H

#include "pardup/base/row.h"
#include "pardup/feature/units.h"
#include "pardup/join/classes.h"
#include "pardup/result/writer.h"
#include "pardup/store/sorter.h"
#include "run/collection/collection.h"

/* One side of a job: the documents numbered [from, to) of a collection, which is borrowed. */
struct pd_side {
    struct pd_collection *collection;
    pd_doc from, to;
};

static inline bool pd_side_is_all(const struct pd_side *side)
{
    return side->from == 0 && side->to == side->collection->totals.documents;
}

/* ---- count ---- */

struct pd_counted {
    uint64_t terms_left_out, antecedents; /* distinct terms of the collection that got this flag */
};

/* ---- gather and join: what matches ---- */

/* Classes of one rank, and the units that are similar to theirs. Both files are in order of the class's number. */
struct pd_joined {
    struct pd_packed *classes;  /* of struct pd_class */
    struct pd_packed *partners; /* of struct pd_partner; NULL: there are none */
};
PD_VEC(pd_joineds, struct pd_joined);

/* Units that are similar to the units of class `number`. */
struct pd_partner {
    uint64_t number;
    double similarity;
    uint64_t n;
    struct pd_occurrence at[];
};

struct pd_gathered {
    uint64_t units;        /* units of the collection */
    uint64_t signed_units; /* units of the collection that have a signature */
    uint64_t
        too_large; /* units of the collection with more than PD_SET_MOST signatures, where sets are compared */
    uint64_t nclasses;      /* classes that this rank owns */
    double signing_seconds; /* time this rank has spent in signing */
};

/* What the join of sets did: numbers of the whole collection. */
struct pd_join_counts {
    uint64_t classes;    /* that took part */
    uint64_t set_bytes;  /* of their sets as they are written */
    uint64_t probes;     /* sets, or their announcements, sent to meetings */
    uint64_t passes;     /* over the meetings */
    uint64_t candidates; /* pairs that passed all filters on sizes and positions */
    uint64_t verified;   /* pairs whose sets were compared */
    uint64_t similar;    /* pairs that are similar */
    uint64_t crowded;    /* classes set aside by --max-near */
};

struct pd_matches {
    struct pd_joineds
        joined; /* gather: classes; join: partners. After a resume: of several ranks of the earlier try */
    struct pd_commons common; /* classes of this rank that were set aside, in order of signature */
    struct pd_join_counts counts;
};

/* ---- align: finished passages, in files ---- */

#define PD_ROW_FILES "passages" /* what pd_scratch_path calls the files of a slice */

/* What was left out of the result, and why. */
struct pd_left_out {
    uint64_t same_host; /* passages of documents of one host */
    uint64_t too_short; /* passages with too few words */
    uint64_t below;     /* pairs of documents below --theta-d or --delta */
};

/* Finished passages of first documents in [from, to) on one rank: a packed file, pair by pair (passage/folded.h). */
struct pd_slice {
    uint64_t slice,
        part; /* slices follow each other in the result's tables, and parts in a slice */
    pd_doc from, to;
    uint64_t dots;        /* of the whole job */
    uint64_t rows, pairs; /* in the file; 0: there is no file */
    struct pd_scratch_id file;
    struct pd_left_out left_out; /* by this rank */
};
PD_VEC(pd_slices, struct pd_slice);

struct pd_aligned {
    struct pd_slices slices;     /* finished, in files that this rank sees */
    uint64_t nslices;            /* finished, of the job */
    uint64_t dots;               /* of the collection */
    uint64_t fan_bytes;          /* of the collection, as fans travel */
    struct pd_left_out left_out; /* by this rank in the slice at hand */
};

/* ---- write ---- */

struct pd_written {
    uint64_t passages, pairs; /* by this rank */
    struct pd_left_out left_out;
};

/* ---- the job ---- */

struct pd_job {
    const struct pd_comm *comm;
    const struct pd_options *options;
    struct pd_stages stages;
    struct pd_scratch scratch;
    struct pd_transport transport; /* of all its shuffles */
    struct pd_spare
        spare; /* memory that postings, fans and the shuffles of slices lend each other */
    struct pd_units_form form;

    /*
     * A pair's first document is a target, its second one a source. Without --against all documents are on both sides.
     * Targets are numbered before sources.
     */
    struct pd_side targets, sources;
    struct pd_collection collection;

    struct pd_counted counted;
    struct pd_gathered gathered;
    struct pd_matches matches;
    struct pd_aligned aligned;
    struct pd_written written;
    struct pd_writer *writer; /* the result file, while it is written */

    bool begun;   /* scratch holds this job's files, not an older job's */
    bool resumed; /* scratch held a checkpoint of this job */
    bool kept;    /* scratch holds what a later job can take up */
};

/* The stages. COLLECTIVE, each ends agreed: PD_OK, PD_EIO, PD_EFORMAT, PD_ESTOP. */
int pd_job_count(struct pd_job *job);  /* run/classes/count.c: job->counted, flags of words */
int pd_job_gather(struct pd_job *job); /* run/classes/gather.c: job->gathered, job->matches */
int pd_job_join(struct pd_job *job);   /* run/similar/join.c: job->matches */
int pd_job_align(struct pd_job *job);  /* run/align/align.c: job->aligned */
int pd_job_write(struct pd_job *job);  /* run/write/output.c: job->written, the result file */

/* COLLECTIVE. A job that has done nothing yet. Its scratch is not open. */
void pd_job_init(struct pd_job *job, const struct pd_comm *c, const struct pd_options *o);

/*
 * Not collective. Set the two sides of a job whose collection has been read, on all ranks alike. PD_OK, or PD_EFORMAT
 * (--against, and one side has no document).
 */
int pd_job_set_sides(struct pd_job *job);

/* Not collective. Free memory and close files. What is in scratch stays. */
void pd_job_release(struct pd_job *job);

/* Not collective. Close the files of job->matches: they are made anew, or not needed any more. */
void pd_job_forget_matches(struct pd_job *job);

#endif

/*
 * run/stage/job.h - the data of one job on this rank: what it works on, and what each stage hands
 * to the next.
 *
 * A driver (run/job/detect.c, run/job/estimate/estimate.c) knows the order of the stages. A stage
 * knows this header and no driver. Each struct of results is filled in by the stage that the
 * heading above it names, and read by later stages.
 */
#ifndef PARDUP_RUN_JOB_H
#define PARDUP_RUN_JOB_H

#include "pardup/feature/imatch.h"
#include "pardup/feature/units.h"
#include "pardup/join/templates.h"
#include "pardup/result/writer.h"
#include "pardup/run/why.h"
#include "pardup/store/sorter.h"
#include "pardup/store/spool.h"
#include "run/stage/aside_file.h"
#include "run/stage/collection/collection.h"
#include "run/stage/ignore.h"
#include "run/stage/preset.h"

/* One side of a job: the documents numbered [from, to) of a collection, which is borrowed. */
struct pd_side {
    struct pd_collection *collection;
    pd_doc from, to;
};

/* Are all documents of the collection on this side? */
static inline bool pd_side_is_all(const struct pd_side *side)
{
    return side->from == 0 && side->to == side->collection->totals.documents;
}

/* ---- count ---- */

/* What the frequencies of words are of: the collection, or what a table was made of. */
struct pd_background {
    uint64_t documents, words; /* documents that have a sentence; words of all documents */
    uint64_t hash;             /* of the lines of the table (--frequencies); 0: there is none */
    struct pd_df_range kept;   /* document frequencies of words that count, for features that ask */
};

struct pd_counted {
    uint64_t terms_left_out; /* distinct terms of the collection that are left out */
    uint64_t antecedents;    /* distinct terms that are antecedents; 0 if a list names them */
    uint64_t least;          /* occurrences of the rarest antecedent; 0 if a list names them */
};

/* ---- gather and join: what matches ---- */

/*
 * The classes that a rank owns, and their partners. Both files are in order of the number of the
 * class.
 */
struct pd_joined {
    struct pd_packed *classes;  /* struct pd_class, one after the other */
    struct pd_packed *partners; /* struct pd_partner, one after the other; NULL: no partners */
};
PD_VEC(pd_joineds, struct pd_joined);

/*
 * Units of a partner of a class. A partner with many units comes in several records. A class with
 * anchors (join/anchors.h) has its other occurrences as partners. A record has one tier of them.
 */
struct pd_partner {
    uint64_t number;           /* the class (not the partner), among the classes of its owner */
    double similarity;         /* similarity of the class and the partner, (0, 1] */
    uint64_t n;                /* units in this record */
    struct pd_occurrence at[]; /* the units, in order of (doc, unit) */
};

/* Base units that are set aside, and their words. */
struct pd_aside_counts {
    uint64_t units, words;
    uint64_t doubtful_units, doubtful_words;   /* among them links, doubtful and stray text */
    uint64_t ignored_documents, ignored_words; /* text of --ignore, not counted above */
};

struct pd_gathered {
    /* units of the collection by reason; PD_WHY_MATCHED: units that have a signature */
    uint64_t units[PD_WHYS];
    uint64_t repeated;     /* signed units of the collection that --max-repeats leaves out */
    uint64_t whole_common; /* documents of the collection in common classes of whole documents */
    uint64_t nclasses;     /* classes that this rank owns */
    uint64_t large;        /* classes of the collection that PD_LARGE_CLASS calls large */
    struct pd_aside_counts asides; /* of the collection, by --templates aside and --ignore */
    double signing_seconds;        /* seconds that this rank has spent in signing */
};

/* All units of the collection. */
static inline uint64_t pd_gathered_units(const struct pd_gathered *g)
{
    uint64_t units = 0;
    for (int k = 0; k < PD_WHYS; k++)
        units += g->units[k];
    return units;
}

/* What the join of signature sets did: numbers of the whole collection. */
struct pd_join_counts {
    uint64_t classes;    /* classes */
    uint64_t set_bytes;  /* bytes of the sets of all representatives, as records */
    uint64_t probes;     /* probes sent to meetings; where sets were sifted: notices */
    uint64_t passes;     /* passes in which probes are sent and compared */
    uint64_t shared;     /* counts of signatures shared by pairs of sets, where they are counted */
    uint64_t candidates; /* pairs of sets that passed all filters on sizes and positions */
    uint64_t verified;   /* pairs of sets that were compared key by key */
    uint64_t similar;    /* pairs of similar classes, neither of them crowded */
    uint64_t crowded;    /* classes set aside by --max-near */
};

struct pd_matched {
    /*
     * The first element: gather makes its classes, join makes its partners. A second element has
     * common classes with their anchors and classes of whole documents, if the job matches them. A
     * resumed job has both elements for each rank of the earlier try whose files this rank takes
     * up.
     */
    struct pd_joineds joined;
    struct pd_commons common; /* common and crowded classes of this rank, in order of signature */
    struct pd_templates templates; /* of this rank, in no order */
    struct pd_join_counts counts;
};

/* ---- align: finished passages, in files ---- */

#define PD_ROW_FILES "passages" /* beginning of the names of the files of slices, in scratch */

/* What was left out of the result, and why. */
struct pd_left_out {
    uint64_t same_host; /* passages whose two documents are of one host */
    uint64_t too_short; /* passages with fewer words than --min-passage-words */
    uint64_t unlike;    /* passages below --min-agreement, or below --min-copy-agreement */
    uint64_t below;     /* pairs of documents below --theta-d, or not above --delta */
    uint64_t same;      /* passages that --skip-same leaves out, and --skip-same-host does not */
};

/*
 * The part of a slice that a rank keeps: the finished passages of some first documents in [from,
 * to), pair by pair in a packed file (passage/folded.h). In the result's tables the slices follow
 * each other, and in a slice the parts of rank 0, rank 1, and so on.
 */
struct pd_slice {
    uint64_t slice;              /* the number of the slice, from 0 */
    pd_doc from, to;             /* the first documents of the slice */
    uint64_t dots;               /* dots of the whole job */
    uint64_t rows, pairs;        /* passages and pairs in the file; both 0: there is no file */
    struct pd_scratch_id file;   /* the file */
    struct pd_left_out left_out; /* what the rank that made the part left out */
};
PD_VEC(pd_slices, struct pd_slice);

struct pd_aligned {
    struct pd_slices slices;     /* this rank's parts of the finished slices */
    uint64_t nslices;            /* finished slices of the job */
    uint64_t dots;               /* dots of the collection */
    uint64_t fan_bytes;          /* bytes of all fans of the collection */
    struct pd_left_out left_out; /* what this rank has left out in the slice at hand */
    struct pd_spool matches;     /* rows of /matches of this rank, until they are written */
};

/* ---- write ---- */

/* Families in the result. */
struct pd_family_counts {
    uint64_t families;
    uint64_t members;          /* of all families */
    uint64_t whole, documents; /* the same numbers of families of whole documents */
    uint64_t greatest;         /* documents of the largest of them */
    uint64_t beside; /* their documents whose files are beside texts (unread.h): of this rank */
};

struct pd_written {
    uint64_t passages, pairs;           /* passages and pairs in this rank's parts of all slices */
    uint64_t templates, template_sites; /* templates of all ranks; sites that have one */
    struct pd_left_out left_out;        /* what was left out in this rank's parts of all slices */
    struct pd_family_counts families;   /* of all ranks */
};

/* ---- the job ---- */

struct pd_families;
struct pd_gathering_rows;
struct pd_index;

struct pd_job {
    const struct pd_comm *comm;
    struct pd_options settled;        /* a copy of the caller's options, with the chosen preset */
    const struct pd_options *options; /* &settled */
    struct pd_stages stages;
    struct pd_scratch scratch;
    struct pd_transport transport;  /* what all shuffles of the job share */
    struct pd_spare spare;          /* memory that postings, fans and the hops of slices share */
    enum pd_preset preset;          /* the preset in force: the user's or the job's choice */
    char why_preset[PD_PRESET_WHY]; /* why the job chose it; empty: it was the user's choice */
    struct pd_units_form form;      /* how units are made from base units */

    /*
     * A pair's first document is a target, its second one a source. Without --against all documents
     * are on both sides. Targets are numbered before sources. With --with, targets are sources,
     * too.
     */
    struct pd_side targets, sources;
    struct pd_collection collection;

    struct pd_ignore ignore;     /* the text of --ignore */
    struct pd_aside_file asides; /* of the documents that this rank holds, from gather on */

    struct pd_background background;
    struct pd_counted counted;
    struct pd_gathered gathered;
    struct pd_matched matches;
    struct pd_aligned aligned;
    struct pd_written written;
    struct pd_writer *writer;     /* the result file, while it is written */
    uint64_t foreign_sources;     /* check, --known: sources in the index */
    const struct pd_index *index; /* check, --known: the index, borrowed; else NULL */
    bool known; /* --known: sources are rows of /documents behind the others; check: of /sources */
    struct pd_families *families; /* run/stage/families/families.h, while the result is written */

    /*
     * COLLECTIVE. Sends further rows of a slice, for --known (run/job/check/asking.h); agreed.
     * NULL: there are none.
     */
    int (*more_rows)(void *ctx, struct pd_gathering_rows *rows);
    void *rows_ctx;

    /* COLLECTIVE. Writes further tables to the result file. NULL: there are none. */
    int (*more_tables)(struct pd_job *job, void *ctx);
    void *more_ctx;

    bool begun;   /* scratch holds this job's files, not an older job's */
    bool resumed; /* scratch held a checkpoint of this job */
    bool kept;    /* scratch holds something that a resumed job can take up */
};

/* May base units be set aside, besides frames? */
static inline bool pd_job_sets_aside(const struct pd_job *job)
{
    return job->options->method.templates == PD_TEMPLATES_ASIDE || job->ignore.units.n > 0;
}

/* Log what --ignore has set aside. */
void pd_job_tell_ignored(const struct pd_job *job);

/*
 * The stages. COLLECTIVE. Each ends agreed: PD_OK, PD_EIO, PD_EFORMAT or PD_ESTOP. The comment says
 * which members the stage fills in.
 */
int pd_job_count(
    struct pd_job
        *job); /* run/stage/classes/count.c: job->background, job->counted, flags of words */
int pd_job_gather(struct pd_job *job); /* run/stage/classes/gather.c: job->gathered, job->matches */
int pd_job_set_aside(
    struct pd_job *job); /* run/stage/classes/gather.c: job->asides, if gather was taken up */
int pd_job_join(struct pd_job *job);  /* run/stage/similar/join.c: job->matches */
int pd_job_align(struct pd_job *job); /* run/stage/align/align.c: job->aligned */
int pd_job_write(struct pd_job *job); /* run/stage/write/output.c: job->written, the result file */

/*
 * Not collective. Give the words of all volumes of this rank the flags that were frozen when an
 * index was made: count.c. PD_OK, PD_EIO or PD_EFORMAT.
 */
int pd_job_freeze(struct pd_job *job, struct pd_index *index);

/*
 * COLLECTIVE. A job that has done nothing yet. Its scratch is not open. `c` and `o` are borrowed
 * until it is released.
 */
void pd_job_init(struct pd_job *job, const struct pd_comm *c, const struct pd_options *o);

/*
 * COLLECTIVE. Choose what words are, when the files are listed and before they are read: with
 * PD_PRESET_AUTO, words of program text if most files are program text.
 */
void pd_job_choose_words(struct pd_job *job);

/*
 * Not collective. If the user left the preset to the job, choose it by what the collection is, tell
 * it, and set job->options->method. All ranks choose the same
 * preset.
 *   share   the share of the collection that has been read, (0, 1]
 */
void pd_job_choose_preset(struct pd_job *job, double share);

/*
 * Not collective. Set the two sides of a job whose collection has been read. All ranks get the same
 * sides and the same status: PD_OK, or PD_EFORMAT (with --against, one side has no document).
 */
int pd_job_set_sides(struct pd_job *job);

/* Not collective. Free memory and close files. What is in scratch stays. */
void pd_job_release(struct pd_job *job);

/* Not collective. The same, and empty and close the scratch: nothing goes on from there. */
void pd_job_end(struct pd_job *job);

/* Not collective. Empty job->matches and close its files. */
void pd_job_forget_matches(struct pd_job *job);

#endif

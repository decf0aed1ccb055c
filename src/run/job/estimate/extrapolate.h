/*
 * run/job/estimate/extrapolate.h - computes from two trials on excerpts what the whole collection
 * takes.
 *
 * It knows the figures and times of stages, but runs no stage.
 */
#ifndef PARDUP_RUN_EXTRAPOLATE_H
#define PARDUP_RUN_EXTRAPOLATE_H

#include "pardup/run/options.h"
#include "pardup/run/stages.h"

/* A quantity that is measured in a trial and extrapolated to the collection. */
enum pd_figure {
    PD_FIGURE_STORED, /* stored bytes of the input files that were read */
    PD_FIGURE_DOCUMENTS,
    PD_FIGURE_SENTENCES,
    PD_FIGURE_WORDS,
    PD_FIGURE_UNITS,    /* units with a signature */
    PD_FIGURE_VOLUMES,  /* bytes of volumes in scratch */
    PD_FIGURE_CLASSES,  /* bytes of classes and partners in scratch */
    PD_FIGURE_COMPARED, /* probes and candidates, where sets are compared */
    PD_FIGURE_SETS,     /* bytes of signature sets, where sets are compared */
    PD_FIGURE_FANS,     /* bytes of fans as they travel */
    PD_FIGURE_ROWS,     /* bytes of rows in scratch */
    PD_FIGURE_PASSAGES,
    PD_FIGURE_PAIRS,
    PD_FIGURE_WRITTEN, /* bytes of the result before compression */
    PD_FIGURES         /* how many figures there are */
};

/* What a trial took; all 0: there was no such trial. */
struct pd_trial {
    double figure[PD_FIGURES];
    struct pd_stage stage[PD_STAGES];
};

struct pd_expected {
    /* set by the caller */
    double stored;  /* stored bytes of the collection; pd_expected_make applies limit_docs */
    int ranks;      /* ranks of the job */
    double memory;  /* bytes a rank may use */
    double base;    /* the most bytes of memory of a rank before it has read anything */
    double longest; /* share of the collection in the longest piece, which a rank reads alone */

    /* set by pd_expected_make */
    double figure[PD_FIGURES];
    double seconds[PD_STAGES];
    double peak;      /* bytes of memory of the rank that takes most */
    double scratch;   /* bytes in scratch, of all ranks, at the same time */
    double exchanged; /* bytes sent from rank to rank */
};

/*
 * A word is in fewer documents of the excerpts than of the collection. Move the bounds of --idf and
 * --always-df so that they stand for the same shares of the documents.
 *   documents  documents with sentences in the excerpts
 *   share      the share of the collection that was read
 */
void pd_scale_idf(struct pd_method_options *o, double documents, double share);

/* Was the trial large enough for a collection of `stored` bytes? */
bool pd_trial_is_enough(const struct pd_trial *t, double stored);

/*
 * Extrapolate from two trials to a job that reads at most `limit_docs` documents; 0: all documents.
 * `last` is larger than `before`, which may be all 0.
 */
void pd_expected_make(struct pd_expected *x, const struct pd_trial *before,
                      const struct pd_trial *last, double limit_docs);

/*
 * Print what is expected to standard output. `listed`: seconds before the first stage. `price`: of
 * an hour of a core; 0: not known.
 */
void pd_expected_print(const struct pd_expected *x, double listed, double price);

#endif

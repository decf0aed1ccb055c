/*
 * run/estimate/extrapolate.h - from two trials on excerpts of a collection to what the whole collection takes. It knows
 * numbers only, no stage.
 */
#ifndef PARDUP_RUN_EXTRAPOLATE_H
#define PARDUP_RUN_EXTRAPOLATE_H

#include "pardup/run/stages.h"

enum pd_figure {
    PD_FIGURE_STORED, /* bytes of the input files */
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
    PD_FIGURES
};

/* What a job on excerpts took; all 0: there was no such job. */
struct pd_trial {
    double figure[PD_FIGURES];
    struct pd_stage stage[PD_STAGES];
};

struct pd_expected {
    /* set by the caller */
    double stored; /* bytes of the input files that will be read */
    int ranks;
    double memory;  /* bytes a rank may use */
    double base;    /* bytes of memory of a rank before it has read anything */
    double longest; /* the largest share of the collection that one rank has to read alone */
    /* set by pd_expected_make */
    double figure[PD_FIGURES];
    double seconds[PD_STAGES];
    double peak;      /* bytes of memory of the largest rank */
    double scratch;   /* bytes in scratch, of all ranks */
    double exchanged; /* bytes sent from rank to rank */
};

/* Extrapolate from two trials, the second of them larger. limit_docs 0: all documents are read. */
void pd_expected_make(struct pd_expected *x, const struct pd_trial *before,
                      const struct pd_trial *last, double limit_docs);

/* Print to standard output. `listed`: seconds before the first stage. */
void pd_expected_print(const struct pd_expected *x, double listed);

#endif

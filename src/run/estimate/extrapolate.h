/*
 * run/estimate/extrapolate.h - from two samples of a collection to what the whole of it takes. Knows no stage,
 * only numbers.
 */
#ifndef PARDUP_RUN_EXTRAPOLATE_H
#define PARDUP_RUN_EXTRAPOLATE_H

#include "pardup/run/stages.h"

enum pd_figure {
    PD_FIGURE_STORED, /* bytes of the collection as it lies there */
    PD_FIGURE_DOCUMENTS,
    PD_FIGURE_SENTENCES,
    PD_FIGURE_WORDS,
    PD_FIGURE_UNITS,   /* signed */
    PD_FIGURE_VOLUMES, /* bytes in scratch, like CLASSES and ROWS */
    PD_FIGURE_CLASSES,
    PD_FIGURE_COMPARED, /* sets, where the method does that ... */
    PD_FIGURE_SETS,     /* ... and their bytes in flight */
    PD_FIGURE_FANS,     /* bytes in flight */
    PD_FIGURE_ROWS,
    PD_FIGURE_PASSAGES,
    PD_FIGURE_PAIRS,
    PD_FIGURE_WRITTEN, /* bytes of the result, before they are compressed */
    PD_FIGURES
};

/* What a job over a sample took; all 0: there was none. */
struct pd_trial {
    double figure[PD_FIGURES];
    struct pd_stage stage[PD_STAGES];
};

struct pd_expected {
    double stored; /* bytes that will be read; these members are set before ... */
    int ranks;
    double memory, base; /* bytes a rank may use; of its memory before it has read anything */
    double longest;      /* share of the collection that one rank has to read alone, at most */
    double figure[PD_FIGURES]; /* ... those from here on by pd_expected_make */
    double seconds[PD_STAGES], peak, scratch, exchanged;
};

/* The second trial is the larger one. limit_docs 0: all documents. */
void pd_expected_make(struct pd_expected *x, const struct pd_trial *before,
                      const struct pd_trial *last, double limit_docs);

/* On standard output; `listed`: seconds before the first stage. */
void pd_expected_print(const struct pd_expected *x, double listed);

#endif

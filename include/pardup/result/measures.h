/*
 * result/measures.h - how well detections answer the truth.
 *
 * Passages: Potthast, Stein, Barron-Cedeno, Rosso, "An Evaluation Framework for Plagiarism
 * Detection", COLING 2010, section 3. A detection finds a case when they share text in both
 * documents. Macro precision is the mean, over detections, of the share of a detection's text that
 * lies in cases it finds; macro recall the mean, over cases, of the share of a case's text that
 * lies in detections that find it; the micro variants sum text instead. Text is of both documents.
 * Granularity is the mean number of detections of a case that is found at all, 1 without any;
 * plagdet is F1 of the macro measures over log2(1 + granularity).
 * With neither cases nor detections precision and recall are 1; with only one of them, 0.
 * Deviation: micro measures count the text of a document once for every document pair it is in,
 * so that pairs are independent units.
 *
 * Pairs: two documents that share a detection, against two that share a case or a label.
 * Documents: those in any such pair. Same precision, recall and F1.
 *
 * A class takes part with the pairs that have one of its cases or labels: its recall and
 * granularity are of its own cases, its precision of all detections in these pairs, judged by all
 * cases.
 */
#ifndef PARDUP_RESULT_MEASURES_H
#define PARDUP_RESULT_MEASURES_H

#include <stdbool.h>

#include "pardup/result/match.h"

enum pd_measure {
    PD_PRECISION,
    PD_RECALL,
    PD_F1,
    PD_GRANULARITY,
    PD_PLAGDET,
    PD_MICRO_PRECISION,
    PD_MICRO_RECALL,
    PD_MICRO_F1,
    PD_PAIR_PRECISION,
    PD_PAIR_RECALL,
    PD_PAIR_F1,
    PD_DOCUMENT_PRECISION,
    PD_DOCUMENT_RECALL,
    PD_DOCUMENT_F1,
    PD_MEASURES
};
enum { PD_PAIR_MEASURES = PD_DOCUMENT_PRECISION }; /* those that are sums over pairs */
extern const char *const pd_measure_names[PD_MEASURES];

/* Both kinds of matches and the labels in ascending order (pd_sort_records over all words). */
struct pd_judging {
    const struct pd_matches *cases;
    const struct pd_matches *found;
    const struct pd_labels *labels;
    uint64_t nclasses;
    uint64_t bootstrap; /* resamples (0: no intervals) */
    uint64_t seed;
};

/* What a document pair, or many, add to the measures. */
enum pd_sum {
    PD_SUM_CASES,
    PD_SUM_RECALLED, /* shares of cases */
    PD_SUM_FOUND,    /* detections */
    PD_SUM_PRECISE,  /* shares of detections */
    PD_SUM_DETECTED, /* cases that some detection finds */
    PD_SUM_OVERLAPS, /* detections of cases */
    PD_SUM_CASE_TEXT,
    PD_SUM_CASE_TEXT_FOUND,
    PD_SUM_FOUND_TEXT,
    PD_SUM_FOUND_TEXT_TRUE,
    PD_SUM_TRUE_PAIRS,
    PD_SUM_FOUND_PAIRS,
    PD_SUM_BOTH_PAIRS,
    PD_SUMS
};
struct pd_sums {
    double v[PD_SUMS];
};
PD_VEC(pd_units, struct pd_sums);

struct pd_documents_judged {
    uint64_t both;
    uint64_t only_true;
    uint64_t only_found;
};

/* The measures of one class, or of all. */
struct pd_score {
    uint64_t pairs;  /* with a case, label or detection */
    uint64_t judged; /* of them, those whose passages are judged ... */
    uint64_t
        labelled_only; /* ... and the detections of the others: a label says nothing of where */
    struct pd_sums sums;
    struct pd_documents_judged documents;
    double value[PD_MEASURES];
    double low[PD_MEASURES], high[PD_MEASURES]; /* 95 % interval; equal value without bootstrap */
};

/*
 * Fill scores[0] for everything and scores[1 .. nclasses] for the classes. Intervals: percentile
 * bootstrap (Efron, Tibshirani, "An Introduction to the Bootstrap", 1993, section 13.3), document
 * pairs drawn with replacement; for the measures of documents, documents. Draws depend on seed,
 * resample and place alone. O(n log n) and O(bootstrap * n) for n matches.
 */
void pd_measures_judge(const struct pd_judging *j, struct pd_score *scores);

/* The measures that follow from sums (the first PD_PAIR_MEASURES). */
void pd_measures_of(const struct pd_sums *sums, double *value);
void pd_measures_of_documents(const struct pd_documents_judged *d, double *value);

/* Intervals of a score from the units it was summed from. */
void pd_bootstrap(const struct pd_units *units, uint64_t resamples, uint64_t seed,
                  struct pd_score *score);

#endif

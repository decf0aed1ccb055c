/*
 * tools/eval/measures.h - how well the detections of a result agree with the truth.
 *
 * Passages: Potthast, Stein, Barron-Cedeno, Rosso, "An Evaluation Framework for Plagiarism
 * Detection", COLING 2010, section 3. A detection finds a case when they share text in both
 * documents. The text of a detection or a case is its text in both documents.
 *   macro precision  the share of a detection's text that lies in cases it finds: the mean over
 *                    detections
 *   macro recall     the share of a case's text that lies in detections that find it: the mean over
 *                    cases
 *   micro measures   the same two shares, of the text of all detections and of all cases
 *   granularity      detections that find a case: the mean over the cases that are found, 1 if no
 *                    case is found
 *   plagdet          F1 of the macro measures, divided by log2(1 + granularity)
 * If there are neither cases nor detections, precision and recall are 1. If there are only cases or
 * only detections, precision and recall are 0.
 * Deviation from Potthast: micro measures count the text of a document once for every document pair
 * it is in, so that pairs are independent of each other.
 *
 * Pairs: found pairs, which have a detection, are compared with true pairs, which have a case or a
 * label that says duplicate. Documents: the documents of found pairs are compared with the
 * documents of true pairs. Both have precision, recall and F1 as well.
 *
 * Classes: the measures of a class of cases are taken over the document pairs that have a case or a
 * label of the class. Recall and granularity count only cases of the class. Precision counts all
 * detections in such pairs, and the cases of all classes.
 */
#ifndef PARDUP_TOOLS_EVAL_MEASURES_H
#define PARDUP_TOOLS_EVAL_MEASURES_H

#include <stdbool.h>

#include "match.h"

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
/* The measures before this one follow from sums over document pairs. */
enum { PD_PAIR_MEASURES = PD_DOCUMENT_PRECISION };
extern const char *const pd_measure_names[PD_MEASURES];

/* The records that are judged, each array sorted by all members (pd_sort_records). */
struct pd_judging {
    const struct pd_matches *cases;
    const struct pd_matches *found; /* detections */
    const struct pd_labels *labels;
    uint64_t nclasses;
    uint64_t bootstrap; /* how many resamples the intervals are made from; 0: no intervals */
    uint64_t seed;      /* of the resamples */
};

/* The sums over document pairs from which the measures follow. Text is in bytes or characters. */
enum pd_sum {
    PD_SUM_CASES,           /* cases */
    PD_SUM_RECALLED,        /* for each case, the share of its text that is found */
    PD_SUM_FOUND,           /* detections */
    PD_SUM_PRECISE,         /* for each detection, the share of its text that is true */
    PD_SUM_DETECTED,        /* cases that some detection finds */
    PD_SUM_OVERLAPS,        /* for each case, the detections that find it */
    PD_SUM_CASE_TEXT,       /* text of cases */
    PD_SUM_CASE_TEXT_FOUND, /* text of cases that lies in detections that find them */
    PD_SUM_FOUND_TEXT,      /* text of detections */
    PD_SUM_FOUND_TEXT_TRUE, /* text of detections that lies in cases they find */
    PD_SUM_TRUE_PAIRS,      /* true pairs */
    PD_SUM_FOUND_PAIRS,     /* found pairs */
    PD_SUM_BOTH_PAIRS,      /* pairs that are true and found */
    PD_SUMS
};

/* Sums over some document pairs, from which all measures follow. */
struct pd_sums {
    double v[PD_SUMS]; /* by the enumerators above */
};
PD_VEC(pd_pair_sums, struct pd_sums);

/* How many documents are in true pairs, in found pairs, or in pairs of both kinds. */
struct pd_documents_judged {
    uint64_t both;       /* in a true pair and in a found pair */
    uint64_t only_true;  /* in a true pair, but in no found pair */
    uint64_t only_found; /* in a found pair, but in no true pair */
};

/* The measures of one class, or of all classes together. */
struct pd_score {
    uint64_t pairs;         /* document pairs with a case, a label or a detection */
    uint64_t judged;        /* pairs whose passages are judged */
    uint64_t labelled_only; /* detections in other pairs: a label does not say where text matches */
    struct pd_sums sums;
    struct pd_documents_judged documents;
    double value[PD_MEASURES];
    /* the 95 % interval [low, high]; both are equal to value if there are no intervals */
    double low[PD_MEASURES], high[PD_MEASURES];
};

/*
 * Write the score of all classes together to scores[0], and the scores of the classes to
 * scores[1 .. nclasses].
 * Intervals are percentile intervals of the bootstrap (Efron, Tibshirani, "An Introduction to the
 * Bootstrap", 1993, section 13.3). Document pairs are drawn with replacement, or documents for the
 * measures of documents. A draw depends only on the seed, on the number of the resample, and on
 * the number of the draw in it.
 * Cost for n matches: O(n log n), and O(bootstrap * n) for the intervals.
 */
void pd_measures_judge(const struct pd_judging *j, struct pd_score *scores);

/* Write the first PD_PAIR_MEASURES of the PD_MEASURES values. */
void pd_measures_of(const struct pd_sums *sums, double *value);

/* Write the other values, which are the measures of documents. */
void pd_measures_of_documents(const struct pd_documents_judged *d, double *value);

/*
 * Write the intervals of a score.
 *   pairs  the sums of each document pair; together they are score->sums
 */
void pd_bootstrap(const struct pd_pair_sums *pairs, uint64_t resamples, uint64_t seed,
                  struct pd_score *score);

#endif

/*
 * tools/eval/paired.h - two results judged by the same truth: is one better, or is it chance?
 *
 * Document pairs are the samples: all that have a case, a label, or a detection of either result.
 * For Student's test a pair needs a detection in both results to have precision, and a case to have
 * recall. F1 of a pair without a case is 1 where nothing is found, and else 0 (measures.h).
 * Sources: Student, "The Probable Error of a Mean", Biometrika 1908, for the paired t-test; Efron,
 * Tibshirani, "An Introduction to the Bootstrap", 1993, for pairs drawn with replacement, the same
 * ones for both results.
 */
#ifndef PARDUP_TOOLS_EVAL_PAIRED_H
#define PARDUP_TOOLS_EVAL_PAIRED_H

#include "measures.h"

/* A document pair, and what it adds to the measures of all classes together. */
struct pd_judged_pair {
    uint64_t a, b;
    struct pd_sums sums;
};
PD_VEC(pd_judged_pairs, struct pd_judged_pair);

/* Append each document pair with a case, a label or a detection, in order. Reads no `bootstrap`. */
void pd_measures_pairs(const struct pd_judging *j, struct pd_judged_pairs *pairs);

/* A measure of both results. */
struct pd_paired_measure {
    double value[2];
    double low, high; /* the 95 % interval of value[1] - value[0]; NaN: there is none */
    double chance;    /* twice the share of resamples on the rarer side of 0, [0, 1]; NaN: none */
    uint64_t samples; /* document pairs that have the measure in both results */
    double mean;      /* of the second value minus the first one, over the samples */
    double t, p;      /* Student's t of `mean`, and its p of both sides; NaN: samples do not vary */
};

struct pd_paired {
    uint64_t pairs;                                      /* document pairs */
    struct pd_paired_measure measures[PD_PAIR_MEASURES]; /* by enum pd_measure */
};

/*
 * Compare two results by their judged pairs, `resamples` times for the intervals; 0: none. A draw
 * depends only on seed, resample and its number. Cost: O(resamples * pairs).
 */
void pd_paired_compare(const struct pd_judged_pairs lists[2], uint64_t resamples, uint64_t seed,
                       struct pd_paired *out);

/* The probability that |t| of Student's distribution with `degrees` > 0 is at least |t|. */
double pd_student(double t, double degrees);

#endif
